import { describe, expect, it } from 'vitest'
import { grammar } from '../../adapters/pi/grammar.js'
import { read } from '../../adapters/pi/read.js'
import { TranscriptReader } from '../../src/adapter/index.js'
import { screenOf } from '../support/screen-rows.js'

const RULE = '─'.repeat(80)
const FOOT = [RULE, '', RULE, '~/work (main)', '0.7%/200k (auto)        (mock) m1 • medium']
const bold = (text: string) => `\x1b[1m${text}\x1b[22m`
const dim = (text: string) => `\x1b[2m${text}\x1b[22m`

function told(lines: readonly string[]) {
  const reader = new TranscriptReader(grammar)
  const screen = screenOf([...lines, ...FOOT].join('\n'), { cols: 80, rows: 60 })
  const facts = [...reader.frame(screen, read(screen)), ...reader.settle(true)]
  return facts.flatMap((f) => {
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
    const box = (text: string) => `\x1b[48;5;23m${text.padEnd(80)}\x1b[m`
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
})
