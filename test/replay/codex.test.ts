/** Codex's screens as its reader sees them: states, composer, dialogs, and what only looks like them. */
import { describe, expect, it } from 'vitest'
import { reader } from '../../adapters/codex/index.js'
import { type Observation, TranscriptReader } from '../../src/adapter/index.js'
import { screenOf } from '../support/screen-rows.js'

const E = '\x1b['
const size = { cols: 80, rows: 24, alternate: true }
const status = (state: string) => `\x1b]7501;state=${state}\x1b\\`
const bold = (text: string) => `${E}1m${text}${E}0m`
const dim = (text: string) => `${E}2m${text}${E}0m`
const bullet = dim('•')
const row = (text: string) => `${E}48;5;238m${text}${E}K${E}0m`
const prompt = (text: string) => [row(''), row(`${E}1;2m›${E}22m ${text}`), row('')].join('\n')
const composer = (text = dim('Ask Codex to do anything')) =>
  `\n${bold('›')} ${text}\n\n  GPT-5.5 default · /home/me/code\n  ${bold('?')} for shortcuts`
const busy = (text = 'Working') => `◦ ${dim(text)} ${dim('(3s • ')}${bold('esc')}${dim(' to interrupt)')}`
const hint = `  ${dim('Press ')}${bold('enter')}${dim(' to confirm or ')}${bold('esc')}${dim(' to cancel')}`
const read = (text: string) => reader.read(screenOf(text, size))

/** Everything that is told of one screen once it is quiet. */
function told(text: string): Observation[] {
  const screen = screenOf(text, size)
  const transcript = new TranscriptReader(reader.grammar)
  const reading = reader.read(screen)
  return [...transcript.frame(screen, reading), ...transcript.settle()]
}

const items = (text: string) =>
  told(text)
    .filter((o) => o.type !== 'state' && !o.type.startsWith('turn') && o.type !== 'tool.started')
    .map((o) => [o.type, 'text' in o ? o.text : 'status' in o ? o.status : ''])

describe('state', () => {
  it('is what the program says of itself', () => {
    const screen = (state: string) => read(`${status(state)}• text\n${composer()}`)
    expect(screen('working:app=codex')).toMatchObject({ state: 'running', rule: 'codex.status.working' })
    expect(screen('done:app=codex')).toMatchObject({ state: 'idle', rule: 'codex.status.done' })
    expect(screen('error:app=codex')).toMatchObject({ state: 'idle', rule: 'codex.status.error' })
    expect(screen('blocked:app=codex:kind=permission').state).toBe('blocked')
  })

  it('is read from the title, the busy row and the footer where it says nothing', () => {
    const title = (text: string) => `\x1b]0;${text}\x07`
    expect(read(title('⠼ task | code') + composer()).rule).toBe('codex.title.busy')
    expect(read(`${title('task | code')}${busy()}\n\n${composer()}`).rule).toBe('codex.busy-row')
    expect(read(title('task | code') + composer())).toMatchObject({
      state: 'idle',
      rule: 'codex.footer.idle',
    })
  })

  it('is unknown while start-up dialogs may still come, and on screens without a composer', () => {
    expect(read(composer()).state).toBe('unknown')
    expect(read('$ ls\nfile').state).toBe('unknown')
  })

  it('does not take a written busy row for one', () => {
    const text = `\x1b]0;task | code\x07${bullet} Working (3s • esc to interrupt)\n${composer()}`
    expect(read(text).state).toBe('idle')
  })
})

describe('a pager', () => {
  it('tells nothing, whatever keys it names', () => {
    const keys = `${bold('^space')} select\n q close · ${bold('esc')} browse prompts`
    const pager = `/ T R A N S C R I P T / / / /\n${prompt('ask')}\n\n${bullet} An answer.\n\n${keys}`
    expect(items(`${status('done:app=codex')}${pager}`)).toEqual([])
  })
})

describe('between two turns', () => {
  const done = status('done:app=codex')
  const worked = `${bullet} An answer.\n\n  ${dim('Worked for 3s • 12:00')}\n\n`
  const copied = `${bullet} Copying last message…\n\n${bullet} Copy unconfirmed; /export saves chat\n`

  it('the program speaks for itself', () => {
    expect(items(`${done}${prompt('ask')}\n\n${worked}${copied}\n${composer()}`)).toEqual([
      ['user.message', 'ask'],
      ['text.completed', 'An answer.'],
      ['notice', 'Copying last message…'],
      ['notice', 'Copy unconfirmed; /export saves chat'],
    ])
  })

  it('a prompt, even a hidden one, begins a turn', () => {
    expect(items(`${done}${worked}${prompt('ask')}\n\n${bullet} Two.\n${composer()}`).at(-1)).toEqual([
      'text.completed',
      'Two.',
    ])
    expect(items(`${done}${worked}\n\n${bullet} Two.\n${composer()}`).at(-1)).toEqual([
      'text.completed',
      'Two.',
    ])
  })
})

describe('composer', () => {
  it('keeps a suggestion apart from a draft', () => {
    expect(read(composer()).composer).toEqual({ text: '', ghost: 'Ask Codex to do anything' })
    expect(read(composer('fix it\n\n  and that')).composer).toEqual({
      text: 'fix it\n\nand that',
      ghost: null,
    })
  })

  it('shows the shell sign', () => {
    expect(read(`${bold('!')} ls\n\n  GPT-5.5 default · /home/me`).composer?.text).toBe('!ls')
  })

  it('is not a completion list, a prompt of the transcript or a chosen option', () => {
    expect(read(`${E}1;7m› /model  choose${E}0m\n\n${bold('›')} /mo\n\n  GPT · /x`).composer?.text).toBe(
      '/mo',
    )
    expect(read(prompt('old')).composer).toBeNull()
    expect(read(`${E}1;38;5;232;48;5;75m› 1. Yes${E}0m\n  2. No`).composer).toBeNull()
  })
})

const approval = (chosen = `${E}1;7m› 1. Yes, proceed (y)${E}0m`) =>
  [
    `${bullet} I need it.\n`,
    `• ${bold('Running')} touch x\n\n`,
    `  ${bold('Would you like to run the following command?')}\n`,
    `  Environment: ${bold('local')}\n`,
    '  $ touch x\n',
    chosen,
    "  2. Yes, and don't ask again for commands that start with `touch well-",
    `     known\` (${bold('p')})`,
    `  3. No, and tell Codex what to do differently (${bold('esc')})\n`,
    hint,
  ].join('\n')

describe('dialogs', () => {
  it('reads an approval, its options without their keys, long labels whole', () => {
    const { state, rule, dialog } = read(approval())
    expect([state, rule, dialog?.kind]).toEqual(['blocked', 'codex.dialog.permission', 'permission'])
    expect(dialog?.title).toBe('Would you like to run the following command?')
    expect(dialog?.options).toEqual([
      { key: '1', label: 'Yes, proceed', selected: true },
      {
        key: '2',
        label: "Yes, and don't ask again for commands that start with `touch well-known`",
        selected: false,
      },
      { key: '3', label: 'No, and tell Codex what to do differently', selected: false },
    ])
  })

  it('is the same dialog when another option is chosen, and in the colours of a terminal that tells its own', () => {
    const other = approval(`${E}1;38;5;232;48;5;75m› 1. Yes, proceed (y)${E}0m`)
    expect(read(other).dialog?.fingerprint).toBe(read(approval()).dialog?.fingerprint)
    expect(read(approval('  1. Yes, proceed (y)')).dialog?.fingerprint).toBe(
      read(approval()).dialog?.fingerprint,
    )
  })

  it('reads questions of the model', () => {
    const text = [
      `  ${dim('Question 1/1 (1 unanswered)')}\n  ${E}38;5;75mWhich color?${E}0m\n`,
      `  ${E}1;7m› 1. Blue    calm${E}0m\n    2. Red     ${dim('loud')}\n`,
      `  ${bold('tab')} to add notes | ${bold('enter')} to submit answer | ${bold('esc')} to interrupt`,
    ].join('\n')
    const { dialog } = read(text)
    expect(dialog).toMatchObject({ kind: 'question', title: 'Which color?' })
    expect(dialog?.options.map((o) => o.label)).toEqual(['Blue', 'Red'])
  })

  it('knows trust and login pages', () => {
    const keys = `  ${bold('enter')} ${dim('continue · ')}${bold('esc')} ${dim('back')}`
    const trust = `\n${bold('  Folder access')}\n  Trust this folder? Codex can\n\n${E}1;7m› 1. Trust and continue${E}0m\n  2. Back\n\n${keys}`
    expect(read(trust).dialog).toMatchObject({ kind: 'trust', title: 'Trust this folder?' })
    const login = `  Welcome to ${bold('Codex')}, OpenAI's command-line coding agent\n\n  Choose how.\n\n> 1. Sign in with ChatGPT\n  2. Other\n\n  ${dim('Press ')}${bold('enter')}${dim(' to continue')}`
    expect(read(login).dialog).toMatchObject({ kind: 'login', title: 'Choose how.' })
    expect(read(login).dialog?.options).toHaveLength(2)
  })

  it('does not take a written dialog above the composer for one', () => {
    const text = `${status('done')}${bullet} Would you like it?\n\n  › 1. Yes\n    2. No\n\n  Press enter to confirm\n${composer()}`
    expect(read(text)).toMatchObject({ state: 'idle', dialog: null })
  })
})

describe('transcript', () => {
  it('reads prompts, texts and calls; what looks like them within a text stays text', () => {
    const text = [
      status('done'),
      `${prompt('first\n').trimEnd()}`,
      `${E}K\n${bullet} Look:\n\n  › Ask Codex\n  • Ran ls\n    └ out\n`,
      `${E}1;32m•${E}0m ${bold('Ran')} make all\n${dim('  └ built')}\n`,
      `${bold('•')} ${bold('Exited (status 3)')} make no\n${dim('  └ bad')}\n`,
      `${dim('  Worked for 2s • 10:10')}\n`,
      composer(),
    ].join('\n')
    expect(items(text)).toEqual([
      ['user.message', 'first'],
      ['text.completed', 'Look:\n\n› Ask Codex\n• Ran ls\n  └ out'],
      ['tool.completed', 'completed'],
      ['tool.completed', 'failed'],
    ])
  })

  it('takes each row of an exploration for a call', () => {
    const verb = (text: string) => `${E}38;5;75m${text}${E}0m`
    const text = `${status('done')}${bullet} ${bold('Explored')}\n${dim('  └ ')}${verb('Read')} a.ts\n    ${verb('List')} ls\n${dim('    + Show details')}\n${composer()}`
    const calls = told(text).flatMap((o) => (o.type === 'tool.started' ? [o.input] : []))
    expect(calls).toEqual([{ text: 'Read a.ts' }, { text: 'List ls' }])
  })

  it('joins a verdict with its call', () => {
    const denied = `${status('idle')}${E}31m✗${E}0m You ${bold('canceled')} the request to run ${dim('touch x')}\n\n${bold('•')} ${bold('Exited (status 1)')} touch x\n${dim('  └ (no output)')}\n\n■ Conversation interrupted - use /feedback\n${composer()}`
    expect(items(denied)).toEqual([
      ['tool.completed', 'denied'],
      ['notice', 'Conversation interrupted - use /feedback'],
    ])
    expect(told(denied).find((o) => o.type === 'turn.ended')).toMatchObject({ outcome: 'interrupted' })
  })

  it('leaves queued prompts, the busy row and the repeated prompt out', () => {
    const text = [
      status('done'),
      row(`${E}1;2m›${E}22m scrolled off`),
      '  the rest of something',
      `\n${bullet} Here.\n`,
      busy(),
      `\n${bullet} Queued follow-up inputs\n${dim('  ↳ later')}\n\n${dim('    and more')}\n    ${bold('shift+←')}${dim(' edit')}\n`,
      composer(),
    ].join('\n')
    expect(items(text.replace('\n', ''))).toEqual([['text.completed', 'Here.']])
  })

  it('tells an edit at whose question the turn was stopped as interrupted, and one that was done as completed', () => {
    const edit = `${bullet} ${bold('Added')} a.txt (${E}32m+1${E}0m ${E}31m-0${E}0m)\n${E}48;5;22m    1 +alpha${E}0m\n`
    expect(items(`${status('done')}${edit}\n${bullet} ok\n${composer()}`)[0]).toEqual([
      'tool.completed',
      'completed',
    ])
    const cut = `${status('idle')}${edit}\n■ Conversation interrupted - use /feedback\n${composer()}`
    expect(items(cut)).toEqual([['tool.completed', 'interrupted']])
  })

  it('keeps the lines of a command, and thoughts apart from texts', () => {
    const text = [
      `${status('done')}${bullet} ${E}2;3mHm.${E}0m\n`,
      `${E}1;32m•${E}0m ${bold('Ran')} echo a\n${dim('  │ ')}echo b\n${dim('  └ a')}\n`,
      composer(),
    ].join('\n')
    const facts = told(text)
    expect(facts).toContainEqual(expect.objectContaining({ kind: 'reasoning', text: 'Hm.' }))
    expect(facts).toContainEqual(expect.objectContaining({ input: { command: 'echo a\necho b' } }))
    expect(facts).toContainEqual(expect.objectContaining({ type: 'tool.completed', output: 'a' }))
  })

  it('reads the end of a prompt that is taller than the screen, and no added lines for one', () => {
    const rest = 'the end of a long prompt that is told by what is left of it, row by row'
    const text = `${status('done')}${row(`  ${rest}`)}\n${row('')}\n\n${bullet} ok\n${composer()}`
    expect(items(text)[0]).toEqual(['user.message', rest])
    expect(items(text.replaceAll('48;5;238', '48;5;22'))).not.toContainEqual(['user.message', rest])
  })
})
