/** What is read of OpenCode's screens where they are narrow, of another size than they were drawn for, or half painted. */
import { describe, expect, it } from 'vitest'
import { reader } from '../../adapters/opencode/index.js'
import { quietFor } from '../../adapters/opencode/late.js'
import { findComposer } from '../../adapters/opencode/layout.js'
import { isWhole } from '../../adapters/opencode/shell.js'
import { type ScreenView, TranscriptReader } from '../../src/adapter/index.js'
import { screenOf } from '../support/screen-rows.js'
import {
  AGENT,
  BUSY,
  bar,
  blank,
  block,
  INPUT,
  MUTED,
  PAGE,
  panel,
  permission,
  piece,
  say,
  screen,
  TEXT,
} from './opencode-painter.js'

function items(...screens: ScreenView[]): unknown[] {
  const transcript = new TranscriptReader(reader.grammar)
  const seen = screens.flatMap((s) => [...transcript.frame(s, reader.read(s))])
  return [...seen, ...transcript.settle()].flatMap((o) => {
    if (o.type === 'user.message' || o.type === 'text.completed') return [o.text]
    if (o.type === 'tool.started') return [o.input]
    return o.type === 'tool.completed' ? [`${o.status}: ${o.output}`] : []
  })
}

/** Rows, the box drawn for a width, and the footer, on a page of `cols` columns. */
function page(cols: number, rows: readonly string[], footer: readonly string[], drawnFor = cols): ScreenView {
  const empty = Array.from({ length: 20 }, () => piece(' '.repeat(cols), TEXT)).join('\n')
  const edge = piece('  ', TEXT) + piece('╹', AGENT) + piece('▀'.repeat(drawnFor - 5), INPUT)
  const input = [...Array.from({ length: 4 }, () => bar(AGENT, '', TEXT, INPUT)), edge]
  return screenOf(`${empty}\x1b[H${[...rows, ...input, ...footer].join('\n')}`, {
    ...{ cols, rows: 20, alternate: true },
  })
}
const text = (said: string, fg = TEXT) => piece('     ', TEXT) + piece(said, fg)
const prompt = ['', ...block(AGENT, ['go']), '']
const NARROW = [
  piece('   /tmp/a-folder-with-a-name-that-is-long/e-'.padEnd(50), MUTED) + piece('ctrl+p', TEXT),
  piece('   work'.padEnd(50), MUTED) + piece('commands', MUTED),
]

describe('opencode on narrow screens', () => {
  it('a hint in two rows tells idle, and the colours', () => {
    const view = page(60, [...prompt, text('$ ls is a command'), ''], NARROW)
    expect(reader.read(view)).toMatchObject({ state: 'idle', rule: 'opencode.footer.idle' })
    expect(items(view)).toEqual(['go', '$ ls is a command'])
    const other = page(60, prompt, [NARROW[0] ?? '', piece('   work'.padEnd(50), MUTED) + piece('x', MUTED)])
    expect(reader.read(other).state).toBe('unknown')
  })

  it('the first screen is no conversation, wherever its box stands', () => {
    const version = ['', piece('  /tmp/work      1.18.33', MUTED)]
    const view = page(60, ['', text('█▀▀█ █▀▀█'), ''], [...NARROW, ...version])
    expect(reader.read(view).state).toBe('idle')
    expect(reader.grammar.transcript(view, reader.read(view))).toBeNull()
  })

  it('cells of the old width beside what is drawn are no part of it', () => {
    const stale = `${text('Done.')}\x1b[63Hat of their own`
    const view = page(100, [...prompt, stale.replace('\x1b[63H', '\x1b[63G'), ''], NARROW, 60)
    expect(items(view)).toEqual(['go', 'Done.'])
  })

  it('rows that a narrower screen has cut are not read', () => {
    const view = page(60, [...prompt, text('Done, and the rest of it is cut')], NARROW, 63)
    expect(reader.grammar.transcript(view, reader.read(view))).toBeNull()
  })
})

describe('opencode wraps', () => {
  const said = (...rows: string[]) =>
    items(screen([blank, ...block(AGENT, ['go']), blank, ...rows.map((row) => say(row))]))[1]

  it('a word needs room for the blank behind it', () => {
    // 73 columns of text: `to ` would end one behind the edge.
    const row = 'A sentence that is longer than the eighty columns of this terminal has'
    expect(said(row, 'to be broken somewhere.')).toBe(`${row} to be broken somewhere.`)
    expect(said(row, 'to')).toBe(`${row}\nto`)
  })

  it('a file name is broken behind its mark, without a blank; a sentence has one', () => {
    const row = `${'word '.repeat(13)}notes.`
    expect(said(row, 'txt has it all, they say')).toBe(`${row}txt has it all, they say`)
    expect(said(row, 'They say so.')).toBe(`${row} They say so.`)
    expect(said(`${'word '.repeat(13)}e.g.`, 'something else')).toBe(
      `${'word '.repeat(13)}e.g. something else`,
    )
  })
})

describe('opencode commands of several lines', () => {
  it('keep their blank lines and are one call', () => {
    const head = [blank, ...block(AGENT, ['go']), blank]
    const lines = ['cat <<EOT', 'one', '', '  two', 'EOT']
    const waiting = lines.map((row, n) => (row === '' ? blank : say(`${n === 0 ? '$ ' : '  '}${row}`, MUTED)))
    const runs = lines.map((row, n) => (row === '' ? '' : `${n === 0 ? '⠧ ' : '  '}${row}`))
    const done = lines.map((row, n) => (n === 0 ? `$ ${row}` : row))
    const command = lines.join('\n')
    const screens = [
      screen([...head, ...waiting], { below: BUSY }),
      screen([...head, ...block(PAGE, runs)], { below: BUSY }),
      screen([...head, ...block(PAGE, [...done, '', 'one', '', '  two'])]),
    ]
    expect(items(...screens.flatMap((s) => [s, s]))).toEqual(['go', { command }, 'completed: one\n\n  two'])
    for (const one of screens) expect(items(one)[1]).toEqual({ command })
  })

  it.each([
    ['ls', true],
    ['echo "a', false],
    ["git commit -m 'one\n\ntwo'", true],
    ["echo 'it", false],
    ['echo it\\"s', true],
    ['cat <<EOT\na\n', false],
    ['cat <<EOT\na\nEOT', true],
    ["cat <<-'A' <<B\n\tA\n\nB", true],
    ['cat <<A <<B\nA\n', false],
    ['cat <<< word', true],
    ['cat <<EOT\nit\'s "open\nEOT\nls', true],
  ])('%j is whole: %s', (command, whole) => {
    expect(isWhole(command)).toBe(whole)
  })
})

describe('opencode on eighty columns', () => {
  it('a permission is one though the edge cuts the words beside its buttons', () => {
    for (const rest of [' con', ''])
      expect(reader.read(panel(permission().map((row) => row.replace(' confirm', rest))))).toMatchObject({
        state: 'blocked',
        dialog: { kind: 'permission', options: [{ label: 'Allow once' }, { label: 'Reject' }] },
      })
    const other = permission().map((row) => row.replace(' confirm', ' of it'))
    expect(reader.read(panel(other)).state).toBe('unknown')
  })

  it('a call with a folded output is stopped by the interrupt below it, and by nothing else', () => {
    const head = [blank, ...block(AGENT, ['go']), blank]
    const call = [...block(PAGE, ['$ seq 99', '', '1', '2', '…', '', 'Click to expand']), blank]
    const end = (how: string) => screen([...head, ...call, say(`▣  Build · X · ${how}`, MUTED)])
    expect(items(end('interrupted'))).toEqual(['go', { command: 'seq 99' }, 'interrupted: 1\n2\n…'])
    expect(items(end('3.0s'))).toEqual(['go', { command: 'seq 99' }, 'completed: 1\n2\n…'])
    const answered = screen([...head, ...call, say('So'), blank, say('▣  Build · X · interrupted', MUTED)])
    expect(items(answered)).toEqual(['go', { command: 'seq 99' }, 'completed: 1\n2\n…', 'So'])
  })
})

describe('opencode paints late', () => {
  const quiet = (...rows: string[]) => {
    const view = screen([blank, ...block(AGENT, ['go']), ...rows, say('▣  Build · X · 1.0s', AGENT)])
    const composer = findComposer(view)
    return composer && quietFor(view, composer)
  }

  it('a whole answer needs less quiet than one with holes or a torn end', () => {
    const usual = quiet(blank, say('Done.'), blank)
    expect(usual).toBeLessThan(2000)
    expect(quiet(blank, say('- one'), say('- two'), blank)).toBe(usual)
    expect(quiet(blank, say('│ quoted'), blank, say('Done.'), blank)).toBe(usual)
    for (const rows of [
      [blank, blank, blank],
      [blank, say('│'), blank, say('Done.'), blank],
      [blank, say('- one'), say('-'), blank],
      [blank, say('- A sentence that is longer than the eighty columns of this t'), blank],
    ])
      expect(quiet(...rows), rows.join()).toBeGreaterThan(usual ?? 0)
  })
})

describe('opencode rows', () => {
  it('are the same objects while nothing changed', () => {
    const view = screen([blank, ...block(AGENT, ['go']), blank, say('Done.')])
    const rows = () => {
      const region = reader.grammar.transcript(view, reader.read(view))
      return region?.row ? Array.from({ length: region.bottom }, (_, y) => region.row?.(y)) : []
    }
    const [first, second] = [rows(), rows()]
    expect(first.length).toBeGreaterThan(4)
    first.forEach((row, y) => {
      expect(row).toBe(second[y])
    })
  })
})
