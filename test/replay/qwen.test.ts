import { describe, expect, it } from 'vitest'
import { reader } from '../../adapters/qwen/index.js'
import { TranscriptReader } from '../../src/adapter/index.js'
import { screenOf } from '../support/screen-rows.js'

const COLS = 80
const RESET = '\x1b[0m'
const rgb = (hex: string) =>
  `\x1b[38;2;${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(';')}m`
const fg = (hex: string, text: string) => `${rgb(hex)}${text}${RESET}`
const bold = (text: string) => `\x1b[1m${text}${RESET}`
const dim = (text: string) => `\x1b[2m${text}${RESET}`
const [ACCENT, GREY, GREEN, RED] = ['#cba6f7', '#6c7086', '#a6e3a1', '#f38ba8']
const RULE = fg('#89b4fa', '─'.repeat(COLS))
const title = (text: string) => `\x1b]2;${text}\x07`
const PLAIN = title('Qwen - proj')
const MODE = fg(GREY, '  ⏸ Ask permissions (shift + tab to cycle)')
const EMPTY = `${fg(ACCENT, '> ')}${fg(GREY, '  Type your message or @path/to/file')}`

const prompt = (...lines: string[]) => [
  '',
  ...lines.map((line, n) => fg(ACCENT, n === 0 ? `  > ${line}` : `    ${line}`)),
]
const answer = (first: string, ...rest: string[]) => [
  '',
  `  ${fg(ACCENT, '◆\ufe0e ')}${first}`,
  ...rest.map((line) => `    ${line}`),
]
const composer = (above: readonly string[] = [''], text = EMPTY) => [
  ...above,
  RULE,
  text,
  RULE,
  fg(ACCENT, '  ➜ proj · mock-model'),
  MODE,
]
const screen = (lines: readonly string[], head = PLAIN) =>
  screenOf(head + lines.join('\n'), { cols: COLS, rows: 40, alternate: true })
const HINT = '  Ctrl+Q to queue · ↑ to edit queued messages'
const SPINNER = `  .  ${fg(ACCENT, 'Brewing... ')}${fg(GREY, '(3s · ↓ 5 tokens · esc to cancel)')}`

/** What a quiet screen tells, items only. */
function told(...screens: (readonly string[])[]) {
  const reading = new TranscriptReader(reader.grammar)
  const views = screens.map((lines) => screen(lines))
  const seen = views.flatMap((view) => reading.frame(view, reader.read(view)))
  return [...seen, ...reading.settle(true)].flatMap((o) => {
    if (o.type === 'user.message' || o.type === 'command') return [[o.type, o.text]]
    if (o.type === 'text.completed') return [[o.kind, o.text]]
    if (o.type === 'notice') return [[o.level, o.text]]
    if (o.type === 'item') return [[o.kind, o.text]]
    if (o.type === 'tool.started') return [['call', o.name, o.tool, JSON.stringify(o.input)]]
    if (o.type === 'tool.completed') return [['end', o.status, o.output]]
    return []
  })
}

describe('qwen states', () => {
  it('idle by its title, with an empty box', () => {
    expect(reader.read(screen(composer()))).toMatchObject({
      state: 'idle',
      rule: 'qwen.title.plain',
      composer: { text: '', ghost: 'Type your message or @path/to/file' },
      dialog: null,
    })
  })
  it('a spinner in two rows, with dots in either', () => {
    const rows = [
      `  . ${fg(ACCENT, 'A phrase that takes two')} ${fg(GREY, '(3s · esc to')}`,
      `  .  ${fg(GREY, 'cancel)')}`,
    ]
    expect(reader.read(screen(composer(['', ...rows]), '')).rule).toBe('qwen.spinner')
  })
  it('running by title or spinner, also where the hint has a row of its own', () => {
    expect(reader.read(screen(composer(), title('◐\ufe0e Qwen - proj'))).rule).toBe('qwen.title.working')
    expect(reader.read(screen(composer(['', SPINNER]))).rule).toBe('qwen.spinner')
    const narrow = [
      '',
      `  .. Brewing...   ${fg(GREY, '(0s · ↑ 10 tokens · esc')}`,
      fg(GREY, '       to cancel)'),
    ]
    expect(reader.read(screen(composer(narrow))).rule).toBe('qwen.spinner')
  })
  it('without a title the footer says what runs', () => {
    expect(reader.read(screen(composer(), ''))).toMatchObject({ state: 'idle', rule: 'qwen.footer.mode' })
    const steer = [...composer().slice(0, -1), fg(GREY, '  Enter to steer · Ctrl+Q to queue')]
    expect(reader.read(screen(steer, ''))).toMatchObject({ state: 'running', rule: 'qwen.footer.steer' })
  })
  it('a screen without the box is not known', () => {
    expect(reader.read(screen([...prompt('hi'), ...answer('ho')]))).toMatchObject({ state: 'unknown' })
  })
  it('a draft of several lines, and an offered completion apart', () => {
    const draft = [`${fg(ACCENT, '> ')}one`, '  two'].join('\n')
    expect(reader.read(screen(composer([''], draft))).composer).toEqual({ text: 'one\ntwo', ghost: null })
    const offered = `${fg(ACCENT, '> ')}/mod${fg(GREY, 'el')}`
    expect(reader.read(screen(composer([''], offered))).composer).toEqual({ text: '/mod', ghost: 'el' })
  })
})

describe('qwen files that are read together', () => {
  const calls = (...lines: string[]) => {
    const row = (text: string, n: number) =>
      n === 0 ? `  ${fg(GREEN, '✓ ')}${bold(text)}` : `    ${bold(text)}`
    const facts = told([...prompt('Read'), ...answer('I read.'), ...lines.map(row), ...composer()])
    return facts.flatMap(([kind, name, , input]) => (kind === 'call' ? [`${name} ${input}`] : []))
  }
  it('are one call each, also where the line is broken', () => {
    expect(calls('Read a.md, b.md')).toEqual(['Read {"path":"a.md"}', 'Read {"path":"b.md"}'])
    expect(calls('Read a.md,', 'b.md')).toEqual(['Read {"path":"a.md"}', 'Read {"path":"b.md"}'])
  })
  it('are one call where only their number is told, or a comma stands in a name', () => {
    expect(calls('Read 3 files')).toEqual(['Read {"text":"3 files"}'])
    expect(calls('Read my notes, old.txt')).toEqual(['Read {"path":"my notes, old.txt"}'])
  })
})

const ASKING = title('✳\ufe0e Qwen - proj')
const asked = (command: string) => [
  ...answer('I run it.'),
  `  ${fg(GREY, '? ')}${bold('Shell ')}${fg(GREY, `${command} (Touches it) `)}←`,
  '',
  fg('#89b4fa', `     ${command}`),
  '',
  "   Allow execution of: 'touch'?",
  '',
  fg(GREEN, '   › 1. Yes, allow once'),
  '     2. No, suggest changes (esc)',
  '',
  `  ⠏ ${fg(ACCENT, 'Waiting for user confirmation...')}`,
]

describe('qwen dialogs', () => {
  it('a call that asks: question, options and a fingerprint with the command', () => {
    const reading = (command: string) => reader.read(screen(asked(command), ASKING))
    expect(reading('touch a')).toMatchObject({ state: 'blocked', rule: 'qwen.dialog.permission' })
    expect(reading('touch a').dialog).toMatchObject({
      kind: 'permission',
      title: "Allow execution of: 'touch'?",
      options: [
        { key: '1', label: 'Yes, allow once', selected: true },
        { key: '2', label: 'No, suggest changes (esc)', selected: false },
      ],
    })
    expect(reading('touch a').dialog?.fingerprint).not.toBe(reading('touch b').dialog?.fingerprint)
  })
  it('blocked without a dialog while it is not drawn yet', () => {
    expect(reader.read(screen(asked('touch a').slice(0, 4), ASKING))).toMatchObject({
      state: 'blocked',
      rule: 'qwen.title.asking',
      dialog: null,
    })
  })
  it('a frame that the scroll bar pushed over the edge, until it is answered', () => {
    const edge = '─'.repeat(COLS - 4)
    const lines = [
      `                ${' '.repeat(COLS - 17)}│`,
      `   ╭${edge}`,
      '   │',
      `   │ ${bold('Do you trust this folder?')}`,
      '   │ Trusting a folder allows it to execute commands.',
      '   │',
      `   │ ${fg(GREEN, '› 1. Trust folder (work)')}`,
      "   │   2. Don't trust (esc)",
      '   │',
      `   ╰${edge}`,
    ]
    expect(reader.read(screen(lines, ''))).toMatchObject({
      state: 'blocked',
      dialog: {
        kind: 'trust',
        title: 'Do you trust this folder?',
        options: [
          { key: '1', label: 'Trust folder (work)', selected: true },
          { key: '2', label: "Don't trust (esc)", selected: false },
        ],
      },
    })
    const over = [...lines, '', '  Qwen Code is restarting to apply the trust changes...']
    expect(reader.read(screen(over, '')).dialog).toBeNull()
  })
  it('names to choose from in a frame, their grey lines apart', () => {
    const row = (text: string) => `  ${fg(GREY, '│')}${text}\x1b[63G${fg(GREY, '│')}`
    const lines = [
      fg(GREY, `  ┌${'─'.repeat(59)}┐`),
      row(bold(' Connect a Provider')),
      row(fg(GREEN, ' › Alibaba ModelStudio')),
      row(fg(GREY, '   Official setup')),
      row('   Custom Provider'),
      row(fg(GREY, '   A local server')),
      fg(GREY, `  └${'─'.repeat(59)}┘`),
    ]
    expect(reader.read(screen(lines)).dialog).toMatchObject({
      kind: 'login',
      title: 'Connect a Provider',
      options: [
        { label: 'Alibaba ModelStudio', selected: true },
        { label: 'Custom Provider', selected: false },
      ],
    })
  })
})

const call = (mark: string, name: string, rest: string, ...output: string[]) => [
  `  ${mark}${bold(`${name} `)}${fg(GREY, rest)}`,
  ...output.map((line) => `    ${line}`),
]

describe('qwen conversation', () => {
  it('prompts, answers, calls and notices in order', () => {
    const lines = [
      ...prompt('run it', '  indented'),
      ...answer('I will.'),
      ...call(fg(GREEN, '✓ '), 'Shell', 'echo hi (Says hi)', 'hi'),
      ...call(fg(RED, 'x '), 'Edit', '{"file_path":"/a/b.txt","old_string":"x"}', 'not found'),
      `  ${fg(GREEN, '✓ ')}${bold('Read notes.txt')}`,
      ...call(fg('#f9e2af', '✓ '), 'echo (lab MCP Server)', '{"n":1}', 'one'),
      '  ●\ufe0e Request cancelled.',
      `  ${fg(RED, '✕ [API Error: 400 bad]')} ${fg(GREY, '(Press Ctrl+Y to retry)')}`,
    ]
    expect(told([...lines, ...composer()])).toEqual([
      ['user.message', 'run it\n  indented'],
      ['assistant_message', 'I will.'],
      ['call', 'Shell', 'shell', '{"command":"echo hi"}'],
      ['end', 'completed', 'hi'],
      ['call', 'Edit', 'edit', '{"path":"/a/b.txt"}'],
      ['end', 'failed', 'not found'],
      ['call', 'Read', 'read', '{"path":"notes.txt"}'],
      ['end', 'completed', ''],
      ['call', 'echo (lab MCP Server)', 'mcp', '{"n":"1"}'],
      ['end', 'completed', 'one'],
      ['info', 'Request cancelled.'],
      ['error', '[API Error: 400 bad]'],
    ])
  })
  it('unfolded thoughts, code without its numbers, a compaction, a command', () => {
    const thought = [
      '',
      `\x1b[2;3m  ∴\ufe0e Thought for 1s (ctrl+o to collapse)${RESET}`,
      fg(GREY, '    I look.'),
    ]
    const code = ['const a = 1', '// two'].map(
      (line, n) => `${fg(GREY, `     ${n + 1} `)}${fg('#bfbdb6', line)}`,
    )
    const compacted = [
      '',
      `  ${fg(ACCENT, '◆\ufe0e ')}${fg(GREEN, 'Chat history compressed from 10 to 5 tokens.')}`,
    ]
    const lines = [...prompt('go'), ...thought, ...answer('Code:', ''), ...code, ...compacted]
    expect(told([...lines, ...prompt('/stats'), ...prompt('/tmp/a is full'), ...composer()])).toEqual([
      ['user.message', 'go'],
      ['reasoning', 'I look.'],
      ['assistant_message', 'Code:\n\n```\nconst a = 1\n// two\n```'],
      ['compaction', 'Chat history compressed from 10 to 5 tokens.'],
      ['command', '/stats'],
      ['user.message', '/tmp/a is full'],
    ])
  })
  it('look-alikes in an answer stay text, queued prompts and tasks stay away', () => {
    const text = ['◆ not one', '✓ Shell ls', '? Shell touch a ←', '● Request cancelled.']
    const tasks = ['  ╭──────────────╮', '  │ Current tasks│', '  │ 1. ○ Build   │', '  ╰──────────────╯']
    const above = ['', SPINNER, '', ...tasks, '', dim('  next one'), dim(HINT)]
    // The hint may be slanted, as a folded thought is.
    const slanted = [...above.slice(0, -1), `\x1b[3m${dim(HINT)}`]
    const lines = [...prompt('show'), ...answer('See:', ...text)]
    for (const status of [above, slanted]) {
      const view = screen([...lines, ...composer(status)])
      expect(reader.grammar.transcript(view, reader.read(view))?.bottom).toBe(lines.length + 1)
    }
    expect(told([...lines, ...composer(above)])).toEqual([
      ['user.message', 'show'],
      ['assistant_message', ['See:', ...text].join('\n')],
    ])
  })
  it('a scroll bar that comes and goes is no part of the text', () => {
    const lines = [...prompt('go'), ...answer('one', 'two', '', 'four')]
    const barred = lines.map((line) => `${line}\x1b[${COLS}G${dim('│')}`)
    expect(told([...lines, ...composer()], [...barred, ...composer()])).toEqual([
      ['user.message', 'go'],
      ['assistant_message', 'one\ntwo\n\nfour'],
    ])
  })
  it('a blank row below the bar is not of the conversation, a blank one beside it is', () => {
    const lines = [...prompt('go'), ...answer('one', 'two'), '']
    const barred = lines.map((line) => `${line}\x1b[${COLS}G${dim('│')}`)
    const view = screen([...barred, ...composer(['', '', SPINNER, ''])])
    expect(reader.grammar.transcript(view, reader.read(view))?.bottom).toBe(lines.length)
  })
  it('a call above which a dialog opens and closes is one call', () => {
    const head = (mark: string, end = '') => `  ${fg(ACCENT, mark)} ${bold('Shell')} ls${end}`
    const start = [...prompt('go'), ...answer('I look.')]
    const asked = [
      ...start,
      head('?', ' ←'),
      '',
      '     ls',
      '',
      "   Allow execution of: 'ls'?",
      '',
      fg(GREEN, '   › 1. Yes, allow once'),
      '     2. No, suggest changes (esc)',
    ]
    const view = screen(asked)
    expect(reader.grammar.transcript(view, reader.read(view))?.bottom).toBe(start.length + 1)
    const runs = [...start, head('.'), ...composer(['', SPINNER, ''])]
    expect(told(runs, runs, runs, asked, asked, [...start, head('✓'), '    a.txt', ...composer()])).toEqual([
      ['user.message', 'go'],
      ['assistant_message', 'I look.'],
      ['call', 'Shell', 'shell', '{"command":"ls"}'],
      ['end', 'completed', 'a.txt'],
    ])
  })
})
