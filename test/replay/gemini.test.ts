import { describe, expect, it } from 'vitest'
import { reader } from '../../adapters/gemini/index.js'
import { TranscriptReader } from '../../src/adapter/index.js'
import { screenOf } from '../support/screen-rows.js'

const COLS = 80
const RESET = '\x1b[0m'
const rgb = (hex: string, ground = 38) =>
  `\x1b[${ground};2;${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(';')}m`
const fg = (hex: string, text: string) => `${rgb(hex)}${text}${RESET}`
const bold = (hex: string, text: string) => `\x1b[1m${fg(hex, text)}`
const [ACCENT, WHITE, GREY, GREEN] = ['#d7afff', '#ffffff', '#afafaf', '#d7ffd7']
const EDGE = fg('#5f5f5f', '▄'.repeat(COLS))
const LOWER = fg('#5f5f5f', '▀'.repeat(COLS))
/** A row with the grey ground of a prompt. */
const ground = (text: string) => `${rgb('#5f5f5f', 48)}${text}${rgb('#5f5f5f', 48)}\x1b[K${RESET}`
const on = (hex: string, text: string) => `${rgb('#5f5f5f', 48)}${rgb(hex)}${text}`
const RULE = `\x1b[2m${fg('#878787', '─'.repeat(COLS))}`
const title = (text: string) => `\x1b]0;${text}\x07`
const READY = title('◇  Ready (proj)     ')
const HINT = fg(GREY, `${' '.repeat(60)}? for shortcuts`)
const EMPTY = ground(` ${on(ACCENT, '> ')}\x1b[7m \x1b[27m${on(GREY, ' Type your message or @path/to/file')}`)

const prompt = (...lines: string[]) => [
  EDGE,
  ...lines.map((line, n) =>
    ground(n === 0 ? ` ${on(ACCENT, '> ')}${on(WHITE, line)}` : on(WHITE, `   ${line}`)),
  ),
  LOWER,
]
const answer = (first: string, ...rest: string[]) => [
  `${fg(ACCENT, '✦ ')}${fg(WHITE, first)}`,
  ...rest.map((line) => fg(WHITE, `  ${line}`)),
]
const composer = (status = HINT, text = EMPTY) => [
  '',
  status,
  RULE,
  fg(GREY, ' Shift+Tab to accept edits'),
  EDGE,
  text,
  LOWER,
  fg(GREY, ' workspace (/directory)        sandbox        /model'),
  fg(WHITE, ' /tmp/proj                     no sandbox     gemini-2.5-flash'),
]
const screen = (lines: readonly string[], head = READY) =>
  screenOf(head + lines.join('\n'), { cols: COLS, rows: 40 })

/** What a quiet screen tells, items only. */
function told(lines: readonly string[]) {
  const reading = new TranscriptReader(reader.grammar)
  const view = screen(lines)
  const all = [...reading.frame(view, reader.read(view)), ...reading.settle(true)]
  return all.flatMap((o) => {
    if (o.type === 'user.message' || o.type === 'command') return [[o.type, o.text]]
    if (o.type === 'text.completed') return [[o.kind, o.text]]
    if (o.type === 'notice') return [[o.level, o.text]]
    if (o.type === 'item') return [[o.kind, o.text]]
    if (o.type === 'tool.started') return [['call', o.name, o.tool, JSON.stringify(o.input)]]
    if (o.type === 'tool.completed') return [['end', o.status, o.output]]
    return []
  })
}

describe('gemini states', () => {
  it('idle by its title, with an empty box', () => {
    expect(reader.read(screen(composer()))).toMatchObject({
      state: 'idle',
      rule: 'gemini.title.ready',
      composer: { text: '', ghost: 'Type your message or @path/to/file' },
      dialog: null,
    })
  })
  it('running by the spinner though the title is ready, and by the title', () => {
    const spinner = fg(WHITE, ' ⠏ Thinking... (esc to cancel, 3s)')
    expect(reader.read(screen(composer(spinner))).rule).toBe('gemini.spinner')
    expect(reader.read(screen(composer(), title('✦  Working… (proj)'))).state).toBe('running')
  })
  it('a screen that was cleared is what its title says, one that is not drawn yet is not known', () => {
    const cleared = `${'row\n'.repeat(60)}\x1b[2J\x1b[3J\x1b[H`
    expect(reader.read(screen([cleared]))).toMatchObject({ state: 'idle', composer: null })
    expect(reader.read(screen([cleared], '')).state).toBe('unknown')
    expect(reader.read(screen([cleared, ' ▝▜▄     Gemini CLI'])).state).toBe('unknown')
    expect(reader.read(screen([''])).state).toBe('unknown')
  })
  it('without a title the shortcuts hint says idle', () => {
    expect(reader.read(screen(composer(), ''))).toMatchObject({ state: 'idle', rule: 'gemini.shortcuts' })
  })
  it('a prompt of the conversation is no input box', () => {
    expect(reader.read(screen([...prompt('hello'), ...answer('hi')]))).toMatchObject({
      state: 'unknown',
      composer: null,
    })
  })
  it('a draft of several lines, and an offered completion apart', () => {
    const draft = [ground(` ${on(ACCENT, '> ')}${on(WHITE, 'one')}`), ground(on(WHITE, '   two'))].join('\n')
    expect(reader.read(screen(composer(HINT, draft))).composer?.text).toBe('one\ntwo')
    const offered = ground(` ${on(ACCENT, '> ')}${on(WHITE, '/mod')}${on(GREY, 'el')}`)
    expect(reader.read(screen(composer('', offered))).composer).toEqual({ text: '/mod', ghost: 'el' })
  })
})

const framed = (color: string, lines: readonly string[], width = COLS) => [
  fg(color, `╭${'─'.repeat(width - 2)}╮`),
  ...lines.map((line) => `${fg(color, '│')}${line}\x1b[${width}G${fg(color, '│')}`),
  fg(color, `╰${'─'.repeat(width - 2)}╯`),
]
const inner = (line: string) => [` ╭${'─'.repeat(70)}╮`, ` │ ${line}`, ` ╰${'─'.repeat(70)}╯`]
const shellDialog = (command: string) =>
  framed('#878787', [
    ` ${bold('#ffffaf', '? Shell  ')}${fg(WHITE, command)}`,
    ...inner(command),
    ` Allow execution of ${bold('#ffffaf', '[Shell]')}?`,
    '',
    fg(GREEN, ' ● 1. Allow once'),
    '   2. Allow for this session',
    '   3. No, suggest changes (esc)',
  ])

describe('gemini dialogs', () => {
  it('a command that asks: question, options and a fingerprint with the command', () => {
    const asking = (command: string) =>
      reader.read(screen([...answer('I run it.'), '', ...shellDialog(command)], title('✋  Action Required')))
    expect(asking('touch a')).toMatchObject({
      state: 'blocked',
      rule: 'gemini.dialog.permission',
      composer: null,
    })
    expect(asking('touch a').dialog).toMatchObject({
      kind: 'permission',
      title: 'Allow execution of [Shell]?',
      options: [
        { key: '1', label: 'Allow once', selected: true },
        { key: '2', label: 'Allow for this session', selected: false },
        { key: '3', label: 'No, suggest changes (esc)', selected: false },
      ],
    })
    expect(asking('touch a').dialog?.fingerprint).not.toBe(asking('touch b').dialog?.fingerprint)
  })
  it('a numbered list in what is asked about is not the choice', () => {
    const dialog = reader.read(screen(shellDialog('echo "1. yes"; echo "2. no"'))).dialog
    expect(dialog?.options).toHaveLength(3)
    expect(reader.read(screen(framed('#878787', inner('1. yes')))).dialog).toBeNull()
  })
  it('a question, and the login that is typed', () => {
    const question = framed('#878787', [
      ' Answer Questions',
      '',
      ' Set up the storage',
      ' Which of the two databases that were named above should the whole project',
      ' use from now on?',
      '',
      '   1.  PostgreSQL',
      fg(GREEN, ' ● 2.  [x] SQLite'),
      '   3.  Enter a custom value',
    ])
    expect(reader.read(screen(question)).dialog).toMatchObject({
      kind: 'question',
      title: 'Which of the two databases that were named above should the whole project use from now on?',
      options: [
        { label: 'PostgreSQL' },
        { label: 'SQLite', selected: true },
        { label: 'Enter a custom value' },
      ],
    })
    const key = (typed: string) =>
      reader.read(
        screen(framed(GREEN, [' Enter Gemini API Key', '', ...inner(typed), '', ' (Press Enter to submit)'])),
      ).dialog
    expect(key('Paste')).toMatchObject({ kind: 'login', title: 'Enter Gemini API Key', options: [] })
    expect(key('Paste')?.fingerprint).toBe(key('abc')?.fingerprint)
  })
  it('a frame of statistics above the box is not a dialog', () => {
    const lines = [...framed('#878787', [' Session Stats', ' (Press nothing)']), ...composer()]
    expect(reader.read(screen(lines))).toMatchObject({ state: 'idle', dialog: null })
  })
})

const call = (mark: string, color: string, name: string, rest: string, output: readonly string[]) =>
  framed('#878787', [` ${fg(color, mark)}  ${bold(WHITE, name)} ${fg(GREY, rest)}`, '', ...output], 76)

describe('gemini conversation', () => {
  it('prompts, answers, calls and notices in order', () => {
    const lines = [
      ...prompt('run it', '  indented'),
      ...answer('I will.'),
      '',
      ...call('✓', GREEN, 'Shell', 'echo hi', [' hi']),
      '',
      `  ${fg(GREEN, '✓')}  ${bold(WHITE, 'Edit ')} ${fg(GREY, 'a.txt ')}${fg(ACCENT, '→ Accepted ')}(+1, -1)`,
      '',
      '      1 - old',
      '      1 + new',
      '',
      fg('#ffffaf', 'ℹ Request cancelled.'),
      ...composer(),
    ]
    expect(told(lines)).toEqual([
      ['user.message', 'run it\n  indented'],
      ['assistant_message', 'I will.'],
      ['call', 'Shell', 'shell', '{"command":"echo hi"}'],
      ['end', 'completed', 'hi'],
      ['call', 'Edit', 'edit', '{"path":"a.txt"}'],
      ['end', 'completed', '→ Accepted (+1, -1)\n1 - old\n1 + new'],
      ['info', 'Request cancelled.'],
    ])
  })
  it('thoughts with their subjects, code without its numbers, a compaction', () => {
    const thought = [
      `\x1b[3m${fg(WHITE, ' Thinking...')}`,
      fg(GREY, ' │'),
      `${fg(GREY, ' │ ')}\x1b[1;3mPlan${RESET}`,
    ]
    const code = ['const a = 1', '// two'].map(
      (line, n) => `${fg(GREY, `   ${n + 1} `)}${fg('#87d7d7', line)}`,
    )
    const compaction = `${fg(ACCENT, '✦')} ${fg(GREEN, 'Chat history compressed from 10 to 5 tokens.')}`
    const lines = [...prompt('go'), ...thought, `${fg(GREY, ' │ ')}\x1b[3mI look.${RESET}`, '']
    expect(told([...lines, ...answer('Code:', ''), ...code, '', compaction, ...composer()])).toEqual([
      ['user.message', 'go'],
      ['reasoning', '**Plan**\nI look.'],
      ['assistant_message', 'Code:\n\n```\nconst a = 1\n// two\n```'],
      ['compaction', 'Chat history compressed from 10 to 5 tokens.'],
    ])
  })
  it('an answer that is code alone has no mark; the lines of a diff are the call they stand in', () => {
    const code = fg(GREY, '   1 ') + fg('#87d7d7', 'echo hi')
    const edit = `  ${fg(GREEN, '✓')}  ${bold(WHITE, 'Edit ')} ${fg(GREY, 'a.txt')}`
    expect(told([...prompt('go'), code, '', ...prompt('on'), edit, '', code, ...composer()])).toEqual([
      ['user.message', 'go'],
      ['assistant_message', '```\necho hi\n```'],
      ['user.message', 'on'],
      ['call', 'Edit', 'edit', '{"path":"a.txt"}'],
      ['end', 'completed', '1 echo hi'],
    ])
  })
  it('look-alikes in an answer stay text, queued prompts and to-dos stay away', () => {
    const queue = ['', '\x1b[2m  Queued (press ↑ to edit):\x1b[0m', '\x1b[2m    next one\x1b[0m']
    const todo = [
      fg('#878787', '─'.repeat(COLS)),
      bold(WHITE, ' Todo  1/2 completed (ctrl+t to toggle) » item'),
    ]
    const text = [
      '✓  ReadFile  notes.txt',
      '│ ✓  Shell ls │',
      '> quoted',
      'ℹ Request cancelled.',
      '✕ [API Error: x]',
    ]
    const coded = `  ${fg(ACCENT, '✓')}  ${fg(WHITE, 'ReadFile  notes.txt')}`
    const lines = [...prompt('show'), ...answer('See:', ...text), coded, ...queue, '', ...todo, ...composer()]
    expect(told(lines)).toEqual([
      ['user.message', 'show'],
      ['assistant_message', ['See:', ...text, '✓  ReadFile  notes.txt'].join('\n')],
    ])
  })
  it('a command has the colour of its sign, another text with a slash has not', () => {
    const command = [EDGE, ground(` ${on(ACCENT, '> /stats')}`), LOWER]
    const path = [EDGE, ground(` ${on(ACCENT, '> /etc/hosts is a path')}`), LOWER]
    expect(told([...command, ...path, ...prompt('/tmp is full'), ...composer()])).toEqual([
      ['command', '/stats'],
      ['user.message', '/etc/hosts is a path'],
      ['user.message', '/tmp is full'],
    ])
  })
})

describe('gemini on a screen that became narrower', () => {
  const spinner = fg(WHITE, ' ⠏ Thinking... (esc to cancel, 3s)')
  const working = fg(GREY, ' Shift+Tab to accept edits')
  const leftover = ['', '', spinner, fg(GREY, `${' '.repeat(COLS + 10)}? for shortcuts`), RULE, working]
  const box = [
    EDGE,
    EMPTY,
    LOWER,
    fg(GREY, ' workspace (/directory)        sandbox'),
    fg(WHITE, ' /tmp/proj'),
  ]
  const run = (mark: string, command: string, ...out: string[]) => {
    const side = fg(GREY, '│')
    const name = `${side} ${fg(mark === '✓' ? GREEN : ACCENT, mark)}  ${bold(WHITE, 'Shell ')}${command}`
    return [name, side, ...out.map((line) => `${side} ${line}`), ...(out.length > 0 ? [side] : [])]
  }
  const top = fg(GREY, `╭${'─'.repeat(60)}╮`)
  const end = fg(GREY, `╰${'─'.repeat(60)}╯`)

  it('an answer goes on below its old end, which is told once', () => {
    const first = answer('One.', '', 'Two is', 'here.')
    const rest = [fg(WHITE, '  Two is here.'), '', fg(WHITE, '  Three.')]
    const all = [
      ['user.message', 'go'],
      ['assistant_message', 'One.\n\nTwo is here.\n\nThree.'],
    ]
    expect(told([...prompt('go'), ...first, ...leftover, ...rest, ...composer(spinner)])).toEqual(all)
    expect(told([...prompt('go'), ...first, ...leftover, ...box, ...rest, ...composer(spinner)])).toEqual(all)
  })
  it('an answer that is drawn again from its head is one', () => {
    const [half, whole] = [
      answer('A long beginning of', 'it'),
      answer('A long beginning of it all.', '', 'End.'),
    ]
    const all = [
      ['user.message', 'go'],
      ['assistant_message', 'A long beginning of it all.\n\nEnd.'],
    ]
    expect(told([...prompt('go'), ...half, ...leftover, ...whole, ...composer(spinner)])).toEqual(all)
    expect(told([...prompt('go'), ...half, ...whole, ...composer(spinner)])).toEqual(all)
    expect(told([...answer('One thing.'), '', ...answer('Another thing.'), ...composer()])).toHaveLength(2)
  })
  it('a call that ran in a frame above the newest one is that one', () => {
    const old = [top, ...run('⊶', 'sleep 1'), end]
    const now = [top, ...run('✓', 'sleep 1', 'done'), end]
    const all = [
      ['user.message', 'go'],
      ['call', 'Shell', 'shell', '{"command":"sleep 1"}'],
      ['end', 'completed', 'done'],
    ]
    expect(told([...prompt('go'), ...old, '', '', ...now, ...composer(spinner)])).toEqual(all)
    expect(told([...prompt('go'), ...old, ...leftover, ...now, ...composer(spinner)])).toEqual(all)
  })
  it('calls that run side by side in one frame are all told', () => {
    const group = [top, ...run('⊶', 'one'), ...run('⊶', 'two'), end]
    expect(told([...prompt('go'), ...group, ...composer(spinner)])).toHaveLength(5)
  })
  it('a call in a frame that has no end is left over', () => {
    const group = [top, ...run('✓', 'one', 'a'), ...run('✓', 'two', 'b'), end]
    const old = [top, ...run('✓', 'one', 'a')]
    expect(told([...group, ...old, '', ...answer('Both.'), ...composer()])).toEqual([
      ['call', 'Shell', 'shell', '{"command":"one"}'],
      ['end', 'completed', 'a'],
      ['call', 'Shell', 'shell', '{"command":"two"}'],
      ['end', 'completed', 'b'],
      ['assistant_message', 'Both.'],
    ])
  })
  it('an old empty box is no prompt', () => {
    expect(told([...prompt('go'), ...leftover, ...box, ...answer('Fine.'), ...composer()])).toEqual([
      ['user.message', 'go'],
      ['assistant_message', 'Fine.'],
    ])
  })
})
