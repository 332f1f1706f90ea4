/**
 * @module adapter/transcript/teller - what is known of a conversation's items, turns, state and dialogs becomes
 * observations, each told once.
 */
import type { ScreenCall, ScreenItem } from '../grammar.js'
import type { Observation, ObservedFact } from '../observation.js'
import type { Dialog, Reading } from '../reading.js'
import type { TrackedItem } from './items.js'

/** Updates in which a prompt must look the same before it is told though nothing follows it. */
export const STEADY = 2

/** So many open items may have told something; then those that are not known any more are forgotten. */
const MOST_OPEN = 64

export class Teller {
  private facts: ObservedFact[] = []
  /** The screen was idle since the turn began. */
  private rested = false
  private dialog: Dialog | null = null
  private dialogs = 0
  private inTurn = false
  /** The program rests since a turn ended: it has not worked since. */
  private resting = false
  private outcome: 'completed' | 'interrupted' | 'failed' = 'completed'
  /** What was told of an open item: a text's deltas, a call's output. */
  private readonly told = new Map<string, string>()
  /** Open texts as of the update before. */
  private readonly seen = new Map<string, string>()

  /** `speaks`: the program says things of its own between two turns, drawn like an answer. */
  constructor(private readonly speaks = false) {}

  /** Of how many open items it keeps what was told; bounded. */
  get open(): number {
    return Math.max(this.told.size, this.seen.size)
  }

  /** What was told since it was asked last. */
  take(): readonly Observation[] {
    const { facts } = this
    if (facts.length === 0) return NOTHING
    this.facts = []
    return facts.map((fact) => ({ source: 'screen' as const, ...fact }))
  }

  gap(what: string, detail: string): void {
    this.facts.push({ type: 'gap', what, detail })
  }

  /** The program is idle: the next prompt is another turn's. */
  rest(): void {
    if (this.inTurn) this.rested = true
  }

  /** Tells what is whole; `all`: everything is. */
  items(list: readonly TrackedItem[], all: boolean): void {
    // Nothing is told before what stands above it.
    let told = true
    for (let n = 0; n < list.length; n += 1) {
      const tracked = list[n] as TrackedItem
      if (tracked.completed || tracked.gone) continue
      const { item } = tracked
      // A frame may show a row half written: what is told must have been the same in the update before.
      const followed = tracked.steady > 0 && list.some((t, m) => m > n && (t.completed || !t.gone))
      const whole =
        all ||
        (item.kind === 'tool_call'
          ? followed && item.status !== 'running'
          : followed || (item.kind === 'user_message' && tracked.steady >= STEADY))
      if (whole && told) this.complete(tracked)
      else {
        told = false
        this.progress(tracked)
      }
    }
    if (this.open > MOST_OPEN) this.forget(list)
  }

  /** Items that are not known any more never complete. */
  private forget(list: readonly TrackedItem[]): void {
    const open = new Set(list.filter((t) => !t.completed).map((t) => t.key))
    for (const map of [this.told, this.seen])
      for (const key of map.keys()) if (!open.has(key)) map.delete(key)
  }

  private complete(tracked: TrackedItem): void {
    const { item, key } = tracked
    tracked.completed = true
    // A prompt after an idle screen is another turn's, however short the rest was.
    if (item.kind === 'user_message' && this.rested) this.endTurn(true)
    const own = this.isOwn(tracked)
    if (OF_A_TURN.has(item.kind) && !own) this.startTurn()
    if (item.outcome && this.outcome !== 'interrupted') this.outcome = item.outcome
    const announced = this.told.delete(key)
    this.seen.delete(key)
    switch (item.kind) {
      case 'user_message':
        this.facts.push({ type: 'user.message', key, text: item.text })
        return
      case 'assistant_message':
        if (item.text === '') return
        if (own) this.facts.push({ type: 'notice', key, level: 'info', text: item.text })
        else this.facts.push({ type: 'text.completed', key, kind: item.kind, text: item.text })
        return
      case 'reasoning':
        this.facts.push({
          type: 'text.completed',
          key,
          kind: item.kind,
          text: item.text || (item.label ?? ''),
        })
        return
      case 'command':
        this.facts.push({ type: 'command', key, text: item.text })
        return
      case 'notice':
        this.facts.push({ type: 'notice', key, level: item.level, text: item.text })
        return
      case 'tool_call': {
        if (!announced) this.startCall(key, item)
        const status = item.status === 'running' ? 'interrupted' : item.status
        this.facts.push({ type: 'tool.completed', callId: key, status, output: item.output })
        return
      }
      case 'compaction':
      case 'plan':
        this.facts.push({ type: 'item', key, kind: item.kind, text: item.text })
    }
  }

  /** What can be told of an item that is still drawn. */
  private progress(tracked: TrackedItem): void {
    const { item, key } = tracked
    if (item.kind === 'tool_call') {
      if (tracked.steady < STEADY) return
      this.startTurn()
      const told = this.told.get(key)
      if (told === undefined) this.startCall(key, item)
      if (item.output !== (told ?? ''))
        this.facts.push({ type: 'tool.output', callId: key, text: item.output })
      this.told.set(key, item.output)
      return
    }
    if (item.kind !== 'assistant_message' && item.kind !== 'reasoning') return
    if (this.isOwn(tracked)) return
    // The last line may still be laid out anew; and so may lines that were drawn for the first time.
    const stable = commonStart(item.text, this.seen.get(key) ?? '')
    this.seen.set(key, item.text)
    const whole = item.text.slice(0, item.text.lastIndexOf('\n', stable - 1) + 1)
    const told = this.told.get(key) ?? ''
    if (whole.length <= told.length || !whole.startsWith(told)) return
    this.told.set(key, whole)
    this.startTurn()
    this.facts.push({ type: 'text.delta', key, kind: item.kind, delta: whole.slice(told.length) })
  }

  /** Whether the program says it, and not the model: nobody asked, and nothing works. */
  private isOwn({ item, key }: TrackedItem): boolean {
    return this.speaks && this.resting && item.kind === 'assistant_message' && !this.told.has(key)
  }

  private startCall(callId: string, { tool, name, input }: ScreenCall): void {
    this.facts.push({ type: 'tool.started', callId, tool, name, input })
  }

  /** @param idle the program rests; else what ends was broken off */
  endTurn(idle: boolean): void {
    if (!this.inTurn) return
    this.inTurn = false
    this.resting = idle
    const outcome = this.outcome
    this.outcome = 'completed'
    this.facts.push({
      type: 'turn.ended',
      outcome: idle || outcome !== 'completed' ? outcome : 'interrupted',
    })
  }

  private startTurn(): void {
    if (this.inTurn) return
    this.inTurn = true
    this.resting = false
    this.rested = false
    this.facts.push({ type: 'turn.started' })
  }

  state(before: Reading | null, now: Reading): void {
    if (now.state === 'running') this.resting = false
    if (before && before.state === now.state && before.rule === now.rule) return
    this.facts.push({ type: 'state', state: now.state, rule: now.rule, evidence: [...now.evidence] })
  }

  openDialog(dialog: Dialog | null): void {
    if (dialog?.fingerprint === this.dialog?.fingerprint) return
    if (this.dialog) this.facts.push({ type: 'dialog.closed', key: `dialog:${this.dialogs}` })
    this.dialog = dialog
    if (!dialog) return
    this.dialogs += 1
    const detail = dialog.options.map((o) => (o.key === '' ? o.label : `${o.key}. ${o.label}`)).join('\n')
    this.facts.push({ type: 'dialog.opened', key: `dialog:${this.dialogs}`, title: dialog.title, detail })
  }
}

const NOTHING: readonly Observation[] = []

/** Kinds that stand within turns only. */
const OF_A_TURN: ReadonlySet<ScreenItem['kind']> = new Set([
  'user_message',
  'assistant_message',
  'reasoning',
  'tool_call',
])

/** How many characters two texts have in common at their start. */
function commonStart(a: string, b: string): number {
  if (a.startsWith(b)) return b.length
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1
  return at
}
