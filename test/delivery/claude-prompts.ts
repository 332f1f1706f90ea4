/** @module test/delivery/claude-prompts - prompts of random shape, the same for the same seed. */

/** A small generator (mulberry32): numbers from 0 to 1. */
export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const WORDS = [
  'fix',
  'the',
  'exit',
  'of',
  'loop',
  'quit',
  'naïve',
  '日本語',
  '한국어',
  '中文',
  '🎉',
  '👩‍💻',
  '½',
  'a_b',
]

type Shape = (words: (n: number) => string, next: () => number) => string

const SHAPES: Readonly<Record<string, Shape>> = {
  plain: (words) => words(6),
  slash: (words) => `/nothing ${words(3)}`,
  path: (words) => `/tmp/foo is ${words(2)}`,
  bang: (words) => `!ls ${words(2)}`,
  hash: (words) => `# ${words(3)}`,
  mention: (words) => `${words(3)} @nobody${words(1).length}`,
  backslash: (words) => `${words(3)} \\`,
  lines: (words) => `${words(3)}\n\n  ${words(2)}\n${words(4)}\n- ${words(2)}`,
  twoLines: (words) => `${words(12)}\n${words(2)}`,
  tabs: (words) => `${words(1)}\t${words(1)}\n\t${words(2)}`,
  fence: (words) =>
    `${words(2)}\n\`\`\`ts\nif (a < b) { return \`x\` } // $HOME "q" 'q' \\n %s #{x}\n\`\`\`\n${words(1)};`,
  exitWords: (words) => `please exit the loop, then quit ${words(1)}`,
  wide: () => '日本語 中文 한국어 👩‍💻👨‍👩‍👧 🎉 e\u0301 \u212b \u1112\u1161\u11ab ½ 🏳️‍🌈',
  long: (words) => `${words(80)}`,
  page: (words, next) => Array.from({ length: 30 + Math.floor(next() * 30) }, () => words(30)).join('\n'),
}
const NAMES = Object.keys(SHAPES)

/** The n-th prompt of a seed: every shape in turn, its words by chance, and its number, so that none comes twice. */
export function promptOf(seed: number, n: number): string {
  const next = random(seed * 100_003 + n)
  const words = (count: number) =>
    Array.from({ length: count }, () => WORDS[Math.floor(next() * WORDS.length)] ?? '').join(' ')
  const shape = SHAPES[NAMES[(n + seed) % NAMES.length] ?? 'plain']
  const text = shape?.(words, next) ?? ''
  // Numbered at the start, where that changes nothing of its shape, else behind its first word.
  return /^[/!#]/u.test(text) ? text.replace(/ /u, ` n${n} `) : `n${n} ${text}`
}

/** 200 kB of numbered lines. */
export function hugePrompt(n: number): string {
  return Array.from({ length: 4000 }, (_, line) => `n${n} line ${line} ${'z'.repeat(36)}`).join('\n')
}
