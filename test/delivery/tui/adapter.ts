/** @module test/delivery/tui/adapter - the test TUI's adapter: all by its screen, or with a side channel beside it. */
import type {
  Adapter,
  Admission,
  Condition,
  Dialog,
  Prompt,
  Reading,
  SideChannel,
  SourceContext,
  Step,
  VendorCommand,
} from '../../../src/adapter/index.js'
import { CUT, footerOf, grammar, read } from './read.js'
import type { Told, TuiScript } from './script.js'

/** A side channel as a hook would be: what is told, and what it was told so far. */
export interface Hook {
  listen(listener: (fact: Told) => void): void
  /** What it told so far: a bridge that comes back hears it again, as out of a vendor's own record. */
  past?(): readonly Told[]
}

export interface TuiAdapterOptions {
  /** Absent: the screen is all there is. */
  readonly hook?: Hook
  /** Whether its declared way into a running turn is there. */
  readonly steer: TuiScript['midTurn']
  readonly argv: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Waits, in ms; short, so that a seed is fast. */
  readonly echoMs?: number
  readonly acceptMs?: number
}

const MARK = /^\[Pasted text #\d+(?: \+\d+ lines)?\]$/u

/** What the box takes for something else: a command, a shell line, a completion. A blank cures it and is cut again. */
function asTyped(text: string): string {
  const head = /^[/!]/u.test(text) ? ' ' : ''
  const tail = /(?:^|\s)@\S*$/u.test(text) ? ' ' : ''
  return head + text + tail
}

/** Whether the box shows this text and nothing else. */
function holds(shown: string | undefined, text: string): boolean {
  if (shown === undefined || shown === '') return false
  const whole = asTyped(text)
  if (MARK.test(shown)) return whole.length > 40 || whole.includes('\n')
  if (shown.startsWith(CUT))
    return whole.length > 40 && whole.trimEnd().endsWith(shown.slice(CUT.length).trimEnd())
  return shown.trim() === whole.trim()
}

const inBox = (text: string): Condition => ({
  name: 'the prompt box shows the text and nothing else',
  holds: ({ reading }) => !reading?.dialog && holds(reading?.composer?.text, text),
})
const boxEmpty: Condition = {
  name: 'the prompt box is empty',
  holds: ({ reading }) => reading?.composer?.text === '',
}
const noDialog: Condition = { name: 'no dialog is open', holds: ({ reading }) => reading?.composer != null }

const accepted = (text: string): Condition => ({
  name: 'the program took the prompt',
  holds: ({ observations }) =>
    observations.some(
      (o) => (o.type === 'user.message' || o.type === 'prompt.accepted') && o.text.trim() === text.trim(),
    ),
})
/** For a prompt into a running turn: it stands in the program's own queue, or was taken up. */
const waiting = (text: string): Condition => ({
  name: 'the program has it in its own queue',
  holds: (seen) => {
    if (accepted(text).holds(seen)) return true
    const first = text.trim().split('\n')[0]?.slice(0, 20) ?? ''
    const rows = seen.reading?.evidence.slice(1) ?? []
    return boxEmpty.holds(seen) && rows.some((row) => row.startsWith(`+ ${first}`))
  },
})

function handOver(prompt: Prompt, taken: Condition, options: TuiAdapterOptions): readonly Step[] {
  const { text } = prompt
  const enter: Step[] = [
    { do: 'must', condition: inBox(text), code: 'delivery_failed' },
    { do: 'keys', keys: ['Enter'] },
  ]
  return [
    { do: 'must', condition: boxEmpty, code: 'draft_present' },
    { do: 'paste', text: asTyped(text) },
    { do: 'see', condition: inBox(text), withinMs: options.echoMs ?? 1500 },
    { do: 'receipt', state: 'typed' },
    ...enter,
    {
      do: 'see',
      condition: taken,
      withinMs: options.acceptMs ?? 4000,
      retry: { when: inBox(text), steps: enter, times: 3 },
    },
    { do: 'receipt', state: 'accepted' },
  ]
}

const idle: Condition = {
  name: 'the program is idle',
  holds: ({ reading, observations }) =>
    reading?.state === 'idle' && observations.some((o) => o.type === 'turn.ended'),
}

const commands: readonly VendorCommand[] = [
  {
    name: 'clear',
    description: 'begins a new conversation',
    argument: 'none',
    argumentHint: null,
    choices: null,
    whileRunning: false,
    steps: () => {
      let before: string | null = null
      const remember: Condition = {
        name: 'a session is open',
        holds: ({ reading }) => {
          before = footerOf(reading)?.session ?? null
          return before !== null
        },
      }
      const cleared: Condition = {
        name: 'the session is another',
        holds: ({ reading }) => {
          const now = footerOf(reading)?.session
          return now !== undefined && now !== before
        },
      }
      return [{ do: 'must', condition: remember }, ...typed('/clear'), see(cleared)]
    },
  },
  {
    name: 'model',
    description: 'another model',
    argument: 'required',
    argumentHint: 'model',
    choices: ['one', 'two'],
    whileRunning: false,
    steps: (model) => {
      const is: Condition = {
        name: `the model is ${model}`,
        holds: ({ reading }) => footerOf(reading)?.model === model,
      }
      const asks: Condition = {
        name: 'it asks whether to switch',
        holds: ({ reading }) => reading?.dialog?.title.startsWith('Switch model?') ?? false,
      }
      const either: Condition = {
        name: 'it asks, or has switched',
        holds: (s) => is.holds(s) || asks.holds(s),
      }
      return [
        ...typed(`/model ${model}`),
        see(either),
        { do: 'if', condition: asks, steps: [{ do: 'keys', keys: ['Enter'] }] },
        see(is),
      ]
    },
  },
  {
    name: 'exit',
    description: 'ends the program',
    argument: 'none',
    argumentHint: null,
    choices: null,
    whileRunning: false,
    ends: true,
    steps: () => typed('/exit'),
  },
  {
    name: 'slash',
    description: 'a command of the program, as it is',
    argument: 'required',
    argumentHint: 'command',
    choices: null,
    whileRunning: false,
    steps: (line) => [
      ...typed(line),
      see({
        ...boxEmpty,
        name: 'the box is empty, or a dialog is up',
        holds: (s) => boxEmpty.holds(s) || s.reading?.dialog != null,
      }),
    ],
  },
]

function see(condition: Condition): Step {
  return { do: 'see', condition, withinMs: 4000 }
}

/** A command line as it is, ended by a blank so that no popup has the Enter. */
function typed(line: string): Step[] {
  const shown: Condition = {
    name: 'the prompt box shows the command',
    holds: ({ reading }) => reading?.composer?.text.trim() === line,
  }
  return [
    { do: 'must', condition: boxEmpty, code: 'draft_present' },
    { do: 'paste', text: `${line} ` },
    see(shown),
    { do: 'must', condition: shown },
    { do: 'keys', keys: ['Enter'] },
  ]
}

function admits(reading: Reading | null): Admission {
  if (reading?.dialog) return { ok: false, reason: `a dialog is open: ${reading.dialog.title}` }
  if (!reading?.composer) return { ok: false, reason: 'the prompt box is not on the screen' }
  if (reading.composer.text !== '') return { ok: false, reason: 'a person has unsent text in the prompt box' }
  return { ok: true }
}

/** Esc until the turn has ended; what the program put back into the box is taken out again. */
function interrupt(turn: { readonly prompt: string | null }): readonly Step[] {
  const back = { ...inBox(turn.prompt ?? ''), name: 'the prompt was put back into the box' }
  return [
    { do: 'must', condition: noDialog },
    { do: 'keys', keys: ['Escape'] },
    {
      do: 'see',
      condition: idle,
      withinMs: 1500,
      code: 'timeout',
      retry: {
        when: { name: 'the turn still runs', holds: ({ reading }) => reading?.state === 'running' },
        steps: [{ do: 'keys', keys: ['Escape'] }],
        times: 2,
      },
    },
    {
      do: 'if',
      condition: back,
      steps: [
        { do: 'keys', keys: ['C-c'] },
        { do: 'see', condition: boxEmpty, withinMs: 1500, code: 'timeout' },
      ],
    },
  ]
}

/** Moves the selection and confirms; one script, pressed once. */
function answer(dialog: Dialog, key: string): readonly Step[] {
  const from = dialog.options.findIndex((o) => o.selected)
  const to = dialog.options.findIndex((o) => o.key === key)
  const arrow = to > from ? 'Down' : 'Up'
  const keys = Array.from({ length: Math.abs(to - Math.max(0, from)) }, () => arrow)
  return [{ do: 'keys', keys: [...keys, 'Enter'] }]
}

function channelOf(hook: Hook): SideChannel {
  return {
    name: 'tui.hook',
    async start(context: SourceContext) {
      const emit = context.emit
      const tell = (fact: Told) => {
        if (fact.type === 'accepted')
          emit({ source: 'hook', type: 'prompt.accepted', text: fact.text, queued: fact.queued })
        else if (fact.type === 'returned') emit({ source: 'hook', type: 'prompt.returned', text: fact.text })
        else if (fact.type === 'ended') emit({ source: 'hook', type: 'turn.ended', outcome: fact.outcome })
        else {
          if (fact.own) emit({ source: 'hook', type: 'turn.started' })
          emit({ source: 'hook', type: 'user.message', key: fact.key, text: fact.text })
        }
      }
      if (context.resumed) {
        for (const fact of hook.past?.() ?? []) tell(fact)
        emit({ source: 'hook', type: 'caught_up' })
      }
      hook.listen(tell)
    },
    async stop() {},
  }
}

/** An adapter of the test TUI. */
export function tuiAdapter(options: TuiAdapterOptions): Adapter {
  const { hook } = options
  return {
    vendor: {
      id: 'tui',
      name: 'Test TUI',
      binaries: ['node'],
      binaryVariable: 'TEST_TUI_BINARY',
      testedVersions: ['1'],
      installHint: 'it is part of the tests',
      loginHint: 'it needs none',
      versionArgs: ['--version'],
    },
    capabilities: () => [],
    auth: () => ({ status: 'ok', detail: 'it needs none' }),
    launch: () => ({
      argv: options.argv,
      env: { PATH: process.env.PATH ?? '', LANG: 'C.UTF-8', TERM: 'xterm-256color', ...options.env },
      files: [],
      vendorSessionId: null,
      facts: {},
    }),
    read,
    grammar,
    sources: () => (hook ? [channelOf(hook)] : []),
    ...(hook ? {} : { contentWriter: 'screen' as const }),
    stateWriter: 'screen',
    ready: ({ reading }) => reading?.composer != null,
    admits,
    held: (text) => text.replaceAll('\t', '    ').trim(),
    deliver: (prompt) => handOver(prompt, accepted(prompt.text), options),
    ...(options.steer === 'refuse'
      ? {}
      : { steer: (prompt) => handOver(prompt, waiting(prompt.text), options) }),
    withdraw: (text) => [
      { do: 'if', condition: inBox(text), steps: [{ do: 'keys', keys: ['C-u'] }] },
      { do: 'see', condition: boxEmpty, withinMs: 1500, code: 'timeout' },
    ],
    stillInBox: (prompt, reading) => !reading?.dialog && holds(reading?.composer?.text, prompt.text),
    interrupt,
    answer,
    commands,
  }
}
