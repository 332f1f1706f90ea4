/** Screens of Copilot CLI, made by hand after 1.0.102: what is read there, and what only looks like it. */
import { describe, expect, it } from 'vitest'
import { reader } from '../../adapters/copilot/index.js'
import { type ObservedFact, TranscriptReader } from '../../src/adapter/index.js'
import { screenOf } from '../support/screen-rows.js'

const COLS = 60
const ROWS = 24
const rule = '─'.repeat(COLS)
const blue = (text: string) => `\x1b[34m${text}\x1b[m`
const green = (text: string) => `\x1b[32m${text}\x1b[m`
const red = (text: string) => `\x1b[31m${text}\x1b[m`
const yellow = (text: string) => `\x1b[33m${text}\x1b[m`
const bold = (text: string) => `\x1b[1m${text}\x1b[m`

const IDLE = ' ← open sidebar · Interactive · Manual Approval · / commands'
const BUSY = ` ${blue('◉ Working')} · 209 B ${bold('esc esc')} interrupt`

/** The conversation's rows at the top, the input box at the bottom. */
function session(rows: readonly string[], options: { footer?: string; box?: string[]; above?: string } = {}) {
  const { footer = IDLE, box = ['❯ '], above = ' /home/me/work [⎇ main]' } = options
  const low = [above, `\x1b[2m${rule}\x1b[m`, ...box, `\x1b[2m${rule}\x1b[m`, footer]
  const gap = Array.from({ length: ROWS - rows.length - low.length }, () => '')
  return [...rows, ...gap, ...low].join('\n')
}

const screen = (text: string) => screenOf(text, { cols: COLS, rows: ROWS, alternate: true })
const read = (text: string) => reader.read(screen(text))

/** Everything that the screens tell, drawn one after the other. */
function told(...texts: string[]): ObservedFact[] {
  const transcript = new TranscriptReader(reader.grammar)
  const out: ObservedFact[] = []
  for (const text of texts) {
    const view = screen(text)
    out.push(...transcript.frame(view, reader.read(view)))
  }
  return [...out, ...transcript.settle()]
}

/** Kind and text of what was completed, in order. */
function items(...texts: string[]): string[] {
  return told(...texts).flatMap((fact) => {
    if (fact.type === 'user.message') return [`user: ${fact.text}`]
    if (fact.type === 'text.completed') return [`${fact.kind}: ${fact.text}`]
    if (fact.type === 'notice') return [`${fact.level}: ${fact.text}`]
    if (fact.type === 'command') return [`command: ${fact.text}`]
    if (fact.type === 'item') return [`${fact.kind}: ${fact.text}`]
    return fact.type === 'tool.completed' ? [`call ${fact.status}: ${fact.output}`] : []
  })
}

function framed(rows: readonly string[]): string[] {
  const line = (row: string) => `│ ${row.padEnd(COLS - 4)} │`
  return [`╭${'─'.repeat(COLS - 2)}╮`, ...rows.map(line), `╰${'─'.repeat(COLS - 2)}╯`]
}

function permission(chosen: number, third = 'No, and tell Copilot (Esc to stop)'): string[] {
  const options = ['Yes', "Yes, and don't ask again for `rm`", third]
  return framed([
    'Remove a file',
    '─'.repeat(COLS - 4),
    `╭${'─'.repeat(COLS - 6)}╮`,
    `│ ${'rm x'.padEnd(COLS - 8)} │`,
    `╰${'─'.repeat(COLS - 6)}╯`,
    '',
    'Do you want to run this command?',
    '',
    ...options.map((label, n) => `${n + 1 === chosen ? '❯' : ' '} ${n + 1}. ${label}`),
    '',
    '↑/↓ to navigate · enter to select · esc to cancel',
  ])
}

const over = (rows: readonly string[], dialog: readonly string[]) =>
  [...rows, ...Array.from({ length: ROWS - rows.length - dialog.length }, () => ''), ...dialog].join('\n')

describe('the state, by the footer', () => {
  it.each([
    ['idle', IDLE],
    ['idle', ' Interactive · Manual Approval · @ files · # issues'],
    ['idle', ` ${bold('esc')} again to rewind`],
    ['idle', ` ${bold('ctrl+c')} again to exit`],
    ['running', BUSY],
    ['running', ` ${blue('○ Reading the tests')} · 2.0 KiB ${bold('esc esc')} interrupt`],
    [
      'running',
      ` ${blue('Plan · Manual Approval')} · ${blue('● Working')} · 2 B ${bold('esc esc')} interrupt`,
    ],
    ['running', ` ${blue('◎ Cancelling')}`],
    ['starting', ' ◎ Loading: 2 skills'],
    ['unknown', ' something that nobody has seen'],
  ])('%s: %s', (state, footer) => {
    expect(read(session([' ❯ hi'], { footer })).state).toBe(state)
  })

  it('is not idle without the box, and not running for what a text says', () => {
    expect(read(' ● / commands').state).toBe('unknown')
    expect(read(session([` ${blue('●')} ● Working · 20 B esc esc interrupt`])).state).toBe('idle')
  })
})

describe('the composer', () => {
  it('has the draft, over several rows', () => {
    const { composer } = read(session([], { box: ['❯ one', '  two'] }))
    expect(composer).toEqual({ text: 'one\ntwo', ghost: null })
  })

  it('keeps suggestions apart: behind the cursor of a command, in an empty shell box', () => {
    const slash = session([], { box: ['❯ /model'], above: '┃ ❯ /model     Select the model' })
    expect(read(`${slash}\x1b[${ROWS - 2};7H`).composer).toEqual({ text: '/mod', ghost: 'el' })
    const shell = session([], { box: ['! Execute shell command'] })
    expect(read(`${shell}\x1b[${ROWS - 2};3H`).composer).toEqual({
      text: '!',
      ghost: 'Execute shell command',
    })
  })
})

describe('dialogs', () => {
  const rows = [' ❯ go', '', ` ${yellow('$')} ${bold('Shell')} Remove a file`, '   rm x']

  it('reads a permission, and knows it again whatever is chosen or typed', () => {
    const { state, dialog, composer } = read(over(rows, permission(1)))
    expect(state).toBe('blocked')
    expect(composer).toBeNull()
    expect(dialog).toMatchObject({ kind: 'permission', title: 'Do you want to run this command?' })
    expect(dialog?.options.map((o) => [o.key, o.selected])).toEqual([
      ['1', true],
      ['2', false],
      ['3', false],
    ])
    const typed = read(over(rows, permission(3, 'do not (Esc to stop)'))).dialog
    expect(typed?.fingerprint).toBe(dialog?.fingerprint)
    const other = permission(1).map((row) => row.replace('rm x', 'rm y'))
    expect(read(over(rows, other)).dialog?.fingerprint).not.toBe(dialog?.fingerprint)
  })

  it('does not guess from half a frame', () => {
    expect(read(over(rows, permission(1).slice(0, -2))).state).toBe('unknown')
  })

  it('reads a panel between rules', () => {
    const list = [' Copilot needs information.', ' Which color?', '', ' ❯ Red', '   Blue', '']
    const dialog = [rule, ...list, ' ↑/↓ select · enter accept · esc cancel', rule]
    const reading = read(over([' ❯ go'], dialog))
    expect(reading.dialog).toMatchObject({ kind: 'question', title: 'Which color?' })
    expect(reading.dialog?.options.map((o) => o.label)).toEqual(['Red', 'Blue'])
  })

  it('is not taken in by a dialog that an answer quotes', () => {
    const quoted = permission(1).map((row) => `   ${row.slice(0, COLS - 6)}`)
    const text = session([' ❯ go', '', ` ${blue('●')} Look:`, ...quoted])
    expect(read(text)).toMatchObject({ state: 'idle', dialog: null })
    expect(items(text)).toHaveLength(2)
  })
})

describe('the conversation', () => {
  it('cuts the time of a prompt and joins its wrapped rows', () => {
    const first = ` ❯ ${'word '.repeat(9)}end`.padEnd(COLS - 7)
    const text = session([`${first}16:14`, '   longer line', '', '   apart', '', ` ${blue('●')} ok`])
    expect(items(text)).toEqual([
      `user: ${'word '.repeat(9)}end longer line\n\napart`,
      'assistant_message: ok',
    ])
  })

  it('reads calls by their marks, and errors apart from them', () => {
    const rows = [
      ' ❯ go',
      '',
      ` ${yellow('$')} ${bold('Shell')} List them 5 lines…`,
      '   ls -l',
      ` ${red('✗')} ${bold('Shell')} Remove ${red('The user rejected this tool call.')}  6s`,
      '   rm x',
      ` ${bold('\x1b[36mPY')} ${bold('Edit')} a.py ${green('+1')} ${red('-1')}`,
      ` ${green('●')} ${bold('echo')} (MCP: lab) · text: "hi" it said hi`,
      ` ${red('✗')} ${bold('400 bad request')}`,
    ]
    expect(items(session(rows))).toEqual([
      'user: go',
      'call completed: 5 lines…',
      'call denied: The user rejected this tool call.',
      'call completed: +1 -1',
      'call completed: it said hi',
      'error: 400 bad request',
    ])
    const started = told(session(rows)).filter((fact) => fact.type === 'tool.started')
    expect(started.map((fact) => [fact.name, fact.input])).toEqual([
      ['bash', { command: 'ls -l' }],
      ['bash', { command: 'rm x' }],
      ['edit', { path: 'a.py' }],
      ['lab-echo', { text: 'hi' }],
    ])
  })

  it('cuts the time of a prompt of which only a part is drawn yet', () => {
    const drawn = (time: string) => items(session([` ❯ Do it.${' '.repeat(COLS - 15)}${time}`]))
    for (const time of ['1', '12', '12:', '12:3', '12:34']) expect(drawn(time)).toEqual(['user: Do it.'])
  })

  it('cuts the time of a prompt that fills its row, and keeps one that was written', () => {
    const row = `${'word '.repeat(9)}ends`
    const text = session([
      ` ❯ ${row} 16:14`,
      '   longer',
      '',
      ` ${blue('●')} ok`,
      ' ❯ come at 10:45',
      '   or not',
    ])
    expect(items(text)).toEqual([
      `user: ${row} longer`,
      'assistant_message: ok',
      'user: come at 10:45\nor not',
    ])
  })

  it('takes no call for done that stands above others and has come to nothing yet', () => {
    const call = (mark: string, more = '') => [` ${mark} ${bold('Shell')} Do it${more}`, '   make']
    const open = [' ❯ go', '', ...call(yellow('$')), ...call(yellow('$'), ' 1 line…')]
    const done = [' ❯ go', '', ...call(red('✗'), ` ${red('exit 3')}`), ...call(yellow('$'), ' 1 line…')]
    const running = session(open, { footer: BUSY })
    expect(items(running, running, running, session(done))).toEqual([
      'user: go',
      'call failed: exit 3',
      'call completed: 1 line…',
    ])
  })

  it('tells what went wrong behind a badge, ranges of rows, and results where no input is told', () => {
    const rows = [
      ' ❯ go',
      ` ${bold('\x1b[36mPY')} ${bold('Edit')} a.py ${red('No match found')}`,
      ` ${bold('\x1b[36mPY')} ${bold('Edit')} a.py ${red('-1')}`,
      ` ${bold('\x1b[36mPY')} ${bold('Read')} a.py L1:9 (9 lines read)`,
      ` ${green('●')} ${bold('Stop shell')}  1 line…`,
      ` ${green('●')} ${bold('Explore')} (model: a-model) Look for boats`,
      '   └ None found',
    ]
    expect(items(session(rows))).toEqual([
      'user: go',
      'call failed: No match found',
      'call completed: -1',
      'call completed: L1:9 (9 lines read)',
      'call completed: 1 line…',
      'call completed: None found',
    ])
    const started = told(session(rows)).filter((fact) => fact.type === 'tool.started')
    const path = { path: 'a.py' }
    expect(started.map((fact) => fact.input)).toEqual([path, path, path, null, { text: 'Look for boats' }])
  })

  it('takes an answer for one though it begins bold or quotes the marks of others', () => {
    const answer = [
      ` ${blue('●')} ${bold('Shell')} is a word`,
      '   ❯ no prompt',
      '   $ Shell no call',
      '   ✗ none',
    ]
    const all = items(session([' ❯ go', '', ...answer]))
    expect(all).toEqual([
      'user: go',
      'assistant_message: Shell is a word\n❯ no prompt\n$ Shell no call\n✗ none',
    ])
  })

  it("tells notices, folded thoughts, a person's own command and the mark of an interrupt", () => {
    const rows = [
      `  ${blue('╭─╮╭─╮')}`,
      `  ${blue('╰─╯╰─╯')}  Copilot v1.0.102 uses AI.`,
      '',
      ` ${blue('●')} Something new at the start.`,
      ` ${yellow('$')} ${bold('Shell')} echo hi 1 line`,
      ' │ hi',
      ' ❯ go',
      ' ❯ \x1b[3mThought for 2s\x1b[m',
      ` ${blue('●')} Half an ans`,
      '',
      ` ${blue('●')} Operation cancelled by user`,
    ]
    expect(items(session(rows))).toEqual([
      'info: Something new at the start.',
      'command: !echo hi',
      'user: go',
      'reasoning: Thought for 2s',
      'assistant_message: Half an ans',
      'info: Operation cancelled by user',
    ])
    const running = session(rows, { footer: BUSY })
    expect(told(running, session(rows)).at(-1)).toMatchObject({ type: 'turn.ended', outcome: 'interrupted' })
  })

  it('leaves out a prompt that waits, and tells nothing again when the scroll bar comes', () => {
    const answer = [' ❯ go', '', ` ${blue('●')} line one`, '   line two']
    const waiting = session([...answer, ' ❯ next', '   └ [pending · ↑ recall]'], { footer: BUSY })
    const bar = answer.map((row) => `${row}\x1b[${COLS}G┃`)
    expect(items(waiting, session(bar))).toEqual(['user: go', 'assistant_message: line one\nline two'])
  })
})

describe('what the program says by itself', () => {
  const turn = [' ❯ hi', '', ` ${blue('●')} Hello.`]
  const later = [...turn, '', ` ${blue('●')} The harbour master is out until noon.`]

  /** The facts of screens that each stay for a while. */
  function shown(
    ...screens: readonly (readonly [rows: readonly string[], footer: string])[]
  ): ObservedFact[] {
    const transcript = new TranscriptReader(reader.grammar)
    return screens.flatMap(([rows, footer]) => {
      const view = screen(session(rows, { footer }))
      return [...transcript.frame(view, reader.read(view)), ...transcript.settle()]
    })
  }

  it('between two turns is no answer, whatever its words are', () => {
    const facts = shown([turn.slice(0, 1), BUSY], [turn, IDLE], [later, IDLE], [later, IDLE])
    expect(facts.filter((f) => f.type === 'notice')).toMatchObject([
      { level: 'info', text: 'The harbour master is out until noon.' },
    ])
    expect(facts.filter((f) => f.type === 'text.completed')).toMatchObject([{ text: 'Hello.' }])
    expect(facts.filter((f) => f.type === 'turn.started')).toHaveLength(1)
  })

  it('is an answer while it works', () => {
    const facts = shown([turn, BUSY], [turn, IDLE], [later, BUSY], [later, IDLE])
    expect(facts.filter((f) => f.type === 'notice')).toEqual([])
    expect(facts.filter((f) => f.type === 'text.completed')).toMatchObject([
      { text: 'Hello.' },
      { text: 'The harbour master is out until noon.' },
    ])
  })
})
