/** @module test/replay/fuzz-bytes - what a hostile or broken program may write: random, hand-made and mutated bytes. */
import type { Piece } from './drive.js'

type Next = (below: number) => number

const ESC = '\x1b'
/** Numbers that programs should not send. */
const NUMBERS = [
  '',
  '0',
  '1',
  '2',
  '9',
  '25',
  '80',
  '999',
  '65535',
  '65536',
  '2147483647',
  '4294967296',
  '9'.repeat(40),
]
const FINALS = 'ABCDEFGHIJKLMPSTXZ@`abcdefghilmnpqrstux'
const MARKS = ['', '?', '>', '=', '!', '$', ' ', "'", '"']
/** What vendors and terminals write, each alone. */
const SEQUENCES = [
  `${ESC}[2J`,
  `${ESC}[3J`,
  `${ESC}[1J`,
  `${ESC}[J`,
  `${ESC}[K`,
  `${ESC}[H`,
  `${ESC}[2;9r`,
  `${ESC}[r`,
  `${ESC}M`,
  `${ESC}D`,
  `${ESC}E`,
  `${ESC}7`,
  `${ESC}8`,
  `${ESC}c`,
  `${ESC}[!p`,
  `${ESC}#8`,
  `${ESC}(0`,
  `${ESC}(B`,
  `${ESC}[?1049h`,
  `${ESC}[?1049l`,
  `${ESC}[?47h`,
  `${ESC}[?47l`,
  `${ESC}[?2026h`,
  `${ESC}[?2026l`,
  `${ESC}[?2004h`,
  `${ESC}[?25l`,
  `${ESC}[?6h`,
  `${ESC}[?7l`,
  `${ESC}[?7h`,
  `${ESC}[?45h`,
  `${ESC}[4h`,
  `${ESC}[4l`,
  `${ESC}[38;2;1;2;3m`,
  `${ESC}[48;5;236m`,
  `${ESC}[2m`,
  `${ESC}[m`,
  `${ESC}]0;busy\x07`,
  `${ESC}]0;idle\x07`,
  `${ESC}]2;✳ ready${ESC}\\`,
  `${ESC}]9;4;3\x07`,
  `${ESC}]9;done\x07`,
  `${ESC}]7501;state=working:app=codex${ESC}\\`,
  `${ESC}]8;;http://x/y\x07link${ESC}]8;;\x07`,
  `${ESC}P+q544e${ESC}\\`,
  `${ESC}_Gq=2${ESC}\\`,
  `${ESC}^pm${ESC}\\`,
  '\x9b5A',
  '\x90q\x9c',
  '\x84\x85\x8d',
  '\x07\x08\x0b\x0c\x0e\x0f\x7f',
]
/** Rows that grammars know, or nearly. */
const ROWS = [
  '❯ do it',
  '› do it',
  '> do it',
  '● done',
  '• done',
  '⏺ Bash(ls)',
  '  ⎿  out',
  '◆ run()',
  '✻ Thinking… (3s · esc to interrupt)',
  '✦ text',
  '─'.repeat(80),
  '╭──────╮',
  '│ text │',
  '╰──────╯',
  '┃  text',
  '╹▀▀▀▀',
  '  ? for shortcuts',
  'Do you want to proceed?',
  '❯ 1. Yes',
  '  2. No, and say why (esc)',
  '△ Permission required',
  '⬝⬝⬝⬝■■■■  esc interrupt',
  ' Type your message or @path/to/file',
  '```ts',
  '1. one',
  '| a | b |',
  '👨‍👩‍👧‍👦🇩🇪👍🏽☀️',
  'e\u0301'.repeat(9),
  '漢字かな交じり文',
  '\u00a0\u2028\ufeff\u200b',
]

/** Bytes to begin with: each hand-made one, and whatever recordings the caller has. */
export function corpusOf(recordings: readonly Uint8Array[]): readonly Uint8Array[] {
  const page = ROWS.join('\r\n')
  return [...recordings, ...[...SEQUENCES, ...ROWS, page].map((text) => Buffer.from(text))]
}

const pick = <T>(list: readonly T[], next: Next): T => list[next(list.length)] as T

function slice(bytes: Uint8Array, next: Next, longest: number): Uint8Array {
  const length = 1 + next(Math.min(bytes.length, longest))
  const from = next(bytes.length - length + 1)
  return bytes.subarray(from, from + length)
}

function csi(next: Next): string {
  const numbers = Array.from({ length: next(next(8) === 0 ? 40 : 4) }, () => pick(NUMBERS, next))
  return `${ESC}[${pick(MARKS, next)}${numbers.join(next(5) === 0 ? ':' : ';')}${FINALS[next(FINALS.length)]}`
}

/** A string that never ends, or ends late. */
function endless(next: Next): string {
  const begin = pick(
    [']0;', ']9;', ']7501;', ']52;c;', ']8;;', 'Pq', 'P$q', '_G', '^', 'X', '[', '[?1;'],
    next,
  )
  return `${ESC}${begin}${pick(['x', '1;', '😀', ' '], next).repeat(next(3000))}${next(3) === 0 ? '\x07' : ''}`
}

function fresh(next: Next): Uint8Array {
  switch (next(6)) {
    case 0:
      return Buffer.from(Array.from({ length: 1 + next(200) }, () => next(256)))
    case 1:
      return Buffer.from(endless(next))
    case 2:
      return Buffer.from(
        Array.from({ length: 1 + next(8) }, () => csi(next)).join(pick(['', 'a', '漢'], next)),
      )
    case 3:
      return Buffer.from(Array.from({ length: 1 + next(12) }, () => pick(SEQUENCES, next)).join(''))
    case 4:
      return Buffer.from(
        pick(['\u0301', '\u200d', 'e\u0301', '👩\u200d', '🇩', '\r\n', '\t', ' '], next).repeat(next(2000)),
      )
    default:
      return Buffer.from(Array.from({ length: 1 + next(24) }, () => pick(ROWS, next)).join('\r\n'))
  }
}

/** Longest string, in bytes. */
const LONGEST = 8000

function mutated(bytes: Uint8Array, corpus: readonly Uint8Array[], next: Next): Uint8Array {
  const at = next(bytes.length + 1)
  const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)]
  switch (next(6)) {
    case 0: {
      const out = Buffer.from(bytes)
      for (let n = 1 + next(8); n > 0 && out.length > 0; n -= 1) out[next(out.length)] = next(256)
      return out
    }
    case 1:
      return Buffer.concat([head, tail.subarray(next(tail.length + 1))])
    case 2:
      return Buffer.concat([head, slice(pick(corpus, next), next, 600), tail])
    case 3: {
      const again = bytes.length > 0 ? slice(bytes, next, 200) : bytes
      return Buffer.concat([head, ...Array.from({ length: 1 + next(20) }, () => again), tail])
    }
    case 4:
      return Buffer.concat([head, Buffer.from(csi(next)), tail])
    default:
      return Buffer.concat([head, fresh(next), tail])
  }
}

/** One string: a part of the corpus or something new, changed a few times. */
export function randomBytes(corpus: readonly Uint8Array[], next: Next): Uint8Array {
  let bytes = next(3) === 0 ? fresh(next) : slice(pick(corpus, next), next, 3000)
  for (let n = next(5); n > 0; n -= 1) bytes = mutated(bytes, corpus, next)
  return bytes.subarray(0, LONGEST)
}

/** The string as a terminal would bring it from `at` on: cut, with pauses, now and then another size between. */
export function brought(bytes: Uint8Array, at: number, next: Next): Piece[] {
  const pieces: Piece[] = []
  let time = at
  for (let from = 0; from < bytes.length; ) {
    const to = from + 1 + next(next(4) === 0 ? 12 : bytes.length)
    pieces.push({ at: time, bytes: bytes.subarray(from, to) })
    from = to
    time += pick([0, 0, 1, 8, 34, 160, 500], next)
    if (next(12) === 0) pieces.push({ at: time, size: { cols: 2 + next(150), rows: 2 + next(60) } })
  }
  return pieces
}
