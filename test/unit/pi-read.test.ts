import { describe, expect, it } from 'vitest'
import { grammar } from '../../adapters/pi/grammar.js'
import { read } from '../../adapters/pi/read.js'
import { type ScreenView, TranscriptReader } from '../../src/adapter/index.js'
import { screenOf } from '../support/screen-rows.js'

const COLS = 40
const RULE = '─'.repeat(COLS)
const FOOTER = ['~/work (main)', '0.0%/200k (auto) (mock) m1 • medium']

const screen = (lines: readonly string[], rows = 24, cols = COLS): ScreenView =>
  screenOf(`${lines.join('\n')}\x1b]0;π - work\x07`, { cols, rows })

function busy(label: string): string {
  return `── ⠼ ${label} `.padEnd(COLS, '─')
}

describe('pi read', () => {
  it('calls an empty editor idle only over its footer', () => {
    const bare = read(screen(['', ' hello', '', RULE, '', RULE]))
    expect(bare).toMatchObject({ state: 'unknown', rule: 'pi.composer', composer: { text: '' } })
    const reading = read(screen(['', ' hello', '', RULE, '', RULE, ...FOOTER]))
    expect(reading).toMatchObject({ state: 'idle', rule: 'pi.plain_rule', dialog: null })
    expect(reading.composer).toEqual({ text: '', ghost: null })
    expect(reading.evidence.length).toBeGreaterThan(0)
  })

  it('reads a draft of several lines', () => {
    const reading = read(screen([RULE, 'one', '', 'three; /x 中文 🙂', RULE, ...FOOTER]))
    expect(reading.composer?.text).toBe('one\n\nthree; /x 中文 🙂')
  })

  it('reads the same on the main screen, where rows are left below', () => {
    const reading = read(screen([' answer', '', busy('Working'), 'draft', RULE, ...FOOTER], 40))
    expect(reading).toMatchObject({ state: 'running', composer: { text: 'draft' } })
  })

  it.each(['Working', 'Retrying (2/3) in 4s... (escape to cancel)'])(
    'knows work by its rule: %s',
    (label) => {
      const wide = screen([busy(label).padEnd(60, '─'), '', '─'.repeat(60), ...FOOTER], 24, 60)
      expect(read(wide)).toMatchObject({ state: 'running', rule: 'pi.working_rule' })
    },
  )

  it('takes the lowest rules, not those of the transcript', () => {
    const reading = read(
      screen([' text', ` ${'─'.repeat(20)}`, RULE, ' more', '', RULE, 'typed', RULE, ...FOOTER]),
    )
    expect(reading.composer?.text).toBe('typed')
  })

  it('keeps the command list below the editor out of the text', () => {
    const list = ['→ model       Select model', '  tree        Navigate', '  (1/26)']
    const reading = read(screen([RULE, '/mo', RULE, ...list, ...FOOTER]))
    expect(reading).toMatchObject({ dialog: null, composer: { text: '/mo' } })
  })

  it('knows a scrolled editor', () => {
    const reading = read(screen(['─── ↑ 3 more '.padEnd(COLS, '─'), 'tail', RULE, ...FOOTER]))
    expect(reading.composer?.text).toBe('tail')
  })

  it('reads a list dialog with its options', () => {
    const reading = read(
      screen([
        ' $ rm x',
        RULE,
        '',
        ' Allow bash? {"command":"rm x"}',
        '',
        ' → Allow',
        '   Deny',
        '',
        ' ↑↓ navigate  enter select  escape/ctrl+',
        '',
        RULE,
        ...FOOTER,
      ]),
    )
    expect(reading).toMatchObject({ state: 'blocked', rule: 'pi.dialog', composer: null })
    expect(reading.dialog).toMatchObject({ kind: 'question', title: 'Allow bash? {"command":"rm x"}' })
    expect(reading.dialog?.options).toEqual([
      { key: '1', label: 'Allow', selected: true },
      { key: '2', label: 'Deny', selected: false },
    ])
  })

  it('keeps the fingerprint while the selection moves', () => {
    const dialog = (a: string, b: string) =>
      read(screen([RULE, '', ' Sure?', '', a, b, '', ' ↑↓ navigate  enter select', '', RULE, ...FOOTER]))
        .dialog
    const first = dialog(' → Yes', '   No')
    const second = dialog('   Yes', ' → No')
    expect(second?.options.map((o) => o.selected)).toEqual([false, true])
    expect(second?.fingerprint).toBe(first?.fingerprint)
    expect(dialog(' → Yes', '   Never')?.fingerprint).not.toBe(first?.fingerprint)
  })

  it('knows the trust dialog, the model list and the session tree', () => {
    const trust = [
      RULE,
      '',
      ' Project trust',
      ' /w',
      '',
      ' → Trust',
      '   Never',
      '',
      ' ↑↓ navigate  enter save',
      '',
      RULE,
    ]
    expect(read(screen(trust)).dialog?.kind).toBe('trust')
    const models = [
      ...[
        RULE,
        '',
        'Only showing models from configured',
        '',
        '>',
        '',
        '→ ✓ m1 [mock] · default',
        '    m2 [mock]',
        '',
      ],
      ...['  Enter to select · Escape/Ctrl+C to cancel', RULE, ...FOOTER],
    ]
    expect(read(screen(models))).toMatchObject({ state: 'blocked', composer: null })
    const tree = [
      ...[RULE, '   Session Tree', '  ↑/↓ move · ←/→ page', '  Type to search:', RULE, ''],
      ...['  • user: a', '› • assistant: b', '  (2/2)', '', RULE, ...FOOTER],
    ]
    expect(read(screen(tree))).toMatchObject({ state: 'blocked', composer: null })
  })

  it.each([
    [
      'settings',
      [
        RULE,
        '>',
        '',
        '→ Auto-compact   true',
        '  Images   false',
        '',
        '  Type to search · Esc to cancel',
        RULE,
      ],
    ],
    [
      'resume',
      [RULE, '', 'Resume Session', 'tab scope · re:<pattern> regex', '', '>', '', '› hello   3 now', RULE],
    ],
    [
      'fork',
      [
        '',
        ' Fork from Message',
        ' Select a user message to copy',
        '',
        RULE,
        '',
        '› hello',
        '  Message 1 of 1',
        RULE,
      ],
    ],
    [
      'a question for words',
      [RULE, '', ' Name it', '', '> x', '', ' enter submit  escape/ctrl+c cancel', '', RULE],
    ],
  ])('knows the dialog: %s', (_name, lines) => {
    expect(read(screen([...lines, ...FOOTER]))).toMatchObject({ state: 'blocked', composer: null })
  })

  it('claims nothing about a framed list without a hint', () => {
    const reading = read(screen([RULE, '', ' → one', '   two', '', RULE, ...FOOTER]))
    expect(reading).toMatchObject({ state: 'unknown', rule: 'pi.framed_list', composer: null, dialog: null })
  })

  it('does not take words of a draft for a dialog', () => {
    const reading = read(screen([RULE, 'press enter select', '→ and escape to cancel', RULE, ...FOOTER]))
    expect(reading.dialog).toBeNull()
  })

  it('says unknown with evidence for a screen without rules', () => {
    const reading = read(screen(['Pi needs Node.js >= 22.19']))
    expect(reading).toMatchObject({ state: 'unknown', rule: 'pi.no_rules', composer: null })
    expect(reading.evidence).toEqual(['Pi needs Node.js >= 22.19'])
  })
})

const ink = (color: number, text: string) => `\x1b[38;5;${color}m${text}\x1b[m`
const bold = (color: number, text: string) => `\x1b[1;38;5;${color}m${text}\x1b[m`
const thought = (text: string) => `\x1b[3;38;5;109m${text}\x1b[m`
const box = (text: string) => `\x1b[48;5;23m${text.padEnd(COLS)}\x1b[m`
const prompt = [box(''), box(' Go'), box(''), '']
const call = [box(''), box(' \x1b[1mread\x1b[22m \x1b[38;5;140mnotes.txt'), box(''), '']

/** What a screen tells when the program is idle on it, and then, in the same session, the next ones. */
function told(...screens: readonly (readonly string[])[]): string[][] {
  const reader = new TranscriptReader(grammar)
  const facts = screens.flatMap((lines, n) => {
    const last = n === screens.length - 1
    const foot = [last ? RULE : busy('Working'), '', RULE, ...FOOTER]
    const text = `${[...lines, ...foot].join('\n')}\x1b]0;π - work\x07`
    const view = screenOf(text, { cols: COLS, rows: 40, alternate: true })
    return reader.frame(view, read(view))
  })
  return [...facts, ...reader.settle(true)].flatMap((f) => {
    if (f.type === 'user.message') return [['user', f.text]]
    if (f.type === 'text.completed') return [[f.kind, f.text]]
    return f.type === 'tool.completed' ? [['call', f.status]] : []
  })
}

describe('pi thoughts', () => {
  const shapes = [
    ` ${bold(172, 'A heading')}`,
    '',
    ` ${thought('I weigh it.')}`,
    '',
    ` ${ink(145, '```sh')}`,
    `   ${ink(254, 'cat notes')}`,
    ` ${ink(145, '```')}`,
    '',
    ` ${thought('So be it.')}`,
    '',
  ]
  const said = 'A heading\n\nI weigh it.\n\n```sh\ncat notes\n```\n\nSo be it.'

  it('keep the headings and the code that stand in them', () => {
    expect(told([...prompt, ...shapes, ' Done.', ''])).toEqual([
      ['user', 'Go'],
      ['reasoning', said],
      ['assistant_message', 'Done.'],
    ])
  })

  it('are told once, however they come to be drawn', () => {
    const steps = Array.from({ length: shapes.length }, (_, n) => [...prompt, ...shapes.slice(0, n + 1), ''])
    const all = steps.flatMap((step) => [step, step, step])
    expect(told(...all, [...prompt, ...shapes, ' Done.', ''])).toEqual([
      ['user', 'Go'],
      ['reasoning', said],
      ['assistant_message', 'Done.'],
    ])
  })

  it('begin anew behind a call', () => {
    expect(told([...prompt, ...call, ` ${thought('Short.')}`, '', ' Done.', ''])).toEqual([
      ['user', 'Go'],
      ['call', 'completed'],
      ['reasoning', 'Short.'],
      ['assistant_message', 'Done.'],
    ])
  })

  it('leave an answer its own headings, whatever is slanted in them', () => {
    const heading = ` ${bold(172, 'A ')}\x1b[1;3;38;5;172mslanted\x1b[m${bold(172, ' heading')}`
    const quote = [` ${ink(145, '│ ')}\x1b[3;38;5;145mquoted\x1b[m`, '']
    expect(told([...prompt, heading, '', ...quote, ' Done.', ''])).toEqual([
      ['user', 'Go'],
      ['assistant_message', 'A slanted heading\n\n│ quoted\n\nDone.'],
    ])
  })

  it('a text at the head of the window is no prompt where prompts have a colour', () => {
    const tail = [' The end of a text.', '', ...call, ' Done.', '']
    expect(told([box(''), '', ...tail])[0]).toEqual(['assistant_message', 'The end of a text.'])
  })
})

describe('a box at the head of what is known', () => {
  const output = (text: string) => `\x1b[48;5;23m\x1b[38;5;244m${text.padEnd(COLS)}\x1b[m`
  const rest = ['', ' Done.', '']

  it('is a prompt where its free row stands above it', () => {
    expect(told([box(''), box(' Go'), box(''), ...rest])[0]).toEqual(['user', 'Go'])
  })

  it("is nobody's where it is cut, or has a call's grey", () => {
    const done = [['assistant_message', 'Done.']]
    expect(told([box(' the end of an output'), box(''), ...rest])).toEqual(done)
    expect(told([box(''), output(' Command exited with code 3'), box(''), ...rest])).toEqual(done)
  })
})

describe('free rows where boxes have no colour', () => {
  const plain = ['', '', ' Go', '', '', ' One.']
  const next = ['', '', ' And?', '', '']

  it('are counted: two part a text from a prompt, three are its own', () => {
    const said = (...rows: string[]) => told([...plain, ...rows, ''])
    expect(said(...next)).toEqual([
      ['user', 'Go'],
      ['assistant_message', 'One.'],
      ['user', 'And?'],
    ])
    expect(said('', '', '', ' Two.', ...next)).toEqual([
      ['user', 'Go'],
      ['assistant_message', 'One.\n\n\n\nTwo.'],
      ['user', 'And?'],
    ])
  })
})
