/** @module web/model/asked - dialogs and their answers, commands, interrupts: what was asked, and what came of it. */
import type { DurableEvent } from '../../../protocol/events.js'
import type { Draft } from './draft.js'
import type { ApprovalEntry, Conversation, InterruptEntry } from './view.js'

type Event<T extends DurableEvent['type']> = Extract<DurableEvent, { type: T }>

const approvalKey = (approvalId: string): string => `approval:${approvalId}`

/** A dialog of the vendor's program waits for a person. */
export function requested(draft: Draft, event: Event<'approval.requested'>): void {
  const key = approvalKey(event.approvalId)
  draft.put({
    type: 'approval',
    key,
    approvalId: event.approvalId,
    kind: event.kind ?? null,
    title: event.title,
    detail: event.detail,
    options: event.options ?? [],
    verdict: null,
    by: null,
    option: null,
  })
  const open = draft.get('openApprovals')
  draft.set({ openApprovals: [...open.filter((other) => other !== key), key] })
}

/** The dialog is gone. */
export function resolved(draft: Draft, event: Event<'approval.resolved'>): void {
  const key = approvalKey(event.approvalId)
  const asked = draft.entry(key)
  if (asked?.type !== 'approval') return
  draft.put({ ...asked, verdict: event.verdict, by: event.by, option: event.option ?? null })
  draft.set({ openApprovals: draft.get('openApprovals').filter((other) => other !== key) })
}

/** The dialog that stands there now and can be answered from here; null when there is none. */
export function answerable(view: Conversation | undefined): ApprovalEntry | null {
  const key = view?.openApprovals.at(-1)
  const place = key === undefined ? undefined : view?.places.get(key)
  const entry = place === undefined ? undefined : view?.entries[place]
  return entry?.type === 'approval' && entry.options.length > 0 ? entry : null
}

/** A further step of the interrupt that is under way, or the first of a new one. */
export function interrupted(draft: Draft, event: Event<'interrupt'>): void {
  const open = draft.get('openInterrupt')
  const known = open === null || event.stage === 'asked' ? undefined : draft.entry(open)
  const before: InterruptEntry =
    known?.type === 'interrupt' ? known : { type: 'interrupt', key: `interrupt:${event.seq}`, stages: [] }
  const { stage, detail } = event
  draft.put({ ...before, stages: [...before.stages, { stage, detail }] })
  draft.set({ openInterrupt: stage === 'seen' || stage === 'failed' ? null : before.key })
}

/** A command began, or its end is known. */
export function ranCommand(draft: Draft, event: Event<'session.command'>): void {
  draft.put({
    type: 'command-run',
    key: `command:${event.commandId}`,
    command: event.command,
    argument: event.argument,
    state: event.state,
    detail: event.detail,
  })
}
