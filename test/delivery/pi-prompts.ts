/** @module test/delivery/pi-prompts - prompts of random shape, the same ones for the same seed. */

const WORDS = [
  ...['fix', 'the', 'build', 'src/a.ts', 'now', 'please', 'the\ttab', 'a  b', '$HOME', '`x`', '"q"', "it's"],
  ...[
    '中文',
    '日本語',
    '한국어',
    '👩‍👩‍👧‍👦',
    '🇩🇪',
    'é',
    'e\u0301',
    'עברית',
    '-> ok;',
    '{"a":1}',
    '<b>',
    '%s',
    '~',
    '&&',
  ],
] as const
const LEADS = [
  '',
  '',
  '/',
  '/help ',
  '/compact',
  '/agent-meow x',
  '!',
  '!ls',
  '#',
  '@work',
  '  ',
  '\\',
] as const
const TAILS = ['', '', '@', '@name', ' @src/a', '\\', ' ;', '  ', '!', '\t', '?'] as const

/** Numbers from 0 to 1 (mulberry32). */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export function pick<T>(from: readonly [T, ...T[]] | readonly T[], next: () => number): T {
  return from[Math.floor(next() * from.length)] as T
}

/** The `n`-th prompt: words, now and then lines, 10 kB, or 1 MB. */
export function prompt(n: number, next: () => number): string {
  const words = (count: number): string => Array.from({ length: count }, () => pick(WORDS, next)).join(' ')
  const shape = next()
  const body =
    n % 50 === 19
      ? words(40).padEnd(999_000, 'long 中\n')
      : shape < 0.1
        ? words(2000)
        : shape < 0.4
          ? Array.from({ length: 1 + Math.floor(next() * 30) }, () => words(Math.floor(next() * 5))).join(
              '\n',
            )
          : words(1 + Math.floor(next() * 12))
  return `${pick(LEADS, next)}${body} p${n}${pick(TAILS, next)}`
}
