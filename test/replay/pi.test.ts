import { describe, expect, it } from 'vitest'
import { grammar } from '../../adapters/pi/grammar.js'
import { read } from '../../adapters/pi/read.js'
import { TranscriptReader } from '../../src/adapter/index.js'
import { screenOf } from '../support/screen-rows.js'

const RULE = '─'.repeat(80)
const FOOT = [RULE, '', RULE, '~/work (main)', '0.7%/200k (auto)        (mock) m1 • medium']
const bold = (text: string) => `\x1b[1m${text}\x1b[22m`
const dim = (text: string) => `\x1b[2m${text}\x1b[22m`

const box = (text: string) => `\x1b[48;5;23m${text.padEnd(80)}\x1b[m`
/** A coloured prompt, with the row that parts it from what stands below. */
const prompt = (text: string) => [box(''), box(` ${text}`), box(''), '']
const ink = (color: number, text: string) => `\x1b[38;5;${color}m${text}\x1b[39m`
const heading = (text: string) => ` ${bold(ink(172, text))}`
const thought = (text: string) => `\x1b[3;38;5;109m${text}\x1b[m`

const screenWith = (lines: readonly string[], foot: readonly string[] = FOOT) =>
  screenOf([...lines, ...foot].join('\n'), { cols: 80, rows: 60 })

function told(...screens: readonly (readonly string[])[]) {
  const reader = new TranscriptReader(grammar)
  const facts = screens.flatMap((lines) => {
    const screen = screenWith(lines)
    return reader.frame(screen, read(screen))
  })
  return [...facts, ...reader.settle(true)].flatMap((f) => {
    if (f.type === 'turn.ended' && f.outcome !== 'completed') return [['turn', f.outcome]]
    if (f.type === 'user.message') return [['user', f.text]]
    if (f.type === 'text.completed') return [[f.kind, f.text]]
    if (f.type === 'command' || f.type === 'notice') return [[f.type, f.text]]
    return f.type === 'tool.completed' ? [['call', f.status, f.output]] : []
  })
}

describe('pi transcript', () => {
  it('without colours, the free rows tell a person from the model', () => {
    const lines = [
      '',
      '',
      ' First?',
      ' and more',
      '',
      '',
      ' Answer.',
      '',
      ' Same answer.',
      '',
      '',
      ' Second?',
      '',
      '',
      ' End.',
      '',
    ]
    expect(told(lines)).toEqual([
      ['user', 'First?\nand more'],
      ['assistant_message', 'Answer.\n\nSame answer.'],
      ['user', 'Second?'],
      ['assistant_message', 'End.'],
    ])
  })

  it('with colours, the box does', () => {
    const lines = ['', box(''), box(' One'), box(''), box(' two'), box(''), '', ' Answer.', '']
    expect(told(lines)).toEqual([
      ['user', 'One\n\ntwo'],
      ['assistant_message', 'Answer.'],
    ])
  })

  it('calls, thoughts, errors and aborts', () => {
    const lines = [
      ...['', '', ' Go', '', '', ' \x1b[2;3mHm.\x1b[m', ' \x1b[2;3mWell.\x1b[m', '', ' I run it.', '', ''],
      ...[` ${bold('$ ls')}`, '', ` ${dim('a')}`, '', ` ${dim('Took 0.1s')}`, '', '', ''],
      ...[
        ` ${bold('$ false')}`,
        '',
        ` ${dim('Command exited with code 1')}`,
        '',
        ` ${dim('Took 0.1s')}`,
        '',
        '',
      ],
      ...[' ```js', '   x', '', '', '   y', ' ```', '', ' \x1b[31mOperation aborted\x1b[m', ''],
    ]
    expect(told(lines)).toEqual([
      ['user', 'Go'],
      ['reasoning', 'Hm.\nWell.'],
      ['assistant_message', 'I run it.'],
      ['call', 'completed', 'a'],
      ['call', 'failed', 'Command exited with code 1'],
      ['assistant_message', '```js\nx\n\n\ny\n```'],
      ['notice', 'Operation aborted'],
      ['turn', 'interrupted'],
    ])
  })

  it("a person's command, queued messages and what was switched", () => {
    const lines = [
      ...['', '', ' Hi', '', '', ' Hello.', '', ` ${dim('Thinking level: high')}`, ''],
      ...[RULE, ` ${bold('$ echo hi')}`, '', ` ${dim('hi')}`, '', RULE, '', ` ${dim('Steering: later')}`],
    ]
    expect(told(lines)).toEqual([
      ['user', 'Hi'],
      ['assistant_message', 'Hello.'],
      ['command', '!echo hi'],
    ])
  })

  it('an answer may begin with a heading, and with what looks like the program', () => {
    const lines = [
      ...['', ...prompt('One?'), heading('Report'), '', ' It leaks.', ''],
      ...[...prompt('Two?'), heading('Warning: none'), '', heading('✓ Done'), '', ' So be it.', ''],
      ...[...prompt('Three?'), ` ${bold('read')} the notes`, '', ` ${bold('edit')} them`, ''],
      ...[...prompt('Four?'), ` ${ink(145, '│')} a quote`, '', ` ${ink(140, '-')} a list`, ''],
    ]
    expect(told(lines)).toEqual([
      ['user', 'One?'],
      ['assistant_message', 'Report\n\nIt leaks.'],
      ['user', 'Two?'],
      ['assistant_message', 'Warning: none\n\n✓ Done\n\nSo be it.'],
      ['user', 'Three?'],
      ['assistant_message', 'read the notes\n\nedit them'],
      ['user', 'Four?'],
      ['assistant_message', '│ a quote\n\n- a list'],
    ])
  })

  it('a prompt may be a heading or begin with the name of a tool; a call has an input in another colour', () => {
    const lines = [
      '',
      box(''),
      box(heading('Mine')),
      box(''),
      '',
      ' Yes.',
      '',
      box(''),
      box(` ${bold('read')} it`),
    ]
    expect(
      told([...lines, box(''), '', box(''), box(` ${bold('read')} ${ink(140, 'a.py')}`), box(''), '']),
    ).toEqual([
      ['user', 'Mine'],
      ['assistant_message', 'Yes.'],
      ['user', 'read it'],
      ['call', 'completed', ''],
    ])
  })

  it('a thought has lists and code of its own; what follows it is the answer', () => {
    const lines = [
      ...['', ...prompt('Go'), ` ${thought('Hm.')}`, '', ` ${ink(140, '- ')}${thought('a list')}`],
      ...['', ` ${ink(140, 'code')} ${thought('of it')}`, '', ` ${ink(140, '- ')}an answer`, ''],
    ]
    expect(told(lines)).toEqual([
      ['user', 'Go'],
      ['reasoning', 'Hm.\n\n- a list\n\ncode of it'],
      ['assistant_message', '- an answer'],
    ])
  })

  it('a mark alone is not told while the line is written: it may become a part of the thought', () => {
    const start = ['', ...prompt('Go'), ` ${thought('Hm.')}`, '']
    const busy = [`── ⠼ Working ${'─'.repeat(67)}`, ...FOOT.slice(1)]
    const reader = new TranscriptReader(grammar)
    const facts = [
      [...start, ` ${ink(140, '-')}`],
      [...start, ` ${ink(140, '- ')}${thought('a list')}`, ''],
    ].flatMap((lines) => {
      const screen = screenWith(lines, busy)
      return reader.frame(screen, read(screen))
    })
    const texts = [...facts, ...reader.settle(true)].filter((f) => f.type === 'text.completed')
    expect(texts).toMatchObject([{ kind: 'reasoning', text: 'Hm.\n\n- a list' }])
  })

  it('an error is whole with its hint, ends the turn, and what follows it is no prompt', () => {
    const hint = ` ${ink(145, 'If this looks like a pi bug, /bug sends a report.')}`
    const error = [` ${ink(174, 'Error: 400: closed')}`, ` ${ink(174, 'today.')}`, hint, '']
    const lines = ['', ...prompt('Go'), ...error]
    expect(told(lines)).toEqual([
      ['user', 'Go'],
      ['notice', 'Error: 400: closed\ntoday.'],
      ['turn', 'failed'],
    ])
    expect(told([...lines, ' It works after all.', '']).slice(2)).toEqual([
      ['assistant_message', 'It works after all.'],
    ])
  })

  it('queued messages stand outside, in any grey', () => {
    for (const grey of [(t: string) => ink(102, t), dim]) {
      const queue = ['Steering: turn', 'Follow-up: later', '↳ Alt+Up to edit all queued messages']
      const lines = ['', ...prompt('Go'), ' Under way.', '', '', ...queue.map((t) => ` ${grey(t)}`), '']
      expect(told(lines)).toEqual([
        ['user', 'Go'],
        ['assistant_message', 'Under way.'],
      ])
    }
  })

  it('a screen that begins within a text, after one free row, begins with no prompt', () => {
    const alternate = `\x1b[?1049h\x1b[H`
    expect(told([`${alternate}`, ' Thing 14.', '', ' Thing 15.', ''])).toEqual([
      ['assistant_message', 'Thing 14.\n\nThing 15.'],
    ])
    expect(told([`${alternate}`, '', ' First?', '', '', ' Yes.', ''])).toEqual([
      ['user', 'First?'],
      ['assistant_message', 'Yes.'],
    ])
  })
})
