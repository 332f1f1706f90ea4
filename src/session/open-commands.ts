/** @module session/open-commands - session commands that were begun and have no end in the journal. Pure. */
import type { DurableEvent, EventDraft } from '../protocol/events.js'

export class OpenCommands {
  private readonly open = new Map<string, Extract<DurableEvent, { type: 'session.command' }>>()

  recall(e: DurableEvent): void {
    if (e.type !== 'session.command') return
    if (e.state === 'started') this.open.set(e.commandId, e)
    else this.open.delete(e.commandId)
  }

  /** Their end: nobody waits for them any more. */
  failed(detail: string): EventDraft[] {
    return [...this.open.values()].map(({ commandId, command, argument }) => ({
      type: 'session.command',
      source: 'bridge',
      commandId,
      command,
      argument,
      state: 'failed',
      detail,
    }))
  }
}
