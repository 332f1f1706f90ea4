/** What a screen tells beside its rows, and how wide programs think that characters are. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Frame, Screen } from '../../src/terminal/index.js'

const ESC = '\x1b'

function make(cols = 40) {
  const screen = new Screen({
    cols,
    rows: 6,
    minFrameMs: 0,
    clock: { now: () => 0, after: () => ({ dispose() {} }) },
  })
  const frames: Frame[] = []
  screen.onFrame((frame) => frames.push(frame))
  const write = (text: string) => screen.write(Buffer.from(text))
  const signals = () => frames.at(-1)?.signals
  return { screen, write, signals, frames }
}

describe('signals', () => {
  it('nothing was said at first', () => {
    const { write, signals } = make()
    write('x')
    expect(signals()).toEqual({ progress: null, status: null, notification: null, bells: 0 })
  })

  it('OSC 9;4 is progress, any other OSC 9 and 777 a notification', () => {
    const { write, signals } = make()
    write(`${ESC}]9;4;1;40\x07`)
    expect(signals()?.progress).toEqual({ state: 1, value: 40 })
    write(`${ESC}]9;4;3${ESC}\\`)
    expect(signals()?.progress).toEqual({ state: 3, value: null })
    write(`${ESC}]9;4;0;\x07`)
    expect(signals()?.progress).toEqual({ state: 0, value: null })
    expect(signals()?.notification).toBeNull()
    write(`${ESC}]9;Agent needs you\x07`)
    expect(signals()?.notification).toBe('Agent needs you')
    write(`${ESC}]777;notify;Title;Body\x07`)
    expect(signals()?.notification).toBe('notify;Title;Body')
    expect(signals()?.progress).toEqual({ state: 0, value: null })
  })

  it('OSC 7501 is the status as sent', () => {
    const { write, signals } = make()
    write(`${ESC}]7501;state=working:app=codex${ESC}\\`)
    expect(signals()?.status).toBe('state=working:app=codex')
  })

  it('counts bells, but not those that end a sequence', () => {
    const { write, signals } = make()
    write(`\x07a\x07${ESC}]0;title\x07`)
    expect(signals()?.bells).toBe(2)
  })

  it('is bounded, and a frame keeps what it told', () => {
    const { write, signals, frames } = make()
    write(`${ESC}]9;${'x'.repeat(5000)}\x07`)
    expect(signals()?.notification).toHaveLength(500)
    const before = frames.at(-1)
    write(`${ESC}]7501;state=idle\x07`)
    expect(before?.signals.status).toBeNull()
  })

  it('draws nothing', () => {
    const { screen, write } = make()
    write(`a${ESC}]9;4;3\x07${ESC}]777;notify;x;y\x07${ESC}]7501;state=idle\x07\x07b`)
    expect(screen.text(0)).toBe('ab')
  })
})

const CLUSTERS: readonly (readonly [name: string, text: string, width: number])[] = [
  ['ASCII', 'a', 1],
  ['an accent of its own', 'e\u0301', 1],
  ['two accents', 'o\u0302\u0323', 1],
  ['CJK', '漢', 2],
  ['an emoji', '🦊', 2],
  ['a family', '👨\u200d👩\u200d👧\u200d👦', 2],
  ['a profession with a tone', '👩🏽\u200d💻', 2],
  ['a skin tone', '👍🏽', 2],
  ['a flag', '🇩🇪', 2],
  ['a heart as emoji', '❤\ufe0f', 2],
  ['a heart as text', '❤', 1],
  ['a sun as emoji', '☀\ufe0f', 2],
  ['a pirate flag', '🏴\u200d☠\ufe0f', 2],
  ['a Hangul syllable', '한', 2],
]

describe('clusters', () => {
  it.each(CLUSTERS)('%s: %s', (_, text, width) => {
    const { screen, write } = make()
    write(`${text}|`)
    expect(screen.text(0)).toBe(`${text}|`)
    expect(screen.cursor.x).toBe(width + 1)
  })

  it('two flags are two, and an odd half stands alone', () => {
    const { screen, write } = make()
    write('🇩🇪🇫🇷|')
    expect([screen.text(0), screen.cursor.x]).toEqual(['🇩🇪🇫🇷|', 5])
  })

  it('a joiner joins pictures only', () => {
    const { screen, write } = make()
    write('a\u200db|')
    expect(screen.text(0).replaceAll('\u200d', '')).toBe('ab|')
    expect(screen.cursor.x).toBe(3)
  })

  it('writing over the first half leaves no second half', () => {
    const { screen, write } = make()
    write(`👨\u200d👩\u200d👧|${ESC}[1Gx`)
    expect(screen.text(0)).toBe('x |')
  })

  it('a cluster does not fit into the last column', () => {
    const { screen, write } = make(5)
    write('abcd👍🏽|')
    expect([screen.text(0), screen.text(1)]).toEqual(['abcd', '👍🏽|'])
  })

  it('columns of a row follow the widths, in whatever order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...CLUSTERS), { minLength: 1, maxLength: 12 }), (list) => {
        const { write, frames } = make()
        // A mark between, so that neighbours do not join.
        write(list.map(([, text]) => `${text}|`).join(''))
        const row = frames.at(-1)?.row(0)
        let index = 0
        let column = 0
        for (const [, text, width] of list) {
          expect(row?.column(index)).toBe(column)
          index += text.length
          column += width
          expect(row?.column(index)).toBe(column)
          index += 1
          column += 1
        }
      }),
    )
  })

  it('how a cluster is cut between writes does not matter', () => {
    for (const [name, text, width] of CLUSTERS) {
      const bytes = Buffer.from(`${text}|`)
      for (let cut = 1; cut < bytes.length; cut += 1) {
        const { screen } = make()
        screen.write(bytes.subarray(0, cut))
        screen.write(bytes.subarray(cut))
        expect([screen.text(0), screen.cursor.x], `${name}, cut at ${cut}`).toEqual([`${text}|`, width + 1])
      }
    }
  })
})
