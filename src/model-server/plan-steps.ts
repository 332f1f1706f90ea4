/**
 * Runs steps over an agent loop. The server keeps no conversation: each request carries all of it, so the
 * place in the steps is the number of tool results that follow the prompt.
 *
 * @module model-server/plan-steps
 */

import { createHash } from 'node:crypto'
import { turnState } from './conversation.js'
import type { Step } from './directive.js'
import type { Reply, ReplyPart } from './reply.js'
import type { ModelRequest, ToolResult } from './request.js'
import { fitTool } from './tools.js'

const MAX_COUNTERS = 1000

/** Counts how often a step failed, for "fail N times, then go on". */
export class AttemptCounter {
  private readonly counts = new Map<string, number>()

  /** True while the step has failed fewer than `times` times; counts this one. */
  shouldFail(key: string, times: number): boolean {
    const failed = this.counts.get(key) ?? 0
    this.counts.delete(key)
    if (failed >= times) return false
    this.counts.set(key, failed + 1)
    const oldest = this.counts.keys().next().value
    if (this.counts.size > MAX_COUNTERS && oldest !== undefined) this.counts.delete(oldest)
    return true
  }
}

/** Names the place in one conversation; alike for every retry of the same request. */
function placeOf(request: ModelRequest, stepIndex: number): string {
  const said = request.items.filter((item) => item.type !== 'note').map((item) => [item.type, item.text])
  const place = [request.sessionKey, request.model, stepIndex, said]
  return createHash('sha256').update(JSON.stringify(place)).digest('hex')
}

/** The results in words: their first lines and how many there are. */
export function summarise(results: readonly ToolResult[]): string {
  if (results.length === 0) return 'No tool was called.\n'
  const parts = results.map((result) => {
    const lines = result.text.trimEnd().split('\n')
    const shown = lines.slice(0, 8).map((line) => line.slice(0, 200))
    const more = lines.length > shown.length ? `\n… ${lines.length - shown.length} more lines` : ''
    const title = result.isError ? 'The tool failed and said:' : 'The tool returned:'
    const fence = result.text.includes('```') ? '````' : '```'
    return result.text.trim() === ''
      ? 'The tool returned no text.'
      : `${title}\n\n${fence}\n${shown.join('\n')}${more}\n${fence}`
  })
  return `${parts.join('\n\n')}\n`
}

const isContent = (part: ReplyPart): boolean => !['gate', 'pace', 'break'].includes(part.type)

/** How many of the step's calls the client can make; zero for a step that is no tool call. */
function offeredCalls(step: Step, request: ModelRequest): number {
  return step.type === 'tools' ? step.calls.filter((call) => fitTool(call, request) !== null).length : 0
}

/** Where the steps go on after the calls that have their results. */
function resume(steps: readonly Step[], request: ModelRequest, results: readonly ToolResult[]) {
  let from = 0
  let last: readonly ToolResult[] = []
  let calls = 0
  for (const [index, step] of steps.entries()) {
    const offered = offeredCalls(step, request)
    if (offered === 0) continue
    if (calls + offered > results.length) break
    last = results.slice(calls, calls + offered)
    calls += offered
    from = index + 1
  }
  return { from, last }
}

/** The answer that a step list gives to this request. */
export function planSteps(steps: readonly Step[], request: ModelRequest, attempts: AttemptCounter): Reply {
  const { from, last } = resume(steps, request, turnState(request.items).results)
  const reply: Reply = { parts: [] }
  for (const [index, step] of steps.entries()) {
    if (index < from) {
      if (step.type === 'part' && step.part.type === 'pace') reply.parts.push(step.part)
    } else if (step.type === 'part') reply.parts.push(step.part)
    else if (step.type === 'usage') reply.usage = step.usage
    else if (step.type === 'stop') reply.stop = step.stop
    else if (step.type === 'summary') reply.parts.push({ type: 'text', text: summarise(last) })
    else if (step.type === 'fail') {
      if (step.times !== null && !attempts.shouldFail(placeOf(request, index), step.times)) continue
      reply.parts.push(step.part)
      return reply
    } else {
      reply.parts.push(...step.calls.map((call): ReplyPart => ({ type: 'tool', call })))
      if (offeredCalls(step, request) > 0) return reply
    }
  }
  if (!reply.parts.some(isContent)) reply.parts.push({ type: 'text', text: 'Done.' })
  return reply
}
