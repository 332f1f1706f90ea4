/** @module session/open-actions - commands and interrupts that were begun and have no end in the journal. Pure. */
import type { DurableBodies, DurableEvent, EventDraft } from '../protocol/events.js'

export class OpenActions {
  private readonly commands = new Map<string, DurableBodies['session.command']>()
  private interrupt: DurableBodies['interrupt'] | null = null

  recall(e: DurableEvent): void {
    if (e.type === 'interrupt') this.interrupt = e.stage === 'asked' || e.stage === 'again' ? e : null
    if (e.type !== 'session.command') return
    if (e.state === 'started') this.commands.set(e.commandId, e)
    else this.commands.delete(e.commandId)
  }

  /** Their end: nobody waits for them any more. */
  failed(detail: string): EventDraft[] {
    const commands = [...this.commands.values()].map(
      ({ commandId, command, argument }): EventDraft => ({
        type: 'session.command',
        source: 'bridge',
        commandId,
        command,
        argument,
        state: 'failed',
        detail,
      }),
    )
    if (!this.interrupt) return commands
    const { turnId } = this.interrupt
    return [...commands, { type: 'interrupt', source: 'bridge', turnId, stage: 'failed', detail }]
  }
}
