/**
 * Whatever bytes come: no crash, no loop without end, bounded memory, and nothing told twice. Some thousand strings; the
 * whole million by `npm run fuzz`.
 */
import headless from '@xterm/headless'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ReplayClock } from '../../src/session/replay.js'
import { ScreenConversation } from '../../src/session/screen-conversation.js'
import { Screen } from '../../src/terminal/index.js'
import { attachEngine } from '../../src/terminal/xterm-internals.js'
import { fuzzCorpus, fuzzSession, KEPT } from './fuzz.js'
import { keptBy, Steps } from './fuzz-bounds.js'
import { painterReader } from './painter.js'

const steps = new Steps()
let watched = { dispose: () => {} }
beforeAll(() => {
  watched = steps.watchEmulators()
})
afterAll(() => watched.dispose())

const corpus = fuzzCorpus(2)

describe('random and mutated bytes', () => {
  it.each([1, 2, 3, 4, 5, 6])('sessions %d00 to %d19', (hundred) => {
    const problems: string[] = []
    for (let n = 0; n < 20; n += 1) problems.push(...fuzzSession(hundred * 100 + n, corpus, steps).problems)
    expect(problems).toEqual([])
  })
})

describe('one sequence', () => {
  const finals = [...'ABCDEFGHIJKLMPSTXZ@`abdeghlmpr', ' @', ' A', "'}", "'~", '^']
  it.each(finals)('CSI 2147483647 %s ends', (end) => {
    const screen = new Screen({ cols: 80, rows: 24 })
    screen.write(Buffer.from('text'))
    steps.start(100_000)
    screen.write(Buffer.from(`\x1b[2147483647${end}`))
    steps.start(Number.POSITIVE_INFINITY)
    screen.write(Buffer.from('\x1b[m\x1b[4l\x1b[r\x1b[H\x1b[2Jstill here'))
    expect(screen.faults).toBe(0)
    expect(screen.text(0)).toBe('still here')
    screen.dispose()
  })

  it('links do not pile up', () => {
    const terminal = new headless.Terminal({ cols: 20, rows: 4, allowProposedApi: true })
    const engine = attachEngine(terminal)
    const link = (n: number) => `\x1b[H\x1b]8;;http://host/${n}\x07a\x1b]8;;\x07`
    engine.write(
      Buffer.from(`\x1b[?1049h${Array.from({ length: 500 }, (_, n) => link(n)).join('')}`),
      () => {},
    )
    const links = (
      terminal as unknown as { _core: { _oscLinkService: { _dataByLinkId: Map<number, unknown> } } }
    )._core
    expect(links._oscLinkService._dataByLinkId.size).toBeLessThan(5)
    expect(terminal.buffer.active.getLine(0)?.translateToString(true)).toBe('a')
    terminal.dispose()
  })

  it('combining characters do not pile up in one cell', () => {
    const screen = new Screen({ cols: 20, rows: 4 })
    screen.write(Buffer.from(`x${'\u0301'.repeat(5000)}`))
    expect(screen.text(0).length).toBeLessThan(1000)
    screen.dispose()
  })
})

describe('a program that never stops', () => {
  const RULE = '─'.repeat(80)
  const box = `${RULE}\r\n❯ \r\n${RULE}\r\n  esc to interrupt`
  const rows = {
    'short turns': (n: number) => `${n % 2 ? `● answer ${n}` : `❯ ask ${n}`}\r\n\r\n`,
    'one text': (n: number) => `${n === 0 ? '●' : ' '} line ${n}\r\n`,
    'one call': (n: number) => `${n === 0 ? '◇ run()' : `  ⎿ line ${n}`}\r\n`,
    'rows that nobody knows': (n: number) => `row ${n}\r\n`,
  }
  it.each(Object.entries(rows))('%s: what is kept is bounded', (_, row) => {
    const clock = new ReplayClock()
    const screen = new Screen({ cols: 80, rows: 24, clock, scrollback: 200 })
    const reader = new ScreenConversation(painterReader, clock, () => {})
    screen.onFrame((frame) => reader.frame(frame))
    screen.write(Buffer.from(`\x1b]0;busy\x07❯ go\r\n\r\n${box}`))
    for (let n = 0; n < 6000; n += 10) {
      const more = Array.from({ length: 10 }, (__, k) => row(n + k)).join('')
      screen.write(Buffer.from(`\x1b[3A\r\x1b[J${more}${box}`))
      clock.advance(clock.now() + 40)
    }
    const kept = keptBy(reader, new Set<unknown>([clock, painterReader]))
    expect(kept.objects).toBeLessThan(KEPT.objects)
    expect(kept.units).toBeLessThan(KEPT.units)
    screen.dispose()
  })
})
