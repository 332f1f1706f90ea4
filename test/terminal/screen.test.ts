/** @module The headless screen: what it shows, when it counts as settled, and that no change goes unmarked. */
import headless from '@xterm/headless'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CellStyle, type Frame, Screen } from '../../src/terminal/index.js'
import { attachEngine } from '../../src/terminal/xterm-internals.js'
import { make } from './screen-kit.js'

const looks = (frame: Frame) => ({
  at: frame.at,
  cursor: frame.cursor,
  changed: frame.changedRows,
  texts: Array.from({ length: frame.rows }, (_, y) => frame.text(y)),
})

const ESC = '\x1b'
const SYNC = `${ESC}[?2026h`
const END = `${ESC}[?2026l`
const rowsOf = (screen: Screen): string[] => Array.from({ length: screen.rows }, (_, y) => screen.text(y))

describe('contents', () => {
  test('text, wraps and logical lines', () => {
    const { screen, write } = make()
    write(`one  \r\n${'w'.repeat(45)}\r\nlast`)
    expect(rowsOf(screen)).toEqual(['one', 'w'.repeat(20), 'w'.repeat(20), 'wwwww', 'last', ''])
    expect([0, 1, 2, 3, 4].map((y) => screen.wrapped(y))).toEqual([false, false, true, true, false])
    expect(screen.lines()).toEqual([
      { row: 0, rows: 1, text: 'one', cut: false },
      { row: 1, rows: 3, text: 'w'.repeat(45), cut: false },
      { row: 4, rows: 1, text: 'last', cut: false },
      { row: 5, rows: 1, text: '', cut: false },
    ])
    // A blank at the seam is text; a line whose head scrolled away says so.
    write(`\r\n${'a'.repeat(19)} b${'c'.repeat(100)}`)
    expect(screen.lines()[0]?.cut).toBe(true)
    const other = make()
    other.write(`${'a'.repeat(19)} b`)
    expect(other.screen.lines()[0]?.text).toBe(`${'a'.repeat(19)} b`)
  })

  test('a character cut between chunks, invalid bytes, Unicode 11 widths', () => {
    const { screen, write } = make()
    const bytes = Buffer.from('猫🦊x')
    for (const byte of bytes) screen.write(Buffer.from([byte]))
    expect(screen.text(0)).toBe('猫🦊x')
    // 2 + 2 + 1 cells; with the Unicode 6 table the fox would take one.
    expect(screen.cursor.x).toBe(5)
    screen.write(Buffer.from([0xff, 0xc3]))
    write('ok')
    expect(screen.text(0)).toContain('ok')
  })

  test('styles and runs', () => {
    const { screen, write } = make()
    write(`${ESC}[1;31mred${ESC}[0;2m ghost${ESC}[0m ${ESC}[38;2;1;2;3;48;5;200;3;4;7;9mx${ESC}[0m`)
    expect(screen.style(0, 0)).toMatchObject({ fg: 1, bg: 'default', bold: true, dim: false })
    expect(screen.style(4, 0)).toMatchObject({ fg: 'default', dim: true, bold: false })
    expect(screen.style(10, 0)).toMatchObject({
      ...{ fg: '#010203', bg: 200, italic: true, underline: true, inverse: true, strikethrough: true },
    })
    expect(screen.runs(0).map(({ x, text }) => [x, text])).toEqual([
      [0, 'red'],
      [3, ' ghost'],
      [9, ' '],
      [10, 'x'],
    ])
    expect(screen.style(99, 99).fg).toBe('default')
    write(`\r\n猫${ESC}[7m猫 ${ESC}[0m`)
    expect(screen.runs(1).map(({ x, text }) => [x, text])).toEqual([
      [0, '猫'],
      [2, '猫 '],
    ])
  })

  test('what is drawn while the cursor is hidden is one frame, and a cursor that stays hidden holds nothing', () => {
    const { clock, frames, write } = make({ minFrameMs: 0 })
    write(`${ESC}[?25l${ESC}[Hone`)
    clock.pass(10)
    write(' and two')
    expect(frames).toEqual([])
    write(`${ESC}[?25h`)
    expect(frames.map((frame) => frame.text(0))).toEqual(['one and two'])
    write(`${ESC}[?25l, three`)
    expect(frames).toHaveLength(1)
    clock.pass(60)
    expect(frames).toHaveLength(2)
    write(', four')
    expect(frames).toHaveLength(3)
  })

  test.each([false, true])('cursor, title and modes (public API only: %s)', async (publicOnly) => {
    const { clock, screen, frames, write } = make({ minFrameMs: 0 }, publicOnly)
    const settle = async (text: string) => {
      const before = frames.length
      write(text)
      while (frames.length === before) {
        await new Promise((resolve) => setImmediate(resolve))
        // A cursor that was just hidden may mean a drawing.
        clock.pass(60)
      }
    }
    await settle(`${ESC}]0;first${ESC}\\${ESC}]2;the title\x07ab${ESC}[?25l`)
    expect(screen.title).toBe('the title')
    expect(screen.cursor).toEqual({ x: 2, y: 0, visible: false })
    await settle(`${ESC}[?25h`)
    expect(screen.cursor.visible).toBe(true)
    await settle(`${ESC}[?25l${ESC}[!p`)
    expect(screen.cursor.visible).toBe(true)
    await settle(`${ESC}[?1049h${ESC}[?2004h${ESC}[?1h${ESC}[?1002h`)
    const on = {
      bracketedPaste: true,
      altScreen: true,
      applicationCursor: true,
      mouse: true,
      sync2026: false,
    }
    expect(screen.modes).toEqual(on)
    expect(frames.at(-1)?.modes).toEqual(on)
    await settle(`${ESC}[?1049l${ESC}[?2004l${ESC}[?1l${ESC}[?1002l`)
    expect(Object.values(screen.modes)).toEqual([false, false, false, false, false])
    screen.dispose()
  })

  test('serialize draws the same screen again', () => {
    const { screen, write } = make({ rows: 8 })
    write(
      `${Array.from({ length: 15 }, (_, i) => `${ESC}[3${i % 8}mline ${i}`).join('\r\n')}${ESC}[0m 猫${ESC}[?2004h`,
    )
    const other = make({ rows: 8 })
    other.write(screen.serialize())
    expect(rowsOf(other.screen)).toEqual(rowsOf(screen))
    expect(other.screen.style(1, 3)).toEqual(screen.style(1, 3))
    expect(other.screen.cursor).toEqual(screen.cursor)
    expect(other.screen.modes.bracketedPaste).toBe(true)
  })

  test('sizes are checked', () => {
    expect(() => new Screen({ cols: 0, rows: 5 })).toThrow('cols')
    expect(() => make().screen.resize(10, 5000)).toThrow('rows')
  })
})

describe('frames', () => {
  test('at once when idle, then at the bounded rate, with the last state at the end', () => {
    const { clock, frames, write } = make()
    write('a')
    expect(frames.map(({ n }) => n)).toEqual([1])
    expect(frames[0]?.at).toBe(1000)
    for (let i = 0; i < 10; i++) {
      write('b')
      clock.pass(3)
    }
    expect(frames).toHaveLength(1)
    clock.pass(3)
    expect(frames).toHaveLength(2)
    expect(frames[1]?.at).toBe(1033)
    expect(frames[1]?.text(0)).toBe(`a${'b'.repeat(10)}`)
    // Nothing ticks when nothing comes.
    expect(clock.pending).toBe(0)
    clock.pass(1000)
    expect(frames).toHaveLength(2)
    write('c')
    expect(frames).toHaveLength(3)
    expect(frames.map(({ n }) => n)).toEqual([1, 2, 3])
  })

  test('never inside a synchronized update; at its end', () => {
    const { clock, frames, write } = make()
    write(`${SYNC}half`)
    clock.pass(100)
    expect(frames).toHaveLength(0)
    write(` done${END}`)
    expect(frames).toHaveLength(1)
    expect(frames[0]?.text(0)).toBe('half done')
    expect(frames[0]?.modes.sync2026).toBe(false)
    expect(clock.pending).toBe(0)
  })

  test('an update that never ends is shown after its bound, and then at that pace', () => {
    const { clock, frames, write } = make()
    write(`${SYNC}stuck`)
    clock.pass(149)
    expect(frames).toHaveLength(0)
    clock.pass(1)
    expect(frames).toHaveLength(1)
    expect(frames[0]?.modes.sync2026).toBe(true)
    write('more')
    clock.pass(149)
    expect(frames).toHaveLength(1)
    clock.pass(1)
    expect(frames).toHaveLength(2)
  })

  test('chunks that always end inside the next update still show each settled screen', () => {
    const { clock, frames, write } = make()
    write(`${SYNC}one`)
    for (const text of ['two', 'three', 'four']) {
      clock.pass(40)
      write(`${END}${SYNC}${ESC}[2K\r${text}`)
    }
    expect(frames.map((frame) => frame.text(0))).toEqual(['one', 'two', 'three'])
    expect(frames.every(({ modes }) => !modes.sync2026)).toBe(true)
  })

  test('frames are those of a screen that stops at each end of an update', () => {
    const part = fc.constantFrom(
      SYNC,
      END,
      `${ESC}[?25l`,
      `${ESC}[?25h`,
      'ab',
      '\r\n',
      `${ESC}[2;3H`,
      `${ESC}[J`,
    )
    const chunk = fc.record({ parts: fc.array(part, { minLength: 1, maxLength: 14 }), ms: fc.nat(40) })
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 12 }), (chunks) => {
        const [whole, stopped] = [make(), make()]
        for (const { parts, ms } of chunks) {
          whole.write(parts.join(''))
          for (const piece of parts.join('').split(new RegExp(`(?<=${ESC}\\[\\?2026l)`))) stopped.write(piece)
          for (const { clock } of [whole, stopped]) clock.pass(ms)
        }
        for (const { clock } of [whole, stopped]) clock.pass(1000)
        expect(whole.frames.map(looks)).toEqual(stopped.frames.map(looks))
      }),
      { numRuns: 400 },
    )
  })

  test('an update that ends while the cursor is hidden does not begin the drawing anew', () => {
    const { clock, frames, write } = make()
    write('a')
    clock.pass(40)
    const began = clock.now()
    write(`${ESC}[?25lb`)
    for (const text of ['c', 'd']) {
      clock.pass(20)
      write(`${SYNC}${text}${END}`)
    }
    clock.pass(100)
    expect(frames[1]?.at).toBe(began + 50)
  })

  test('changed rows: those that were drawn; all of them after an erase, a buffer switch, a reset, a resize', () => {
    const { clock, frames, screen, write } = make()
    write('a\r\nb\r\nc')
    const changed = (text: string): readonly number[] | undefined => {
      clock.pass(50)
      write(text)
      return frames.at(-1)?.changedRows
    }
    const all = [0, 1, 2, 3, 4, 5]
    expect(frames[0]?.changedRows).toEqual(all)
    expect(changed(`${ESC}[2;1HB`)).toEqual([0, 1, 2].slice(1, 3))
    expect(changed(`${ESC}[5;1Hx`)?.includes(0)).toBe(false)
    for (const text of [`${ESC}[2J`, `${ESC}[J`, `${ESC}[?1049h`, `${ESC}[?1049l`, `${ESC}c`])
      expect(changed(text)).toEqual(all)
    clock.pass(50)
    screen.resize(30, 4)
    expect(frames.at(-1)?.changedRows).toEqual([0, 1, 2, 3])
    expect(frames.at(-1)?.cols).toBe(30)
  })

  test('a frame stays what it was', () => {
    const { clock, frames, write } = make()
    write(`${'x'.repeat(25)}\r\nsecond`)
    clock.pass(50)
    write(`${ESC}[2J${ESC}[Hnew`)
    expect(frames[0]?.lines()).toEqual([
      { row: 0, rows: 2, text: 'x'.repeat(25), cut: false },
      { row: 2, rows: 1, text: 'second', cut: false },
      { row: 3, rows: 1, text: '', cut: false },
      { row: 4, rows: 1, text: '', cut: false },
      { row: 5, rows: 1, text: '', cut: false },
    ])
    expect(frames[0]?.wrapped(1)).toBe(true)
    expect(frames[1]?.text(0)).toBe('new')
  })

  test('after dispose nothing is emitted and nothing ticks', () => {
    const { clock, frames, screen, write } = make()
    write('a')
    write('b')
    screen.dispose()
    write('c')
    clock.pass(1000)
    expect(frames).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })
})

/** What programs write, in pieces that touch every way a row can change. */
const number = fc.integer({ min: 0, max: 9 })
const piece = fc.oneof(
  fc.constantFrom(
    '\r\n',
    '\n',
    '\r',
    '\b',
    '\t',
    '猫',
    '🦊',
    'e\u0301',
    `${ESC}7`,
    `${ESC}8`,
    `${ESC}M`,
    `${ESC}D`,
  ),
  fc.constantFrom(
    `${ESC}c`,
    `${ESC}[!p`,
    `${ESC}#8`,
    `${ESC}[?1049h`,
    `${ESC}[?1049l`,
    `${ESC}[?47h`,
    `${ESC}[?47l`,
  ),
  fc.constantFrom(
    `${ESC}[?6h`,
    `${ESC}[?6l`,
    `${ESC}[?7l`,
    `${ESC}[?7h`,
    `${ESC}[4h`,
    `${ESC}[4l`,
    SYNC,
    END,
  ),
  fc.constantFrom(`${ESC}[?25l`, `${ESC}[?25h`, `${ESC}]0;t\x07`, `${ESC}[s`, `${ESC}[u`, `${ESC}[?45h`),
  fc.string({ minLength: 1, maxLength: 30 }),
  fc.tuple(number, number).map(([y, x]) => `${ESC}[${y};${x * 3}H`),
  fc.tuple(number, number).map(([top, bottom]) => `${ESC}[${top};${bottom}r`),
  fc.tuple(number, fc.constantFrom(...'JKLMPSTX@ABCDEFGZbdg')).map(([n, final]) => `${ESC}[${n}${final}`),
  fc.tuple(number, fc.constantFrom('J', 'K')).map(([n, final]) => `${ESC}[?${n}${final}`),
  fc.constantFrom('0', '1', '2', '7', '31', '42', '38;5;99', '38;2;1;2;3').map((n) => `${ESC}[${n}m`),
)
/** A full screen first, so that an erase or a scroll has something to change. */
const filled = Array.from({ length: 6 }, (_, y) => `${ESC}[4${y}mrow ${y} ${'.'.repeat(y)}`).join('\r\n')
const program = fc.array(piece, { minLength: 1, maxLength: 40 }).map((pieces) => [filled, ...pieces])
interface Look {
  readonly text: string
  readonly wrapped: boolean
  readonly styles: readonly CellStyle[]
}
const look = (screen: Screen): Look[] =>
  Array.from({ length: screen.rows }, (_, y) => ({
    text: screen.text(y),
    wrapped: screen.wrapped(y),
    styles: Array.from({ length: screen.cols }, (_, x) => screen.style(x, y)),
  }))

describe('what xterm cannot parse', () => {
  test('erasing up to the last cell of a screen without scrollback', () => {
    const { screen, write } = make()
    write(`${'x'.repeat(30)}${ESC}[6;20H${ESC}[1J${ESC}[Hnext`)
    expect(rowsOf(screen)).toEqual(['next', '', '', '', '', ''])
    expect(screen.faults).toBe(0)
  })

  test('an exception loses no later byte', () => {
    const terminal = new headless.Terminal({ cols: 20, rows: 5, allowProposedApi: true })
    const engine = attachEngine(terminal)
    terminal.parser.registerCsiHandler({ final: 'z' }, () => {
      throw new Error('a bug')
    })
    let parsed = 0
    for (const text of ['a', `b${ESC}[zlost`, 'c', `${ESC}[1mD`])
      engine.write(Buffer.from(text), () => {
        parsed++
      })
    expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe('abcD')
    expect([engine.faults, parsed]).toEqual([1, 4])
  })
})

describe('any program', () => {
  test('a row that is not named as changed has not changed, in text or in style', () => {
    fc.assert(
      fc.property(program, (pieces) => {
        const { screen } = make({ minFrameMs: 0, maxSyncMs: 0 })
        let before: Look[] = []
        let wrong: string | null = null
        screen.onFrame((frame) => {
          const now = look(screen)
          for (let y = 0; y < screen.rows; y++) {
            const { text, styles } = now[y] ?? { text: '', styles: [] }
            if (frame.text(y) !== text) wrong = `frame ${frame.n} row ${y}: ${frame.text(y)} is ${text}`
            if (frame.changedRows.includes(y) || before[y] === undefined) continue
            if (before[y]?.text !== text) wrong = `unmarked text in row ${y}`
            if (JSON.stringify(before[y]?.styles) !== JSON.stringify(styles))
              wrong = `unmarked style in row ${y}`
          }
          before = now
        })
        for (const text of pieces) {
          screen.write(Buffer.from(text))
          if (wrong !== null) throw new Error(`${wrong} after ${JSON.stringify(text)}`)
        }
        expect(screen.faults).toBe(0)
        screen.dispose()
      }),
      { numRuns: 400 },
    )
  })

  test('how the bytes are cut does not matter for the screen that they make', () => {
    fc.assert(
      fc.property(program, fc.array(fc.nat(2000), { maxLength: 30 }), (pieces, cuts) => {
        const bytes = Buffer.from(pieces.join(''))
        const whole = make()
        whole.screen.write(bytes)
        const cut = make()
        const points = [
          0,
          ...cuts.map((point) => point % (bytes.length + 1)).sort((a, b) => a - b),
          bytes.length,
        ]
        for (let i = 1; i < points.length; i++) cut.screen.write(bytes.subarray(points[i - 1], points[i]))
        expect(look(cut.screen)).toEqual(look(whole.screen))
        expect(cut.screen.cursor).toEqual(whole.screen.cursor)
        expect(cut.screen.modes).toEqual(whole.screen.modes)
        whole.screen.dispose()
        cut.screen.dispose()
      }),
      { numRuns: 200 },
    )
  })

  test('the public API alone makes the same screens and the same cursor', async () => {
    await fc.assert(
      fc.asyncProperty(program, async (pieces) => {
        // The one erase that xterm throws on can only be left out here.
        fc.pre(pieces.every((text) => !/\[\??1J/.test(text)))
        const bytes = Buffer.from(pieces.join(''))
        const fast = make()
        fast.screen.write(bytes)
        const slow = make({ minFrameMs: 0, maxSyncMs: 0 }, true)
        slow.screen.write(bytes)
        // A last write of its own tells that all before it is parsed.
        let parsed = slow.frames.length
        slow.screen.write(Buffer.from(`${ESC}]0;end\x07`))
        while (slow.screen.title !== 'end' || parsed === slow.frames.length) {
          await new Promise((resolve) => setImmediate(resolve))
          if (slow.screen.title !== 'end') parsed = -1
        }
        expect(look(slow.screen)).toEqual(look(fast.screen))
        expect(slow.screen.cursor).toEqual(fast.screen.cursor)
        expect(slow.frames.at(-1)?.changedRows).toHaveLength(6)
        fast.screen.dispose()
        slow.screen.dispose()
      }),
      { numRuns: 60 },
    )
  })
})
