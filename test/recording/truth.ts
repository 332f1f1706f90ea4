/** @module test/recording/truth - what truly happened in a recording: what was typed and what the model sent. */
import type { LoggedRequest, ToolCall } from '../../src/model-server/index.js'

/** Whether a reader of the bytes can see it: all of its text, a part or a label of it, or nothing. */
export type OnScreen = boolean | 'partial'

export type ToolKind = 'shell' | 'read' | 'edit' | 'write' | 'other'

/** How a vendor draws an item. */
export interface Shown {
  readonly onScreen: OnScreen
  /** What stands on the screen for it, where that is not its text. */
  readonly screenText?: string
  /** No line of its own that is sure to be there. */
  readonly optional?: boolean
}

export interface TruthItem extends Shown {
  readonly kind:
    | 'user_message'
    | 'assistant_message'
    | 'reasoning'
    | 'tool_call'
    | 'command'
    | 'notice'
    | 'compaction'
  readonly text?: string
  /** What the program kept of an interrupted answer. */
  readonly partialText?: string
  readonly tool?: ToolKind
  readonly name?: string
  readonly input?: unknown
  readonly status?: CallStatus
}

export type CallStatus = 'completed' | 'failed' | 'denied' | 'aborted'
export type TurnStop = 'end_turn' | 'denied' | 'interrupted' | 'error'
export type KnownState = 'idle' | 'running' | 'blocked'

export interface TruthDialog {
  readonly kind: 'permission' | 'trust' | 'model' | 'other'
  readonly question: string
  readonly options: readonly string[]
  readonly answer: string
}

export interface TruthUsage {
  readonly input: number
  readonly output: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly reasoning: number
}

/** The truth file of a recording. Times are seconds since its start. */
export interface Truth {
  readonly vendor: string
  readonly version: string
  readonly cols: number
  readonly rows: number
  readonly alternateScreen: boolean
  readonly items: readonly TruthItem[]
  readonly turns: readonly { readonly stop: TurnStop }[]
  readonly dialogs: readonly TruthDialog[]
  readonly states: readonly { readonly t: number; readonly state: KnownState }[]
  readonly usage: readonly TruthUsage[]
  readonly notes?: string
}

/** How one vendor draws what is not plain text. */
export interface Drawing {
  call(call: ToolCall, tool: ToolKind, status: CallStatus | null): Shown
  readonly reasoning: Shown
}

const TOOLS: Readonly<Record<ToolKind, readonly string[]>> = {
  shell: ['bash', 'shell', 'runshellcommand', 'execcommand'],
  read: ['read', 'readfile', 'view'],
  edit: ['edit', 'replace', 'applypatch', 'strreplace'],
  write: ['write', 'writefile', 'create'],
  other: [],
}

/** The canonical tool of a vendor's tool name. */
export function toolOf(name: string): ToolKind {
  const plain = name.toLowerCase().replaceAll(/[_-]/g, '')
  for (const tool of ['shell', 'read', 'edit', 'write'] as const) if (TOOLS[tool].includes(plain)) return tool
  return 'other'
}

/** A moment of the conversation: something typed or shown, or an answer of the model. */
type Moment = { readonly item: TruthItem } | { readonly request: LoggedRequest }

/** Collects a conversation in the order in which the program shows it. */
export class Timeline {
  readonly #moments: Moment[] = []
  #waiting: { text: string; item: TruthItem }[] = []
  readonly #statuses: { part: string; status: CallStatus | null }[] = []
  readonly #cuts = new Map<LoggedRequest, string>()
  #thought: string | null = null

  /** A prompt; it stands before the first request that carries it. */
  prompt(text: string, shown: Shown): void {
    this.#waiting.push({ text, item: { kind: 'user_message', text, ...shown } })
  }

  /** Anything that is drawn now. */
  item(item: TruthItem): void {
    this.#flush(() => true)
    this.#moments.push({ item })
  }

  /** A request of a turn has come in; `carries` tells which prompts it has. */
  request(request: LoggedRequest): void {
    this.#flush((text) => squeezed(request.lastUserText).includes(squeezed(text)))
    this.#moments.push({ request })
  }

  /** A call whose input has `part` in it does not end well; null: nobody is told how. */
  expect(part: string, status: CallStatus | null): void {
    this.#statuses.push({ part, status })
  }

  /** An answer was interrupted; so much of it stayed. */
  cut(request: LoggedRequest, kept: string): void {
    this.#cuts.set(request, kept)
  }

  /** The label that stands on the screen for a folded thought. */
  thought(label: string): void {
    this.#thought = label
  }

  items(drawing: Drawing): TruthItem[] {
    this.#flush(() => true)
    return this.#moments.flatMap((moment) =>
      'item' in moment ? [moment.item] : this.#answer(moment.request, drawing),
    )
  }

  usage(): TruthUsage[] {
    return this.#moments.flatMap((moment) => {
      const usage = 'request' in moment ? moment.request.response.usage : null
      return usage === null ? [] : [usage]
    })
  }

  /** The blocks of an answer: the scripts here only send them in this order. */
  #answer(request: LoggedRequest, drawing: Drawing): TruthItem[] {
    const { text, reasoning, toolCalls } = request.response
    const kept = this.#cuts.get(request)
    const items: TruthItem[] = []
    if (reasoning !== '') {
      const label = this.#thought === null ? {} : { screenText: this.#thought }
      items.push({ kind: 'reasoning', text: reasoning, ...drawing.reasoning, ...label })
    }
    if (text !== '') {
      const partial = kept === undefined ? {} : { partialText: kept }
      items.push({ kind: 'assistant_message', text, onScreen: true, ...partial })
    }
    for (const call of toolCalls) {
      const tool = toolOf(call.name)
      const input = call.freeform ? call.input.input : call.input
      const said = JSON.stringify(input)
      const known = this.#statuses.find(({ part }) => said.includes(part))
      const status = known === undefined ? 'completed' : known.status
      items.push({
        kind: 'tool_call',
        tool,
        name: call.name,
        input,
        ...(status === null ? {} : { status }),
        ...drawing.call(call, tool, status),
      })
    }
    return items
  }

  #flush(now: (text: string) => boolean): void {
    const due = this.#waiting.filter(({ text }) => now(text))
    this.#waiting = this.#waiting.filter((one) => !due.includes(one))
    this.#moments.push(...due.map(({ item }) => ({ item })))
  }
}

function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
