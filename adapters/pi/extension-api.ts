/**
 * @module pi/extension-api - the part of Pi's extension API that the extension uses, as structural types.
 *
 * Pi's own types are not a dependency: what is read here is what its documentation of extensions names, and
 * everything optional that an older or newer Pi may leave out.
 */

export interface PiModel {
  readonly id: string
  readonly provider: string
}

export interface PiContent {
  readonly type: string
  readonly text?: string
  readonly thinking?: string
}

export interface PiMessage {
  readonly role: string
  readonly content?: string | readonly PiContent[]
  readonly model?: string
  readonly stopReason?: string
  readonly errorMessage?: string
  readonly usage?: {
    readonly input: number
    readonly output: number
    readonly cacheRead: number
    readonly cacheWrite: number
    readonly reasoning?: number
    readonly cost?: { readonly total: number; readonly totalFromProvider?: boolean }
  }
}

export interface PiContext {
  readonly model?: PiModel | undefined
  readonly signal?: AbortSignal | undefined
  readonly sessionManager: {
    getSessionId(): string
    getSessionFile(): string | undefined
    getSessionDir?(): string
    getLeafId?(): string | null
  }
  readonly modelRegistry?: {
    find(provider: string, id: string): PiModel | undefined
    getAvailable(): readonly PiModel[]
  }
  readonly ui?: { getEditorText?(): string; setEditorText?(text: string): void }
  isIdle(): boolean
  abort(): void
  hasPendingMessages?(): boolean
  shutdown?(): void
  compact?(options: {
    customInstructions?: string
    onComplete: (result: unknown) => void
    onError: (error: Error) => void
  }): void
}

type Replaced = Promise<{ readonly cancelled: boolean }>

/** What only a command of an extension gets. Its old objects throw once the session was replaced. */
export interface PiCommandContext extends PiContext {
  newSession(): Replaced
  fork(entryId: string, options: { position: 'at' }): Replaced
  switchSession(path: string): Replaced
}

interface ToolCall {
  readonly toolCallId: string
  readonly toolName: string
}

/** Events by name, with the fields that are read. */
export interface PiEvents {
  session_start: { readonly reason: string }
  session_shutdown: { readonly reason: string }
  input: { readonly text: string; readonly source: string; readonly streamingBehavior?: 'steer' | 'followUp' }
  before_agent_start: { readonly messageType?: string; readonly prompt?: string }
  agent_start: object
  agent_settled: { readonly aborted?: boolean }
  turn_start: object
  turn_end: { readonly messageEntryId?: string }
  message_start: { readonly message: PiMessage }
  message_update: {
    readonly assistantMessageEvent: {
      readonly type: string
      readonly contentIndex?: number
      readonly delta?: string
    }
  }
  message_end: { readonly message: PiMessage }
  tool_execution_start: ToolCall & { readonly args: unknown }
  tool_execution_update: ToolCall & { readonly partialResult?: { readonly content?: readonly PiContent[] } }
  tool_execution_end: ToolCall & {
    readonly result?: { readonly content?: readonly PiContent[] }
    readonly isError: boolean
    readonly durationMs?: number
  }
  tool_call: ToolCall
  model_select: { readonly model: PiModel }
  thinking_level_select: { readonly level: string }
  session_info_changed: { readonly name?: string | undefined }
  session_before_compact: { readonly reason?: string }
  session_compact: { readonly reason?: string; readonly compactionEntry?: { readonly tokensBefore?: number } }
  session_compact_failed: {
    readonly reason?: string
    readonly aborted?: boolean
    readonly errorMessage?: string
  }
  ui_prompt_start: { readonly kind: string; readonly title?: string }
  ui_prompt_end: object
}

export interface PiApi {
  on<E extends keyof PiEvents>(event: E, handler: (event: PiEvents[E], ctx: PiContext) => unknown): unknown
  sendUserMessage(
    content: string | readonly (PiContent | PiImage)[],
    options?: { deliverAs?: 'steer' | 'followUp'; expandPromptTemplates?: boolean },
  ): void
  registerCommand(
    name: string,
    command: { description: string; handler: (args: string, ctx: PiCommandContext) => Promise<void> },
  ): void
  getCommands(): readonly { name: string; description?: string; source: string }[]
  setModel(model: PiModel): Promise<boolean>
  getThinkingLevel(): string
  setThinkingLevel(level: string): void
  setSessionName(name: string): void
  getSessionName?(): string | undefined
}

export interface PiImage {
  readonly type: 'image'
  /** Base64. */
  readonly data: string
  readonly mimeType: string
}

/** The text of a message's or result's content; an image becomes a mark. */
export function textOf(content: string | readonly PiContent[] | undefined): string {
  if (content === undefined) return ''
  if (typeof content === 'string') return content
  return content.map((c) => (c.type === 'text' ? (c.text ?? '') : `[${c.type}]`)).join('\n')
}
