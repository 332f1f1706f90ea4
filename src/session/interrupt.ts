/** @module session/interrupt - stops the running turn and says what was seen. */
import type { Adapter, Observation } from '../adapter/index.js'
import type { InterruptResult } from '../protocol/commands.js'
import type { Conversation } from './conversation.js'
import { runScript, type ScriptIo } from './script.js'

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
    const steps = host.adapter.interrupt({ prompt: conversation.prompt })
    const seen = await runScript(steps, { ...host.io, receipt: () => undefined }, host.signal)
    const end = seen.find((o) => o.type === 'turn.ended')
    const interrupted = end?.type === 'turn.ended' && end.outcome === 'interrupted'
    return { result: interrupted ? 'interrupted' : 'idle', turnId, evidence: seen.flatMap(evidenceOf) }
  })
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
