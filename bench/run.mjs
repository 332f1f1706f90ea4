#!/usr/bin/env node
/** @module bench/run - compiles what is measured, then measures in a network that has only loopback. See `--help`. */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isolated } from '../scripts/test-run/namespace.mjs'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const BUILD = join(ROOT, 'node_modules', '.bench')
const OUT = join(BUILD, 'dist')

mkdirSync(OUT, { recursive: true })
// The compiled modules find the package's own packages above them.
writeFileSync(join(BUILD, 'package.json'), '{"type":"module"}\n')
copyFileSync(join(ROOT, 'package.json'), join(OUT, 'package.json'))

const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
const compiled = spawnSync(
  process.execPath,
  [tsc, '-p', 'bench/tsconfig.json', '--noCheck', '--outDir', OUT],
  {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
  },
)
if (compiled.status !== 0) process.exit(compiled.status ?? 1)

const program = [process.execPath, join(OUT, 'bench', 'main.js'), ...process.argv.slice(2)]
const [file = '', ...args] = await isolated(join(BUILD, 'namespace'), program)
const { status } = spawnSync(file, args, { cwd: ROOT, stdio: 'inherit' })
process.exit(status ?? 1)
