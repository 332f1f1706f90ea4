/** @module cli/turn-watch - follows one sent message through its turn and hands out the assistant's text as it comes. */
import type { MeowEvent, TurnOutcome, Usage } from '../protocol/events.js'

export interface TurnEnd {
  readonly outcome: TurnOutcome
  readonly turnId: string | null
  readonly detail: string | null
  /** The assistant's completed texts of the turn. */
  readonly text: string
  readonly usage: Usage | null
}

/**
 * A machine over the session's events: it waits for the user message of this delivery, then passes on the assistant's
 * text until the turn ends. Completed text is authoritative: what deltas already showed of it is not shown again.
 */
export class TurnWatch {
  /** Set once, when there is nothing more to come. */
  end: TurnEnd | null = null
  private begun = false
  private turnId: string | null = null
  private lastOutcome: TurnOutcome = 'completed'
  private readonly shown = new Map<string, string>()
  private readonly texts: string[] = []
  private last: string | null = null

  /** @param write receives the text to show; nothing but assistant text. */
  constructor(
    private readonly messageId: string,
    private readonly write: (text: string) => void,
  ) {}

  /** Takes one event; true when the turn has ended. */
  take(event: MeowEvent): boolean {
    if (this.end !== null) return true
    if (event.type === 'session.ended') return this.finish('failed', "the vendor's program ended", null)
    if (event.type === 'delivery' && event.messageId === this.messageId) {
      if (event.state === 'failed' && !this.begun) return this.finish('failed', event.reason, null)
      // The prompt's own item never came, and yet its turn is over.
      if (event.state === 'completed' && !this.begun) return this.finish(this.lastOutcome, event.reason, null)
      return false
    }
    if (!this.begun) {
      if (event.type === 'turn.started') this.turnId = event.turnId
      if (event.type === 'turn.completed') {
        this.turnId = null
        this.lastOutcome = event.outcome
      }
      if (event.type === 'item.completed' && event.item.kind === 'user_message') {
        if (event.item.messageId !== this.messageId) return false
        this.begun = true
        this.turnId = event.turnId ?? this.turnId
      }
      return false
    }
    return this.during(event)
  }

  private during(event: MeowEvent): boolean {
    switch (event.type) {
      case 'turn.started':
        this.turnId ??= event.turnId
        return false
      case 'item.delta':
        if (event.kind === 'assistant_message') this.delta(event.itemId, event.offset, event.delta)
        return false
      case 'item.completed':
        if (event.item.kind === 'assistant_message') this.completed(event.itemId, event.item.text)
        return false
      case 'turn.completed':
        if (this.turnId !== null && event.turnId !== this.turnId) return false
        return this.finish(event.outcome, event.detail, event.usage)
      default:
        return false
    }
  }

  private delta(itemId: string, offset: number, delta: string): void {
    const before = this.shown.get(itemId) ?? ''
    // The head of the item was told before this watch began; the completed text brings it.
    if (offset > before.length) return
    const fresh = delta.slice(before.length - offset)
    if (fresh === '') return
    this.open(itemId)
    this.shown.set(itemId, before + fresh)
    this.write(fresh)
  }

  private completed(itemId: string, text: string): void {
    const before = this.shown.get(itemId) ?? ''
    this.open(itemId)
    // Where the shown text was not the true one, the true one is shown whole: never a silent contradiction.
    this.write(text.startsWith(before) ? text.slice(before.length) : `\n${text}`)
    this.shown.set(itemId, text)
    this.texts.push(text)
  }

  /** A line break between two texts. */
  private open(itemId: string): void {
    if (this.last !== null && this.last !== itemId) this.write('\n')
    this.last = itemId
  }

  private finish(outcome: TurnOutcome, detail: string | null, usage: Usage | null): true {
    this.end = { outcome, turnId: this.turnId, detail, text: this.texts.join('\n'), usage }
    return true
  }
}
