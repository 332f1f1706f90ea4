/** What is read of OpenCode's screens: states, panels, the composer, blocks, and texts that only look like them. */
import { describe, expect, it } from 'vitest'
import { reader } from '../../adapters/opencode/index.js'
import { type Observation, type ScreenView, TranscriptReader } from '../../src/adapter/index.js'
import { screenOf } from '../support/screen-rows.js'
import {
  AGENT,
  BUSY,
  bar,
  blank,
  block,
  box,
  MUTED,
  ORANGE,
  PAGE,
  PANEL,
  panel,
  permission,
  piece,
  RED,
  say,
  screen,
  TEXT,
  WIDE,
} from './opencode-painter.js'

/** What a reader tells of these screens and of the quiet after them. */
function told(...screens: ScreenView[]): Observation[] {
  const transcript = new TranscriptReader(reader.grammar)
  const seen = screens.flatMap((s) => [...transcript.frame(s, reader.read(s))])
  return [...seen, ...transcript.settle()]
}
const items = (...screens: ScreenView[]) =>
  told(...screens).flatMap((o) => {
    if (o.type === 'user.message' || o.type === 'text.completed') return [o.text]
    if (o.type === 'notice') return [`${o.level}: ${o.text}`]
    return o.type === 'tool.completed' ? [`${o.status}: ${o.output}`] : []
  })

describe('opencode screens', () => {
  it('the footer tells idle and running, nothing else does', () => {
    expect(reader.read(screen([]))).toMatchObject({ state: 'idle', rule: 'opencode.footer.idle' })
    expect(reader.read(screen([], { below: BUSY }))).toMatchObject({ state: 'running' })
    expect(reader.read(screen([], { below: '⬝■ slow down [retrying attempt #1]' }))).toMatchObject({
      state: 'running',
    })
    expect(reader.read(screenOf('x', { cols: WIDE, rows: 30 }))).toMatchObject({
      state: 'unknown',
      composer: null,
    })
    // The same words within the conversation.
    expect(reader.read(screen([blank, say(BUSY)]))).toMatchObject({ state: 'idle' })
  })

  it('a draft is text, the placeholder is not', () => {
    expect(reader.read(screen([], { input: box('fix it') })).composer).toEqual({
      text: 'fix it',
      ghost: null,
    })
    const empty = reader.read(screen([], { input: box('Ask anything… "x"', MUTED) }))
    expect(empty.composer).toEqual({ text: '', ghost: 'Ask anything… "x"' })
  })

  it('a permission blocks; the selected button is known by its background', () => {
    const reading = reader.read(panel(permission()))
    expect(reading).toMatchObject({ state: 'blocked', composer: null })
    expect(reading.dialog).toMatchObject({
      kind: 'permission',
      title: 'Permission required: $ rm -r x',
      options: [
        { key: '1', label: 'Allow once', selected: true },
        { key: '2', label: 'Reject', selected: false },
      ],
    })
    const other = reader.read(panel(permission('Reject'))).dialog
    expect(other?.options[1]?.selected).toBe(true)
    expect(other?.fingerprint).toBe(reading.dialog?.fingerprint)
  })

  it('a question blocks', () => {
    const P = '9d7cd8'
    const rows = [
      '',
      'Which?',
      '',
      '1. Red',
      '   warm',
      '2. Blue',
      '',
      '↑↓ select  enter submit  esc dismiss',
      '',
    ]
    expect(reader.read(panel(rows.map((text) => bar(P, text))))).toMatchObject({
      state: 'blocked',
      dialog: { kind: 'question', title: 'Which?', options: [{ label: 'Red' }, { label: 'Blue' }] },
    })
  })

  it('a panel that an answer only quotes is none', () => {
    const quoted = [
      '┃  △ Permission required',
      '┃  $ rm -r x',
      '┃   Allow once   Reject   ⇆ select  enter confirm',
    ]
    const view = screen([blank, ...block(AGENT, ['show']), blank, ...quoted.map((t) => say(t)), blank])
    expect(reader.read(view)).toMatchObject({ state: 'idle', dialog: null })
    expect(items(view)).toEqual(['show', quoted.join('\n')])
  })
})

describe('opencode transcript', () => {
  it('prompt, thought, answer, call and its output', () => {
    const view = screen([
      blank,
      ...block(AGENT, ['first', 'second']),
      blank,
      say('+ Thought: 536ms', ORANGE),
      blank,
      say('I will look.'),
      blank,
      ...block(PAGE, ['$ ls', '', 'a.py', 'b.py']).map((row, n) => (n === 2 ? bar(PAGE) : row)),
      blank,
      say('→ Read a.py [limit=3]', MUTED),
      blank,
      say('Done.'),
      blank,
      say('▣  Build · Mock Model · 3.0s', AGENT),
    ])
    expect(items(view)).toEqual([
      'first\nsecond',
      'Thought: 536ms',
      'I will look.',
      'completed: a.py\nb.py',
      'completed: ',
      'Done.',
    ])
  })

  it('calls are known by their colour, not by their words', () => {
    const rows = [
      blank,
      ...block(AGENT, ['go']),
      blank,
      say('$ ls'),
      say('→ Read a.py'),
      say('▣  Build · X · 1.0s'),
    ]
    expect(items(screen(rows))).toEqual(['go', '$ ls\n→ Read a.py\n▣  Build · X · 1.0s'])
  })

  it('a call that was refused is struck through, a failed one has a colour of its own', () => {
    const rows = [
      blank,
      ...block(AGENT, ['go']),
      blank,
      say('$ ls', MUTED, '\x1b[9m'),
      say('→ Read none.txt', RED),
      say('✱ Glob "*.py"', MUTED),
    ]
    expect(items(screen(rows))).toEqual(['go', 'denied: ', 'failed: ', 'completed: '])
  })

  it('an error is muted beside its bar, and ends the turn as failed', () => {
    const view = screen([blank, ...block(AGENT, ['go']), blank, ...block(RED, ['bad request'], MUTED)])
    expect(items(view)).toEqual(['go', 'error: bad request'])
    const end = told(screen([blank], { below: BUSY }), view).findLast((o) => o.type === 'turn.ended')
    expect(end).toMatchObject({ outcome: 'failed' })
  })

  it('what waits in the queue is not told yet', () => {
    const badge =
      piece('  ', TEXT) + piece('┃', AGENT, PANEL) + piece('  ', TEXT, PANEL) + piece(' QUEUED ', PAGE, AGENT)
    const queued = [bar(AGENT), bar(AGENT, 'later'), badge, bar(AGENT)]
    const rows = [
      blank,
      ...block(AGENT, ['now']),
      blank,
      say('half'),
      blank,
      say('▣  Build · X', AGENT),
      blank,
      ...queued,
    ]
    expect(items(screen(rows, { below: BUSY }), screen(rows))).toEqual(['now', 'half'])
  })

  it('a toast over the conversation is no part of it', () => {
    const toast = (text: string) =>
      piece('┃', RED, PANEL) + piece(`  ${text}  `, TEXT, PANEL) + piece('┃', RED, PANEL)
    const over = (row: string, text: string) => `${row}\x1b[61G${toast(text)}`
    const said = [blank, ...block(AGENT, ['go'])]
    const covered = said.map((row, n) => (n > 0 ? over(row, n === 2 ? 'bad request' : '           ') : row))
    expect(items(screen([...covered, blank, say('ok')]))).toEqual(['go', 'ok'])
  })

  it('an interrupt is told by the footer', () => {
    const rows = [
      blank,
      ...block(AGENT, ['go']),
      blank,
      say('part'),
      blank,
      say('▣  Build · X · interrupted', MUTED),
    ]
    const all = told(screen([blank], { below: BUSY }), screen(rows))
    expect(all.find((o) => o.type === 'turn.ended')).toMatchObject({ outcome: 'interrupted' })
  })

  it('a thought that is opened later is no second item and no answer', () => {
    const head = [blank, ...block(AGENT, ['go']), blank]
    const tail = [blank, say('So it is.'), blank, say('▣  Build · X · 1.0s', AGENT)]
    const folded = screen([...head, say('+ Thought: 5ms', ORANGE), ...tail])
    const open = screen([
      ...head,
      say('Thought: 5ms', '97682c'),
      blank,
      say('Hm, let me see.', '939393'),
      ...tail,
    ])
    expect(items(folded, folded, open)).toEqual(['go', 'Thought: 5ms', 'So it is.'])
    expect(items(open)).toEqual(['go', 'Hm, let me see.', 'So it is.'])
  })

  it('a call that runs is told once, with the output that came later', () => {
    const head = [blank, ...block(AGENT, ['go']), blank]
    const running = screen([...head, say('$ ls', MUTED)], { below: BUSY })
    const started = screen([...head, ...block(PAGE, ['⠧ ls'])], { below: BUSY })
    const done = screen([...head, bar(PAGE), bar(PAGE, '$ ls'), bar(PAGE), bar(PAGE, 'a.py'), bar(PAGE)])
    expect(items(running, started, done)).toEqual(['go', 'completed: a.py'])
  })
})
