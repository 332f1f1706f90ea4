import { defineConfig } from 'vitest/config'

/** Suites by kind; real programs share two cores, so their files run one after another. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/vendors/**', 'node_modules/**'],
    fileParallelism: false,
    // A machine that fails so many fails the others as well, each at its own slow limit; --bail=0 runs them all.
    bail: 6,
    pool: 'forks',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    teardownTimeout: 30_000,
  },
})
