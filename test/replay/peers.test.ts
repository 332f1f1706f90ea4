/**
 * What made readers of terminals fail elsewhere, each as a small recording in `peers/`: nothing lost, repeated or
 * invented, and no state that the screen does not show. The class and number name the public report (E: geometry and
 * drawing, C: state) or the row of the table of a screen tracker's failures (T1 to T11).
 *
 * The recordings are what the programs beside this file draw: `PEERS=write npx vitest run test/replay/peers.test.ts`
 * writes them anew.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { readers } from '../../adapters/registry.js'
import type { VendorReader } from '../../src/adapter/index.js'
import { replayAtOnce } from '../../src/session/replay.js'
import { type Cast, readCast, Screen } from '../../src/terminal/index.js'
import { castText } from './cast-text.js'
import { drive, piecesOf } from './drive.js'
import { painterReader } from './painter.js'
import { peerTapes } from './peer-programs.js'
import { stateTapes } from './peer-states.js'
import { flat } from './recorded.js'

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), 'peers')
const tapes = { ...peerTapes, ...stateTapes }

beforeAll(() => {
  if (process.env.PEERS !== 'write') return
  mkdirSync(FOLDER, { recursive: true })
  for (const [name, make] of Object.entries(tapes)) {
    const tape = make()
    writeFileSync(join(FOLDER, `${name}.cast`), castText(tape.list, tape))
  }
})

const open = (name: string): Cast => readCast(readFileSync(join(FOLDER, `${name}.cast`), 'utf8'))

function vendorOf(cast: Cast): VendorReader {
  const id = cast.header.vendor?.id
  return readers.find(({ vendor }) => vendor.id === id) ?? painterReader
}

/** What a recording tells: the items, and the states with the time of each in seconds. */
function seen(name: string) {
  const cast = open(name)
  const { events, explained } = replayAtOnce(cast, vendorOf(cast))
  const items = events.flatMap((e) => {
    if (e.type !== 'item.completed') return []
    const { item } = e
    return [[item.kind, flat(item.kind === 'tool_call' ? `${item.name} ${item.output ?? ''}` : item.text)]]
  })
  const states = events.flatMap((e) => (e.type === 'session.state' ? [e.state] : []))
  const ends = events.flatMap((e) => (e.type === 'turn.completed' ? [{ t: e.t, outcome: e.outcome }] : []))
  return { cast, items, states, ends, reading: explained?.reading }
}

const you = (text: string) => ['user_message', text]
const it_ = (text: string) => ['assistant_message', text]
const call = (text: string) => ['tool_call', text]
const rows = (count: number, row = (n: number) => `row ${n}`) =>
  Array.from({ length: count }, (_, n) => row(n)).join(' ')

it('the recordings are what the programs draw', () => {
  for (const [name, make] of Object.entries(tapes)) {
    const tape = make()
    expect(readFileSync(join(FOLDER, `${name}.cast`), 'utf8'), name).toBe(castText(tape.list, tape))
  }
})

describe.each(['ink', 'alt'] as const)('on the screen that %s draws', (way) => {
  const items = (name: string) => seen(`${name}-${way}`).items

  it('T1: the same reply again is a reply again', () => {
    const ok = it_('OK')
    expect(items('identical-reply')).toEqual([
      you('first'),
      ok,
      you('second'),
      ok,
      you('second'),
      ok,
      you('third'),
      ok,
    ])
  })

  it('T2: a reply that begins with an old line keeps it', () => {
    expect(items('old-first-line')).toEqual([
      ...[you('first'), it_('Done. ``` code ```'), you('second'), it_('Done. ``` other code ``` Done.')],
      ...[you('third'), it_('``` Done.')],
    ])
  })

  it('T3: a header with a cost and a clock makes nothing old new', () => {
    expect(items('header-changes')).toEqual([
      you('first'),
      it_('one two three'),
      you('second'),
      it_('one two four'),
    ])
  })

  it('T4: a header that grows and shrinks puts no old line before the text', () => {
    const all = [you('first'), it_('one two three four five six'), you('second'), it_('one two three')]
    expect(items('header-grows')).toEqual(all)
  })

  it('T5: other sizes repeat nothing', () => {
    const text = rows(14, (n) => `${n} ${'words that wrap somewhere else '.repeat(3).trim()}`)
    expect(items('resize-and-reflow')).toEqual([you('first'), it_(text), you('second'), it_('Fine.')])
  })

  it('T6, C40: text that looks like a prompt, a box or a dialog is text', () => {
    const rule = '─'.repeat(30)
    const text = `> a quote cmd > out + > added ❯ not a prompt ${rule} ❯ ${rule} 1. Yes 2. No (esc) $`
    const { states, ...all } = seen(`looks-like-a-prompt-${way}`)
    expect(all.items).toEqual([you('quote them'), it_(text)])
    expect(states).not.toContain('blocked')
  })

  // Rows that scroll by a period of their own text cannot be counted: there the third row differs.
  it('T2: lines that repeat come through as often as they were written', () => {
    const text = rows(40, (n) => (n % 3 === 0 ? `${n}. same line` : 'same'))
    const run = call('run(x) same same same')
    expect(items('repeated-lines')).toEqual([
      you('again'),
      it_(text),
      run,
      you('again'),
      run,
      it_('same line same same'),
    ])
  })

  it('E91: runs of blank lines part nothing and end nothing', () => {
    expect(items('blank-runs')).toEqual([you('space'), it_('above below end'), you('more'), it_('a b')])
  })

  it('T10, E89: text longer than the screen, twice the same', () => {
    const text = it_(rows(120, (n) => `line ${n}`))
    expect(items('longer-than-the-screen')).toEqual([you('count'), text, you('again'), text])
  })

  it('E88: everything drawn again and again', () => {
    expect(items('repainted-in-blocks')).toEqual([you('first'), it_(rows(30)), you('second'), it_('after')])
  })

  it('T7: a call that is silent for seconds does not end the turn', () => {
    const { items: all, ends } = seen(`silent-tool-${way}`)
    expect(all).toEqual([you('wait'), call('sleep(2) slept'), it_('It slept.')])
    expect(ends).toHaveLength(1)
    expect(ends[0]?.t).toBeGreaterThan(2.7)
  })
})

describe('beside the conversation', () => {
  it.each(['animated-footer', 'animated-header'])(
    'T7, C41: what never stands still settles all the same (%s)',
    (name) => {
      const { items, ends } = seen(name)
      expect(items).toEqual([you('first'), it_('Settled.')])
      expect(ends.map(({ outcome }) => outcome)).toEqual(['completed'])
      // The animation goes on to the seventh second.
      expect(ends[0]?.t).toBeLessThan(3)
    },
  )

  it('T3: a toast over the text is no text', () => {
    expect(seen('toast').items).toEqual([you('first'), it_(rows(30)), you('second'), it_('after')])
  })

  it('T3: the prompt that stays at the top is not asked again', () => {
    expect(seen('sticky-header').items).toEqual([you('count'), it_(rows(46))])
  })

  it('T10: a person scrolls back and forth', () => {
    expect(seen('scroll-back').items).toEqual([you('count'), it_(rows(60))])
  })

  it('E89, T10: a pager or an editor on the alternate screen', () => {
    expect(seen('pager').items).toEqual([you('first'), it_('Before.'), you('second'), it_('After.')])
  })

  it('T10: after a clear the same again is new', () => {
    expect(seen('clear').items).toEqual([you('first'), it_(rows(40)), you('first'), it_(rows(3))])
  })

  it('E91: drawn anew after a lost connection', () => {
    const all = [you('first'), it_(rows(30)), call('run(x) out'), you('second'), it_('After.')]
    expect(seen('reconnect').items).toEqual(all)
  })

  it('E91: each edit leaves a copy of the whole above', () => {
    expect(seen('copies-above').items).toEqual([you('count'), it_(rows(40))])
  })
})

describe('widths and sizes', () => {
  const text = '漢字かな | 👩‍👩‍👧‍👦 family | 🇩🇪🇫🇷 flags | 👍🏽 tone | ☀️ sun | é́ marks | ⏺ dot | …—“”› |'

  it('E83, E84, E85: wide characters, clusters and marks', () => {
    expect(seen('widths').items).toEqual([you('wide 猫'), it_(text), you('again'), it_(text)])
  })

  it.each([1, 7, 4096])('E79, E82: cut within characters and sequences, every %d bytes', (size) => {
    for (const name of ['widths', 'scroll-back', 'copies-above']) {
      const cast = open(name)
      const whole = piecesOf(cast)
      const cut = whole.flatMap(({ at, bytes = new Uint8Array() }) =>
        Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => ({
          at,
          bytes: bytes.subarray(n * size, n * size + size),
        })),
      )
      const way = { cols: cast.header.cols, rows: cast.header.rows }
      expect(drive(painterReader, cut, way).said).toEqual(drive(painterReader, whole, way).said)
    }
  })

  it('E90: a line that the terminal wraps is one line at every size', () => {
    expect(seen('terminal-wraps').items).toEqual([you('say it'), it_(`${'abcdefghi '.repeat(30)}end`)])
  })

  it('E76: a layout that stays small in a large window', () => {
    expect(seen('clipped-layout').items).toEqual([
      you('first'),
      it_('Small.'),
      you('second'),
      it_('Still small.'),
    ])
  })

  it('E75: a window of no size', () => {
    expect(seen('no-size').items).toEqual([you('first'), it_('Seen.'), you('second'), it_('Seen too.')])
  })

  it('E77, E78: without its glyphs a screen is unknown, and nothing is guessed', () => {
    const { items, states } = seen('no-glyphs')
    expect([items, states]).toEqual([[], ['unknown']])
  })

  it('E86: a screen that does not wrap is drawn again as it is', () => {
    const make = () => new Screen({ cols: 20, rows: 5, minFrameMs: 0 })
    const [from, to] = [make(), make()]
    from.write(Buffer.from(`\x1b[?7l${'x'.repeat(40)}\r\nend\x1b[?7h\r\n${'y'.repeat(25)}`))
    to.write(Buffer.from(from.serialize()))
    expect(to.lines()).toEqual(from.lines())
    expect(to.cursor).toEqual(from.cursor)
  })
})

describe('states', () => {
  it.each([
    ['C37', 'spinner-alone', ['running', 'idle']],
    ['C38', 'background-hint', ['running']],
    ['C40', 'numbers-in-text', ['idle']],
    ['C41', 'stale-spinner', ['running', 'idle']],
    ['C42', 'allow-or-deny', ['blocked']],
    ['C48', 'custom-status-line', ['running', 'idle']],
    ['C49', 'spinner-and-dialog', ['blocked']],
    ['C50', 'error-then-prompt', ['running', 'idle']],
    ['C51', 'quoted-limit', ['idle']],
    ['C53', 'box-pushed-up', ['idle']],
    ['C47', 'rule-as-spinner', ['running']],
  ])('%s: %s', (_, name, states) => {
    const told = seen(name).states
    expect(told.filter((state, n) => state !== told[n - 1])).toEqual(states)
  })

  it.each([
    ['C43', 'plan-question'],
    ['C59', 'theme-picker'],
  ])('%s: %s waits for a person, or is unknown', (_, name) => {
    const { items, states } = seen(name)
    expect(states).not.toContain('idle')
    expect(states).not.toContain('running')
    expect(items).toEqual([])
  })

  it('C50: an error is told before the prompt is drawn again', () => {
    const { items, ends } = seen('error-then-prompt')
    expect(items.map(([kind]) => kind)).toEqual(['user_message', 'notice'])
    expect(ends.map(({ outcome }) => outcome)).toEqual(['failed'])
  })

  it('C51: an error that is quoted is text', () => {
    const { items, ends } = seen('quoted-limit')
    expect(items.map(([kind]) => kind)).toEqual(['user_message', 'assistant_message'])
    expect(ends.map(({ outcome }) => outcome)).toEqual(['completed'])
  })

  it('C60: a draft in the box is no message', () => {
    expect(seen('draft-in-the-box').items).toEqual([you('do it'), it_('I do it.'), it_('Done.')])
    expect(seen('draft-in-the-box').reading?.composer?.text).toBe('')
  })
})
