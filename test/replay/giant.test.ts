/** A block that never ends: what is kept of it is bounded, and a reader says what it left out. */
import { describe, expect, it } from 'vitest'
import { furniture, type Observation, type VendorReader } from '../../src/adapter/index.js'
import { ReplayClock } from '../../src/session/replay.js'
import { ScreenConversation } from '../../src/session/screen-conversation.js'
import { Screen } from '../../src/terminal/index.js'
import { keptBy } from './fuzz-bounds.js'
import { painterReader } from './painter.js'

const ROWS = 14_000

const reader: VendorReader = {
  ...painterReader,
  read: (screen) => {
    const idle = screen.text(screen.rows - 1) === 'idle'
    return { state: idle ? 'idle' : 'running', rule: 'giant', evidence: [], composer: null, dialog: null }
  },
  grammar: {
    rules: [
      furniture(
        'giant.furniture',
        (row) => row.text === '---',
        (row) => row.text.startsWith('  '),
      ),
      {
        id: 'giant.text',
        starts: (row) => row.text.startsWith('● '),
        continues: (row) => row.text.startsWith('  '),
        item: (rows) => ({
          kind: 'assistant_message',
          text: rows.map((row) => row.text.slice(2)).join('\n'),
        }),
      },
    ],
    transcript: (screen) => ({ top: 0, bottom: screen.rows - 1 }),
  },
}

/** A head, rows under it, another text, and the program rests. */
function driven(head: string) {
  const clock = new ReplayClock()
  const screen = new Screen({ cols: 40, rows: 20, scrollback: 200, clock })
  const seen: Observation[] = []
  const conversation = new ScreenConversation(reader, clock, (observations) => seen.push(...observations))
  screen.onFrame((frame) => conversation.frame(frame))
  let most = 0
  let at = 0
  const write = (text: string) => {
    at += 40
    clock.advance(at)
    screen.write(Buffer.from(text))
  }
  write(head)
  for (let n = 0; n < ROWS; n += 10) {
    write(Array.from({ length: 10 }, (_, m) => `\r\n  row ${n + m}`).join(''))
    if (n % 1000 === 0) most = Math.max(most, keptBy(conversation, new Set([clock, reader])).units)
  }
  write('\r\n● the last words\r\n\x1b[20;1H\r\nidle')
  clock.advance(at + 10_000)
  screen.dispose()
  return { seen, most }
}

const texts = (seen: readonly Observation[]) =>
  seen.flatMap((o) => (o.type === 'text.completed' ? [o.text] : []))

describe('a terminal that is reset after many rows were forgotten', () => {
  it('goes on: what is drawn then is told, and nothing again', () => {
    const clock = new ReplayClock()
    const screen = new Screen({ cols: 40, rows: 20, scrollback: 2000, clock })
    const seen: Observation[] = []
    const conversation = new ScreenConversation(reader, clock, (observations) => seen.push(...observations))
    screen.onFrame((frame) => conversation.frame(frame))
    const count = 300
    for (let n = 0; n < count; n += 1) {
      clock.advance(n * 40)
      screen.write(Buffer.from(`● text ${n}\r\n  goes on\r\n\r\n`))
    }
    screen.write(Buffer.from('\x1b[20;1Hidle'))
    clock.advance(count * 40 + 10_000)
    screen.write(Buffer.from('\x1bc● after the reset\r\n\x1b[20;1Hidle'))
    clock.advance(count * 40 + 20_000)
    const all = Array.from({ length: count }, (_, n) => `text ${n}\ngoes on`)
    expect(texts(seen)).toEqual([...all, 'after the reset'])
    screen.dispose()
  })
})

describe('a block without an end', () => {
  it('of text is told as far as it is kept, with a gap, and what comes after it is told', () => {
    const { seen, most } = driven('● the first words')
    const [long = '', last, ...more] = texts(seen)
    expect(long.startsWith('the first words\nrow 0\nrow 1\n')).toBe(true)
    expect(long.split('\n').length).toBeGreaterThan(4000)
    expect(long).not.toContain(`row ${ROWS - 1}`)
    expect(last).toBe('the last words')
    expect(more).toEqual([])
    expect(seen.filter((o) => o.type === 'gap').map((o) => (o.type === 'gap' ? o.what : ''))).toEqual([
      'screen.text_cut',
    ])
    expect(most).toBeLessThan(400_000)
  })

  it('of furniture keeps a few rows, and tells nothing', () => {
    const { seen, most } = driven('---')
    expect(texts(seen)).toEqual(['the last words'])
    expect(seen.some((o) => o.type === 'gap')).toBe(false)
    expect(most).toBeLessThan(200_000)
  })
})
