/**
 * @module pi/extension-prompts - which prompts the bridge has sent, and where Pi has them: known by their ids for the
 * life of the process, so that none is sent twice.
 */

/** `sent`: handed to Pi, nothing seen of it; `returned`: Pi had it and will not run it. */
export type Stage = 'sent' | 'queued' | 'accepted' | 'begun' | 'returned'
export type QueueMode = 'steer' | 'followUp'

/** A prompt that Pi has and has not run. */
export interface Waiting {
  readonly text: string
  /** Null: not the bridge's. */
  readonly messageId: string | null
  readonly mode: QueueMode | null
}

/** Newest ids that are known. */
const MAX_KNOWN = 5000
/** Prompts of one kind whose text is kept; more are forgotten, oldest first. */
const MAX_WAITING = 64

export class Prompts {
  private readonly stages = new Map<string, Stage>()
  /** Handed to Pi; its `input` event is to come. */
  private sent: { readonly text: string; readonly messageId: string }[] = []
  /** Put in while Pi was idle; a run is to begin with one of them. */
  private inputs: Waiting[] = []
  /** The run that begins was asked this. */
  private starting: Waiting | null = null
  /** Pi's own queue. */
  private queue: Waiting[] = []

  stage(messageId: string): Stage | undefined {
    return this.stages.get(messageId)
  }

  send(messageId: string, text: string): void {
    this.stages.set(messageId, 'sent')
    this.sent = [...this.sent, { text, messageId }].slice(-MAX_WAITING)
    for (const oldest of this.stages.keys()) {
      if (this.stages.size <= MAX_KNOWN) break
      this.stages.delete(oldest)
    }
  }

  /** It was not handed to Pi after all. */
  forget(messageId: string): void {
    this.stages.delete(messageId)
    this.sent = this.sent.filter((s) => s.messageId !== messageId)
  }

  /** Pi takes an input; the prompt it is, where `queued` says that it waits in Pi's queue. */
  input(text: string, source: string, queued: QueueMode | null): Waiting {
    const messageId = source === 'extension' ? this.takeSent(text) : null
    const prompt: Waiting = { text, messageId, mode: queued }
    if (queued) {
      this.move(messageId, 'queued')
      this.queue = [...this.queue, prompt].slice(-MAX_WAITING)
    } else this.inputs = [...this.inputs, prompt].slice(-MAX_WAITING)
    return prompt
  }

  /** A run begins with this prompt, which a template may have made longer; null: nobody put one in. */
  accept(prompt: string | undefined): Waiting | null {
    const { inputs } = this
    this.inputs = []
    const found = inputs.find((i) => i.text === prompt) ?? inputs.at(-1)
    if (!found && prompt === undefined) return null
    this.starting = found ?? { text: prompt ?? '', messageId: null, mode: null }
    this.move(this.starting.messageId, 'accepted')
    return this.starting
  }

  /** A message of the user is before the model; the prompt that it is, null when it is not known. */
  begin(text: string): Waiting | null {
    const is = (w: Waiting): boolean => text === w.text || text.startsWith(`${w.text}\n\n`)
    const { starting } = this
    let found: Waiting | undefined
    if (starting && (is(starting) || starting.messageId === null)) {
      found = starting
      this.starting = null
    } else {
      const inOrder = this.waiting()
      found = inOrder.find((w) => w.text === text) ?? inOrder.find(is)
      // A person's own, as a template made it.
      found ??= inOrder.find((w) => w.messageId === null)
      this.queue = this.queue.filter((w) => w !== found)
    }
    if (!found) return null
    this.move(found.messageId, 'begun')
    return found
  }

  /** Pi's queue in the order in which it runs it. */
  waiting(): Waiting[] {
    const of = (mode: QueueMode): Waiting[] => this.queue.filter((w) => w.mode === mode)
    return [...of('steer'), ...of('followUp')]
  }

  /** Pi's queue is empty and what it held was not run: the bridge's prompts among it. */
  emptied(): Waiting[] {
    const lost = this.waiting()
    this.queue = []
    return this.givenBack(lost)
  }

  /** No run goes on: what was to begin it has not. */
  settled(): Waiting[] {
    const lost = this.starting ? [this.starting] : []
    this.starting = null
    return this.givenBack(lost)
  }

  private givenBack(lost: readonly Waiting[]): Waiting[] {
    const ours = lost.filter((w) => w.messageId !== null)
    for (const { messageId } of ours) this.move(messageId, 'returned')
    return ours
  }

  private takeSent(text: string): string | null {
    const found = this.sent.find((s) => s.text === text)
    if (!found) return null
    this.sent = this.sent.filter((s) => s !== found)
    return found.messageId
  }

  private move(messageId: string | null, stage: Stage): void {
    if (messageId !== null && this.stages.has(messageId)) this.stages.set(messageId, stage)
  }
}
