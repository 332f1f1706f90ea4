/** @module session/interrupt - stops the running turn, tells each step, and says what was seen. */
import type { Adapter, Observation } from '../adapter/index.js'
import type { InterruptResult } from '../protocol/commands.js'
import { asMeowError } from '../protocol/errors.js'
import type { DurableBodies, EventDraft } from '../protocol/events.js'
import type { Conversation } from './conversation.js'
import { runScript, type ScriptIo } from './script.js'
import type { TurnProcesses } from './turn-processes.js'

/** Longest wait for the state that follows a turn's end, in ms (measured: tens of ms). */
const SETTLE_MS = 3000

/** What an interrupt needs of its session. */
export interface InterruptHost {
  readonly adapter: Adapter
  readonly conversation: Conversation
  readonly io: Omit<ScriptIo, 'receipt'>
  readonly signal: AbortSignal
  /** A prompt is on its way: its turn is about to begin. */
  underWay(): boolean
  /** How many prompts wait in the queue. */
  waiting(): number
  exclusive<T>(work: () => Promise<T>): Promise<T>
  record(drafts: readonly EventDraft[]): boolean
  /** Absent where processes cannot be looked at. */
  readonly processes?: TurnProcesses
}

/** A turn that ended meanwhile is not interrupted, and no key is pressed into an idle program. */
export async function interruptTurn(host: InterruptHost): Promise<InterruptResult> {
  const { conversation } = host
  const asked = conversation.turnId
  return await host.exclusive(async () => {
    const busy = () => conversation.turnId !== null || conversation.currentState === 'running'
    // A turn's end and the state that follows it come from two sources, a moment apart.
    if (conversation.turnId === null && busy())
      await settling(host, () => !busy() || conversation.turnId !== null)
    if (!busy() && host.underWay()) await settling(host, () => busy() || !host.underWay())
    const turnId = conversation.turnId
    const other = asked !== null && turnId !== asked
    if (!busy() || other) {
      const evidence = [other ? 'the turn has ended' : `state ${conversation.currentState}, no turn open`]
      if (host.waiting() > 0) evidence.push(`${host.waiting()} prompts wait in the queue`)
      return { result: 'idle', turnId: asked, evidence }
    }
    return await stop(host, turnId)
  })
}

type Stage = DurableBodies['interrupt']['stage']

async function stop(host: InterruptHost, turnId: string | null): Promise<InterruptResult> {
  const { conversation } = host
  const tell = (stage: Stage, detail: string) =>
    host.record([{ type: 'interrupt', source: 'bridge', turnId, stage, detail }])
  const steps = host.adapter.interrupt({ prompt: conversation.prompt })
  tell('asked', `by ${steps.map((s) => s.do).find((d) => d === 'call' || d === 'keys') ?? 'its script'}`)
  const before = (await host.processes?.ofTurn()) ?? []
  try {
    const ran = await runScript(
      steps,
      {
        ...host.io,
        receipt: () => undefined,
        again: (condition) => tell('again', `not seen yet: ${condition}`),
      },
      host.signal,
    )
    const end = ran.observations.find((o) => o.type === 'turn.ended')
    const interrupted = end?.type === 'turn.ended' && end.outcome === 'interrupted'
    const evidence = ran.observations.flatMap(evidenceOf)
    await settling(host, () => conversation.currentState !== 'running' || conversation.turnId !== turnId)
    if (host.processes) evidence.push(...(await host.processes.whatEnded(before)))
    tell('seen', evidence.join('; '))
    return { result: interrupted ? 'interrupted' : 'idle', turnId, evidence }
  } catch (error) {
    tell('failed', asMeowError(error).detail)
    throw error
  }
}

async function settling(host: InterruptHost, settled: () => boolean): Promise<void> {
  const mark = host.io.watch.begin()
  await host.io.watch.until(settled, mark.observations, SETTLE_MS, host.signal)
  mark.end()
}

function evidenceOf(o: Observation): string[] {
  if (o.type === 'turn.ended') return [`turn ended: ${o.outcome} (${o.source})`]
  if (o.type === 'state') return [`state ${o.state} (${o.rule})`]
  return []
}
