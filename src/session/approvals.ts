/** @module session/approvals - dialogs as approvals: asked, answered from somewhere, gone. No effects. */
import type { Observation } from '../adapter/index.js'
import type { DurableEvent, EventDraft } from '../protocol/events.js'
import type { IdSource } from '../protocol/ids.js'
import { RecentKeys } from './recent-keys.js'

type Of<T extends Observation['type']> = Extract<Observation, { type: T }>

export class Approvals {
  /** Ids of the dialogs that are open, by the key that they were told under. */
  private readonly asked = new Map<string, string>()
  /** Answers that are being pressed from outside the terminal. */
  private readonly answers = new Map<string, { by: string; option: string }>()
  /** Dialogs that stood there when an earlier run of the bridge ended: ids by what they say. */
  private readonly stood = new Map<string, string>()

  /** Every approval of late, open or gone. */
  private readonly known = new RecentKeys(1000)

  constructor(private readonly newId: IdSource) {}

  /** Whether there was such an approval. */
  wasAsked(approvalId: string): boolean {
    return this.known.has(approvalId)
  }

  opened(o: Of<'dialog.opened'>): EventDraft[] {
    const stood = this.stood.get(nameOf(o))
    // It stood there before the restart: its card is still open.
    if (stood !== undefined) {
      this.stood.delete(nameOf(o))
      this.asked.set(o.key, stood)
      return []
    }
    const approvalId = this.newId('approval')
    this.known.add(approvalId)
    this.asked.set(o.key, approvalId)
    const { source, title, detail, kind, options } = o
    return [
      {
        type: 'approval.requested',
        source,
        approvalId,
        title,
        detail,
        ...(kind === undefined ? {} : { kind }),
        ...(options === undefined ? {} : { options }),
      },
    ]
  }

  closed(o: Of<'dialog.closed'>): EventDraft[] {
    const approvalId = this.asked.get(o.key)
    if (!approvalId || !this.asked.delete(o.key)) return []
    const answer = this.answers.get(approvalId)
    this.answers.delete(approvalId)
    return [
      {
        type: 'approval.resolved',
        source: o.source,
        approvalId,
        verdict: 'answered',
        by: answer?.by ?? 'terminal',
        ...(answer ? { option: answer.option } : {}),
      },
    ]
  }

  /** The open dialog of an approval, by the key that it was told under; null when it is not open. */
  keyOf(approvalId: string): string | null {
    for (const [key, id] of this.asked) if (id === approvalId) return key
    return null
  }

  /** Says by whom the dialog is being answered; null: it was not. */
  answering(approvalId: string, answer: { by: string; option: string } | null): void {
    if (answer) this.answers.set(approvalId, answer)
    else this.answers.delete(approvalId)
  }

  /** Takes in an event of an earlier run of the bridge. */
  recall(e: DurableEvent): void {
    if (e.type === 'approval.requested') {
      this.known.add(e.approvalId)
      this.stood.set(nameOf(e), e.approvalId)
    }
    if (e.type !== 'approval.resolved') return
    for (const [name, id] of this.stood) if (id === e.approvalId) this.stood.delete(name)
  }

  /** What stood on the screen before a restart and does not any more. */
  goneMeanwhile(): EventDraft[] {
    const ids = [...this.stood.values()]
    this.stood.clear()
    return ids.map((approvalId) => ({
      type: 'approval.resolved',
      source: 'bridge',
      approvalId,
      verdict: 'dismissed',
      by: 'terminal',
    }))
  }
}

const nameOf = ({ title, detail }: { title: string; detail: string }) => JSON.stringify([title, detail])
