/** @module pi/mapper - facts from the extension as observations. No effects; its memory is one run deep. */
import type { Observation, ObservedFact } from '../../src/adapter/index.js'
import type { SessionState, Tokens } from '../../src/protocol/events.js'
import { canonicalTool } from './tools.js'
import type { Numbered, PiFact, PiUsage } from './wire.js'

/** What the extension said a transcript entry holds. */
export interface SaidEntry {
  readonly entryId: string
  readonly text: string
}

/** Entries of one run that are compared with the transcript; the newest are kept. */
const MAX_SAID = 64

type Of<E extends PiFact['ev']> = Extract<PiFact, { ev: E }>

/** What a notice says of a new thinking level, and of the session's name. */
export const thinkingText = (level: string): string => `Thinking level: ${level}`
export const nameText = (name: string | null): string =>
  name === null ? 'The session has no name any more' : `Session name: ${name}`

/** The bridge's own id of a prompt, where it sent it. */
function named(fact: { readonly messageId: string | null }): { messageId?: string } {
  return fact.messageId ? { messageId: fact.messageId } : {}
}

export class PiMapper {
  /** Length of each streaming block so far; -1 where a delta is missing, so that the rest is left out too. */
  private readonly lengths = new Map<string, number>()
  private lastText = { m: 0, text: '' }
  private said: SaidEntry[] = []
  private transcript: string | null = null

  /** What to compare with the transcript now that the run is over. */
  takeSaid(): { transcript: string | null; entries: readonly SaidEntry[] } {
    const entries = this.said
    this.said = []
    return { transcript: this.transcript, entries }
  }

  /** `instance` names the Pi process, so that keys stay unique when the session starts another one. */
  map(fact: Numbered, instance: string): Observation[] {
    return this.facts(fact, instance, `${instance}.n${fact.n}`).map((f) => ({ source: 'hook', ...f }))
  }

  private facts(fact: Numbered, instance: string, ownKey: string): ObservedFact[] {
    const message = (m: number): string => `${instance}.m${m}`
    switch (fact.ev) {
      case 'session_start':
        return this.sessionStart(fact)
      case 'state':
        // A bridge that came back has not seen the session's start.
        this.transcript ??= fact.file ?? null
        if (fact.prompt !== null) return [state('blocked', 'pi.ui_prompt', [fact.prompt])]
        return [fact.idle ? state('idle', 'pi.is_idle') : state('running', 'pi.is_idle')]
      case 'accepted': {
        const queued = fact.queued ? { queued: true } : {}
        return [{ type: 'prompt.accepted', text: fact.text, ...queued, ...named(fact) }]
      }
      case 'returned': {
        const text = `Pi gave back a prompt that waited in its queue: ${fact.why}`
        return [
          { type: 'prompt.returned', text: fact.text, ...named(fact) },
          { type: 'notice', key: ownKey, level: 'warning', text },
        ]
      }
      case 'agent_start':
        return fact.first
          ? [{ type: 'turn.started' }, state('running', 'pi.agent_start')]
          : [state('running', 'pi.agent_start')]
      case 'agent_settled':
        this.lengths.clear()
        return [settled(fact), state('idle', 'pi.agent_settled')]
      case 'turn_start':
        return [{ type: 'activity', activity: 'waiting for the model' }]
      case 'turn_end':
        if (fact.entryId !== null && fact.m === this.lastText.m)
          this.said = [...this.said, { entryId: fact.entryId, text: this.lastText.text }].slice(-MAX_SAID)
        return []
      case 'delta':
        return this.delta(fact, message(fact.m))
      case 'user': {
        const { text, images, added } = fact
        const key = message(fact.m)
        const told: ObservedFact[] = [
          { type: 'user.message', key, text, ...(images > 0 ? { images } : {}), ...named(fact) },
        ]
        if (added) told.push({ type: 'notice', key: `${key}.added`, level: 'info', text: added })
        return told
      }
      case 'assistant':
        return this.assistant(fact, message(fact.m))
      case 'tool_start': {
        const { id, name, args } = fact
        return [{ type: 'tool.started', callId: id, tool: canonicalTool(name), name, input: args }]
      }
      case 'tool_update':
        return [{ type: 'tool.output', callId: fact.id, text: fact.text }]
      case 'tool_end':
        return [toolEnd(fact)]
      case 'model':
        return [{ type: 'model', model: fact.model }]
      case 'compact': {
        const before = fact.tokensBefore === null ? '' : `, ${fact.tokensBefore} tokens before`
        const text = `Pi compacted the conversation (${fact.reason}${before})`
        return [{ type: 'item', key: ownKey, kind: 'compaction', text }]
      }
      case 'compact_failed': {
        const why = fact.aborted ? 'cancelled' : (fact.error ?? 'no reason given')
        return [{ type: 'notice', key: ownKey, level: 'warning', text: `Pi could not compact: ${why}` }]
      }
      case 'prompt_start':
        return [state('blocked', 'pi.ui_prompt', [fact.title])]
      case 'prompt_end':
        return [fact.idle ? state('idle', 'pi.ui_prompt_end') : state('running', 'pi.ui_prompt_end')]
      case 'oversize':
        return [{ type: 'gap', what: 'pi.extension', detail: `a ${fact.of} fact of ${fact.bytes} bytes` }]
      case 'thinking':
        return [{ type: 'notice', key: ownKey, level: 'info', text: thinkingText(fact.level) }]
      case 'name':
        return [{ type: 'notice', key: ownKey, level: 'info', text: nameText(fact.name) }]
      // Told by what follows it: session_start.
      case 'session_shutdown':
        return []
    }
  }

  private sessionStart(fact: Of<'session_start'>): ObservedFact[] {
    this.lengths.clear()
    this.said = []
    this.transcript = fact.file
    const facts: ObservedFact[] = [
      { type: 'vendor.session', vendorSessionId: fact.sid, transcript: fact.file },
    ]
    if (fact.model !== null) facts.push({ type: 'model', model: fact.model })
    // `/new`, `/resume`, `/fork` and `/reload` start sessions in a program that is long ready.
    if (fact.reason === 'startup') facts.push({ type: 'ready' })
    return facts
  }

  private delta(fact: Of<'delta'>, message: string): ObservedFact[] {
    const key = `${message}.${fact.c}`
    const known = this.lengths.get(key) ?? 0
    if (known !== fact.at) {
      this.lengths.set(key, -1)
      return []
    }
    this.lengths.set(key, known + fact.delta.length)
    const kind = fact.kind === 'text' ? 'assistant_message' : 'reasoning'
    return [{ type: 'text.delta', key, kind, delta: fact.delta }]
  }

  private assistant(fact: Of<'assistant'>, message: string): ObservedFact[] {
    for (const key of this.lengths.keys()) if (key.startsWith(`${message}.`)) this.lengths.delete(key)
    const cut = fact.stop === 'aborted' || fact.stop === 'error'
    const facts: ObservedFact[] = []
    for (const block of fact.blocks) {
      if (block.text === '') continue
      facts.push({
        type: 'text.completed',
        key: `${message}.${block.c}`,
        kind: block.kind === 'text' ? 'assistant_message' : 'reasoning',
        text: block.text,
        ...(cut ? { partial: true } : {}),
      })
    }
    const text = fact.blocks.flatMap((b) => (b.kind === 'text' ? [b.text] : [])).join('')
    this.lastText = { m: fact.m, text }
    const usage = fact.usage && usageFact(fact.usage, `${message}.usage`, fact.model)
    if (usage) facts.push(usage)
    if (fact.error !== null)
      facts.push({ type: 'notice', key: `${message}.error`, level: 'error', text: fact.error })
    return facts
  }
}

function state(to: SessionState, rule: string, evidence: string[] = []): ObservedFact {
  return { type: 'state', state: to, rule, evidence }
}

function settled(fact: Of<'agent_settled'>): ObservedFact {
  if (fact.aborted) return { type: 'turn.ended', outcome: 'interrupted' }
  if (fact.error !== null) return { type: 'turn.ended', outcome: 'failed', detail: fact.error }
  return { type: 'turn.ended', outcome: 'completed' }
}

function toolEnd(fact: Of<'tool_end'>): ObservedFact {
  return {
    type: 'tool.completed',
    callId: fact.id,
    status: fact.aborted ? 'interrupted' : fact.blocked ? 'denied' : fact.isError ? 'failed' : 'completed',
    output: fact.text,
    ...(fact.ms === null ? {} : { durationMs: fact.ms }),
  }
}

/** Pi's `input` leaves the cache out already; a response that cost nothing (aborted early) is not told. */
function usageFact(usage: PiUsage, key: string, model: string | null): ObservedFact | null {
  const count = (n: number): number => (Number.isFinite(n) ? Math.max(0, Math.round(n)) : 0)
  const tokens: Tokens = {
    input: count(usage.input),
    output: count(usage.output),
    cacheRead: count(usage.cacheRead),
    cacheWrite: count(usage.cacheWrite),
    ...(usage.reasoning === null ? {} : { reasoning: count(usage.reasoning) }),
  }
  if (tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite === 0) return null
  // A zero that nobody billed is Pi not knowing the price.
  const priced = usage.usd > 0 || usage.billed
  return { type: 'usage', key, model, tokens, ...(priced ? { usd: usage.usd } : {}) }
}
