import { describe, expect, it } from 'vitest'
import { grammar } from '../../adapters/claude/grammar.js'
import { read } from '../../adapters/claude/read.js'
import { TranscriptReader } from '../../src/adapter/index.js'
import { screenOf } from '../support/screen-rows.js'

const RULE = `\x1b[38;5;244m${'─'.repeat(80)}\x1b[m`
const IDLE = ['', RULE, '❯ ', RULE, '  ? for shortcuts']
const on = (color: number, text: string) => `\x1b[38;5;${color}m${text}\x1b[m`
const bold = (text: string) => `\x1b[1m${text}\x1b[22m`
const said = (text: string) => `${on(231, '●')} ${text}`
const prompt = (text: string) => `\x1b[48;5;237m❯ ${text} \x1b[m`
const call = (color: number, name: string, rest: string) => `${on(color, '●')} ${bold(name)}${rest}`
const view = (lines: readonly string[], title = '') =>
  screenOf(`${title ? `\x1b]0;${title}\x07` : ''}${lines.join('\n')}`, { cols: 80, rows: 40 })

/** What a reader tells of one screen that is all there is. */
function told(lines: readonly string[]) {
  const reader = new TranscriptReader(grammar)
  const screen = view(lines)
  const facts = [...reader.frame(screen, read(screen)), ...reader.settle(true)]
  return facts.flatMap((f) => {
    if (f.type === 'user.message') return [['user', f.text]]
    if (f.type === 'text.completed') return [[f.kind, f.text]]
    if (f.type === 'command' || f.type === 'notice') return [[f.type, f.text]]
    if (f.type === 'item') return [[f.kind, f.text]]
    return f.type === 'tool.completed' ? [['call', f.status, f.output]] : []
  })
}

describe('claude transcript', () => {
  it('reads prompts, texts, calls and results', () => {
    const lines = [
      prompt('Make a file'),
      '',
      said('I make it.'),
      '',
      call(114, 'Bash', '(touch x; seq 9)'),
      `${on(246, '  ⎿  ')}1`,
      '     2',
      '     \x1b[2m… +7 lines (ctrl+o to expand)\x1b[m',
      '',
      call(211, 'Bash', '(false)'),
      `${on(246, '  ⎿  ')}Error: Exit code 1`,
      '',
      said('Done.'),
      '',
      on(246, '✻ Baked for 2s'),
    ]
    expect(told([...lines, ...IDLE])).toEqual([
      ['user', 'Make a file'],
      ['assistant_message', 'I make it.'],
      ['call', 'completed', '1\n2\n… +7 lines'],
      ['call', 'failed', 'Error: Exit code 1'],
      ['assistant_message', 'Done.'],
    ])
  })

  it('takes no spinner for a text whose bullet was drawn over it, and no text for a spinner', () => {
    const lines = (word: string) => [prompt('Go'), '', `${on(231, '●')} ${word}`, '', ...IDLE]
    expect(told(lines(on(174, 'Baking…')))).toEqual([['user', 'Go']])
    expect(told(lines('Baking…'))[1]).toEqual(['assistant_message', 'Baking…'])
  })

  it('reads helpers that were sent together, one call each', () => {
    const branch = (sign: string, name: string, uses: string) => `   ${on(246, sign)} ${bold(name)} · ${uses}`
    const lines = [
      prompt('Send two'),
      '',
      `${on(114, '●')} ${bold('2')} agents finished ${on(246, '(ctrl+o to expand)')}`,
      branch('├', 'Count boats', '0 tool uses'),
      on(246, '   │ ⎿  Done'),
      branch('└', 'Count masts', '3 tool uses · 1.2k tokens'),
      on(246, '     ⎿  Failed: no masts'),
      '',
      said('Both are back.'),
    ]
    expect(told([...lines, ...IDLE])).toEqual([
      ['user', 'Send two'],
      ['call', 'completed', 'Done'],
      ['call', 'failed', 'Failed: no masts'],
      ['assistant_message', 'Both are back.'],
    ])
  })

  it('reads a thought and the calls that were folded with it', () => {
    const folded = `Thought for ${bold('1s')}, searched for ${bold('2')} patterns, read ${bold('2')} files`
    const broken = [folded, 'listed 1 directory (ctrl+o to', 'expand)'].map((row) => `  ${on(246, row)}`)
    const facts = told([prompt('Read'), '', ...broken, '', said('Read.'), ...IDLE])
    expect(facts).toEqual([
      ['user', 'Read'],
      ['reasoning', 'Thought for 1s (ctrl+o to expand)'],
      ['call', 'completed', ''],
      ['assistant_message', 'Read.'],
    ])
  })

  it('reads what is thought while folded calls run, and takes no file for a thought', () => {
    const line = `${on(246, '●')} Thinking for ${bold('1s')}, reading ${bold('1')} file… ${on(246, '(ctrl+o to')}`
    const shown = (text: string) => [line, on(246, '  expand)'), `${on(246, '  ⎿  ')}${text}`]
    const running = (text: string) => told([prompt('Read'), '', ...shown(text), ...IDLE])
    expect(running('\x1b[2;3mThey are short.\x1b[m')[1]).toEqual(['reasoning', 'They are short.'])
    expect(running('notes.txt').slice(1)).toEqual([
      ['reasoning', 'Thought for 1s (ctrl+o to expand)'],
      ['call', 'interrupted', ''],
    ])
  })

  it('reads a plan that was refused out of its frame', () => {
    const frame = ['╭──────────╮', '│ The plan │', '│          │', '│ 1. Look  │', '╰──────────╯']
    const result = `${on(246, '  ⎿  ')}User rejected Claude's plan:`
    const lines = [prompt('Plan'), '', said('I have one.'), result, ...frame.map((row) => `     ${row}`)]
    expect(told([...lines, ...IDLE])).toEqual([
      ['user', 'Plan'],
      ['assistant_message', 'I have one.'],
      ['plan', 'The plan\n\n1. Look'],
    ])
  })

  it('reads a prompt that begins with blanks', () => {
    expect(told([prompt('    far in'), '', said('Yes.'), ...IDLE])[0]?.[0]).toBe('user')
  })

  it('does not take what a text quotes for calls, prompts or dialogs', () => {
    const text = [
      'Look:',
      '',
      '  ❯ not a prompt',
      '  ● Bash(rm x)',
      '  ⎿ no result',
      '  ❯ 1. Yes',
      '    2. No',
    ]
    const lines = [prompt('Quote'), '', said(text[0] ?? ''), ...text.slice(1)]
    expect(told([...lines, ...IDLE])).toEqual([
      ['user', 'Quote'],
      ['assistant_message', 'Look:\n\n❯ not a prompt\n● Bash(rm x)\n⎿ no result\n❯ 1. Yes\n  2. No'],
    ])
    expect(read(view([...lines, ...IDLE]))).toMatchObject({ state: 'idle', dialog: null })
  })

  it('a bold first word of an answer is no call', () => {
    const lines = [prompt('Say'), '', `${on(231, '●')} ${bold('Read')}(this) first.`]
    expect(told([...lines, ...IDLE])[1]).toEqual(['assistant_message', 'Read(this) first.'])
  })

  it('a call whose bullet blinks is the same call, and runs', () => {
    const at = (bullet: string) =>
      view(
        [prompt('Go'), '', `${on(246, bullet)} ${bold('Bash')}(sleep 9)`, on(246, '  ⎿  Running…'), ...IDLE],
        '⠂ x',
      )
    const reader = new TranscriptReader(grammar)
    const facts = ['●', ' ', '●', ' '].flatMap((bullet) => {
      const screen = at(bullet)
      return [...reader.frame(screen, read(screen))]
    })
    expect(new Set(facts.flatMap((f) => (f.type === 'tool.started' ? [f.callId] : []))).size).toBe(1)
    expect(facts.some((f) => f.type === 'tool.completed')).toBe(false)
  })

  it('folded calls, commands, shell mode, errors, images, interrupts', () => {
    const lines = [
      `\x1b[48;5;59m! echo hi \x1b[m`,
      `${on(246, '  ⎿  ')}hi`,
      '',
      prompt('/model'),
      `${on(246, '  ⎿  ')}Set model to X`,
      '',
      prompt('/tmp/a is [Image #1]'),
      `${on(246, '  ⎿  ')}[Image #1]`,
      '',
      `  \x1b[38;5;246mRead ${bold('2')} files (ctrl+o to expand)\x1b[m`,
      '',
      on(220, '● API Error: 529 busy'),
      '',
      said('Half a sen'),
      `${on(246, '  ⎿  ')}Interrupted · What should Claude do instead?`,
    ]
    expect(told([...lines, ...IDLE])).toEqual([
      ['command', '!echo hi'],
      ['notice', 'hi'],
      ['command', '/model'],
      ['notice', 'Set model to X'],
      ['user', '/tmp/a is [Image #1]'],
      ['call', 'completed', ''],
      ['notice', 'API Error: 529 busy'],
      ['assistant_message', 'Half a sen'],
      ['notice', 'Interrupted · What should Claude do instead?'],
    ])
  })

  it('queued prompts, spinner and tips are not told', () => {
    const lines = [
      prompt('Go'),
      '',
      on(174, '✻ Cooking… (3s)'),
      on(246, '  ⎿  Tip: be nice'),
      '',
      '  ❯ later',
    ]
    expect(told([...lines, ...IDLE])).toEqual([['user', 'Go']])
    expect(read(view([...lines, ...IDLE]))).toMatchObject({ state: 'running', rule: 'claude.spinner' })
  })

  it('a plan dialog blocks and is not told; the plan is, once it is agreed to', () => {
    const edge = on(73, '─'.repeat(80))
    const dialog = [
      edge,
      ` ${bold('Ready to code?')}`,
      ' # P',
      edge,
      ' Would you like to proceed?',
      '',
      ' ❯ 1. Yes',
      '   2. No',
    ]
    const screen = view([said('Here.'), '', ...dialog])
    expect(read(screen).dialog).toMatchObject({ kind: 'plan', title: 'Would you like to proceed?' })
    expect(told([said('Here.'), '', ...dialog])).toEqual([['assistant_message', 'Here.']])
    const agreed = [
      `${on(73, '●')} User approved Claude's plan`,
      `${on(246, '  ⎿  ')}Plan saved to: ~/p.md · /plan to edit`,
      '     P',
      '',
      '     1. Go',
    ]
    expect(told([...agreed, ...IDLE])).toEqual([['plan', 'P\n\n1. Go']])
  })

  it('takes what is left of a dialog below a new banner for no other dialog', () => {
    const rest = ['', on(246, ' Security guide'), '', ' ❯ 1. Yes, I trust this folder', '   2. No, exit']
    const foot = ['', on(246, ' Enter to confirm · Esc to cancel')]
    const head = [RULE, ` ${bold('Accessing workspace:')}`, '', ' Is this a project you trust?']
    const banner = ['╭─── Claude Code v2 ───╮', '│ Welcome back! │', '╰──────────────────────╯']
    expect(read(view([...head, ...rest, ...foot]))).toMatchObject({
      state: 'blocked',
      dialog: { kind: 'trust' },
    })
    expect(read(view([...banner, ...rest, ...foot]))).toMatchObject({ state: 'unknown', dialog: null })
    const asked = [...banner, '', ' Do you trust it?', ...rest, ...foot]
    expect(read(view(asked))).toMatchObject({ state: 'blocked', dialog: { kind: 'trust' } })
  })

  it('reads the flat lines for screen readers', () => {
    const lines = [
      '[Accessible screen reader mode: on]',
      'Claude Code',
      'you: Hi',
      'claude: One.',
      '',
      'Two.',
    ]
    const more = ['tool: Bash (ls)', 'a', 'b', 'claude: Done.', 'Baked for 2s', '● high · /effort']
    expect(told([...lines, ...more])).toEqual([
      ['user', 'Hi'],
      ['assistant_message', 'One.\n\nTwo.'],
      ['call', 'completed', 'a\nb'],
      ['assistant_message', 'Done.'],
    ])
    expect(read(view([...lines, ...more], '✳ x')).state).toBe('idle')
    const asks = ['Permission Required: Bash command', 'ls', 'Do you want to proceed?', '1. Yes', '2. No']
    const r = read(view([...lines, ...asks, 'Enter selection [1-2], or Escape to cancel:'], '✳ x'))
    expect(r).toMatchObject({
      state: 'blocked',
      dialog: { kind: 'permission', options: [{ label: 'Yes' }, { label: 'No' }] },
    })
  })
})
