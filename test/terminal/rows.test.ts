/** @module Rows of frames: the fast way of reading them tells what the public one does, and a row stays what it was. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Frame, Screen, type ScreenClock, type ScreenRow } from '../../src/terminal/index.js'

const ESC = '\x1b'
/** No time passes: every write is a frame. */
const still: ScreenClock = { now: () => 0, after: () => ({ dispose: () => {} }) }

const make = (publicOnly: boolean, scrollback: number) => {
  const options = { cols: 20, rows: 6, scrollback, minFrameMs: 0, maxSyncMs: 0, clock: still }
  const screen = new Screen(options, publicOnly)
  const seen: { frame: Frame; told: ReturnType<typeof tell> }[] = []
  screen.onFrame((frame) => seen.push({ frame, told: tell(frame) }))
  return { screen, seen }
}

const tellRow = (row: ScreenRow, cols: number) => ({
  text: row.text,
  full: row.full,
  wrapped: row.wrapped,
  columns: Array.from({ length: row.text.length + 2 }, (_, index) => row.column(index)),
  styles: Array.from({ length: cols + 1 }, (_, x) => row.style(x)),
})

/** What two rows that look the same have in common. */
const looks = (row: ReturnType<typeof tellRow> | undefined) =>
  JSON.stringify([row?.text, row?.wrapped, row?.styles])

/** All that a reader can ask of a frame. */
const tell = (frame: Frame) => ({
  base: frame.base,
  oldest: frame.oldest,
  rows: Array.from({ length: frame.rows }, (_, y) => tellRow(frame.row(y), frame.cols)),
  history: Array.from({ length: frame.base - frame.oldest }, (_, n) =>
    tellRow(frame.history(frame.oldest + n), frame.cols),
  ),
  last: tellRow(frame.history(frame.base + frame.rows - 1), frame.cols),
})

const number = fc.integer({ min: 0, max: 9 })
const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 30 }),
  fc.constantFrom(
    '猫',
    '🦊x',
    'e\u0301',
    '👩\u200d👩\u200d👧|',
    '🇩🇪🇫🇷',
    '👍🏽',
    '☀\ufe0f.',
    '\u00a0',
    'a\u200bb',
    '…—“',
    '  ',
  ),
  fc.constantFrom('w'.repeat(25), '漢'.repeat(13), `${'x'.repeat(19)}猫`),
)
const move = fc.oneof(
  fc.constantFrom('\r\n', '\r\n\r\n\r\n', '\r', '\b', '\t', `${ESC}M`, `${ESC}D`, `${ESC}7`, `${ESC}8`),
  fc.tuple(number, number).map(([y, x]) => `${ESC}[${y};${x * 3}H`),
  fc.tuple(number, number).map(([top, bottom]) => `${ESC}[${top};${bottom}r`),
  fc.tuple(number, fc.constantFrom(...'KLMPSTX@ABCDGb')).map(([n, final]) => `${ESC}[${n}${final}`),
)
const style = fc
  .array(
    fc.constantFrom(
      '0',
      '1',
      '2',
      '3',
      '4',
      '7',
      '8',
      '9',
      '31',
      '42',
      '38;5;99',
      '38;2;1;2;3',
      '48;2;9;8;7',
    ),
    {
      minLength: 1,
      maxLength: 3,
    },
  )
  .map((codes) => `${ESC}[${codes.join(';')}m`)
const mode = fc.constantFrom(
  ...[
    `${ESC}[?1049h`,
    `${ESC}[?1049l`,
    `${ESC}[?7l`,
    `${ESC}[?7h`,
    `${ESC}[4h`,
    `${ESC}[4l`,
    `${ESC}[?2026h`,
  ],
  ...[`${ESC}[?2026l`, `${ESC}[?6h`, `${ESC}[?6l`],
)
const erase = fc.constantFrom(`${ESC}[J`, `${ESC}[2J`, `${ESC}[3J`, `${ESC}c`, `${ESC}[?2J`, `${ESC}#8`)
const size = fc.record({ cols: fc.integer({ min: 2, max: 40 }), rows: fc.integer({ min: 2, max: 12 }) })

type Step = string | { readonly cols: number; readonly rows: number }

/** Runs the same steps both ways, frame by frame. */
async function both(steps: readonly Step[], scrollback: number) {
  const fast = make(false, scrollback)
  const slow = make(true, scrollback)
  for (const step of steps) {
    for (const { screen } of [fast, slow])
      if (typeof step === 'string') screen.write(Buffer.from(step))
      else screen.resize(step.cols, step.rows)
    // The public way parses when its timer fires.
    while (slow.seen.length < fast.seen.length) await new Promise((resolve) => setImmediate(resolve))
  }
  fast.screen.dispose()
  slow.screen.dispose()
  return { fast: fast.seen, slow: slow.seen }
}

const program = (...parts: fc.Arbitrary<Step>[]) =>
  fc.array(fc.oneof({ arbitrary: text as fc.Arbitrary<Step>, weight: 3 }, move, style, ...parts), {
    minLength: 1,
    maxLength: 25,
  })

describe('rows of a frame', () => {
  /** The numbers of rows are compared by themselves: what an erase or a region took, the public way can only guess. */
  const shown = ({ told }: { told: ReturnType<typeof tell> }) => ({
    ...told,
    base: told.base - told.oldest,
    oldest: 0,
  })

  test('text, columns and styles are those of the public way', async () => {
    await fc.assert(
      fc.asyncProperty(program(mode, erase), fc.constantFrom(0, 3, 100), async (steps, scrollback) => {
        const { fast, slow } = await both(steps, scrollback)
        expect(fast.map(shown)).toEqual(slow.map(shown))
      }),
      { numRuns: 150 },
    )
  })

  test('the numbers of rows are, where text alone scrolls', async () => {
    const lines = fc.array(fc.oneof(text, fc.constant('\r\n'), fc.constant('\r\n'), style), { maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(lines, fc.constantFrom(0, 3, 100), async (steps, scrollback) => {
        const { fast, slow } = await both(steps, scrollback)
        expect(fast.map(({ told }) => told)).toEqual(slow.map(({ told }) => told))
      }),
      { numRuns: 60 },
    )
  })

  test('a row stays what it was, and one that did not change is told as the same', async () => {
    await fc.assert(
      fc.asyncProperty(program(mode, erase, size), async (steps) => {
        const { fast } = await both(steps, 50)
        for (const [n, { frame, told }] of fast.entries()) {
          for (const [y, row] of told.rows.entries()) {
            expect(tellRow(frame.row(y), frame.cols)).toEqual(row)
            const before = fast[n - 1]
            if (!before || before.frame.cols !== frame.cols || y >= before.frame.rows) continue
            const same = looks(before.told.rows[y]) === looks(row)
            expect(before.frame.row(y).same(frame.row(y)), `frame ${frame.n}, row ${y}`).toBe(same)
          }
        }
      }),
      { numRuns: 100 },
    )
  })
})

describe('a cursor that was saved on a taller screen', () => {
  test('is put back within the screen, and what is printed there is seen', () => {
    const screen = new Screen({ cols: 20, rows: 12, minFrameMs: 0 })
    screen.write(Buffer.from('\x1b[?1049h\x1b[12;1H\x1b7\x1b[1;1H'))
    screen.resize(20, 4)
    screen.write(Buffer.from('\x1b8seen'))
    expect(screen.faults).toBe(0)
    expect(screen.text(3)).toBe('seen')
    screen.dispose()
  })
})
