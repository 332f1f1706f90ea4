/** @module cli/event-line - an event as one line for people. */
import { type DurableDraft, type EventDraft, isLive, type MeowEvent, type Usage } from '../protocol/events.js'
import type { Item } from '../protocol/items.js'
import { clock, count, money } from './figures.js'
import { safeLine } from './safe-text.js'

const DIM = '\u001b[2m'
const RESET = '\u001b[0m'

/**
 * `14:03:59    12 item.completed     assistant_message  The text ...`; null for events that only live observers need.
 * `width` cuts the line.
 */
export function eventLine(event: MeowEvent, options: { width: number; color: boolean }): string | null {
  if (!('seq' in event)) return null
  return line(`${clock(event.ts)} ${String(event.seq).padStart(5)} ${event.type.padEnd(18)}`, event, options)
}

/** The same for an event of a replay: `   12.34 item.completed     ...`, in seconds of the recording. */
export function replayLine(
  event: EventDraft & { readonly t: number },
  options: { width: number; color: boolean },
): string | null {
  if (isLive(event)) return null
  return line(`${event.t.toFixed(2).padStart(8)} ${event.type.padEnd(18)}`, event, options)
}

function line(head: string, event: DurableDraft, options: { width: number; color: boolean }): string {
  const text = safeLine(summary(event), Math.max(20, options.width - head.length - 1))
  return options.color ? `${DIM}${head}${RESET} ${text}` : `${head} ${text}`
}

function summary(event: DurableDraft): string {
  switch (event.type) {
    case 'session.started': {
      const version = event.vendorVersion === null ? '' : ` ${event.vendorVersion}`
      return `${event.vendor}${version}, pid ${event.pid}, ${event.backend}, in ${event.cwd}`
    }
    case 'session.vendor':
      return `the vendor's session ${event.vendorSessionId}`
    case 'session.ended': {
      const how = event.signal ?? (event.exitCode === null ? 'exit not known' : `exit code ${event.exitCode}`)
      return `${event.reason} (${how})${event.detail === null ? '' : `: ${event.detail}`}`
    }
    case 'session.superseded':
      return `by ${event.by}`
    case 'session.state':
      return `${event.state}, by ${event.rule}${event.evidence.length > 0 ? `: ${event.evidence.join(' | ')}` : ''}`
    case 'turn.started':
      return event.turnId
    case 'turn.completed': {
      const detail = event.detail === null ? '' : `: ${event.detail}`
      return `${event.outcome}${detail}${event.usage === null ? '' : `, ${spent(event.usage)}`}`
    }
    case 'item.started':
    case 'item.completed':
      return itemText(event.item)
    case 'usage':
      return `${event.model ?? 'model not known'}: ${spent(event.usage)}; session ${money(event.session.usd)}`
    case 'model':
      return event.model
    case 'mode':
      return event.mode
    case 'delivery':
      return deliveryText(event)
    case 'queue':
      return event.order.length === 0 ? 'nothing waits' : `order: ${event.order.join(', ')}`
    case 'interrupt':
      return `${event.stage}: ${event.detail}`
    case 'session.command': {
      const argument = event.argument === null ? '' : ` ${event.argument}`
      return `${event.command}${argument} ${event.state}${event.detail === null ? '' : `: ${event.detail}`}`
    }
    case 'approval.requested':
      return approvalText(event)
    case 'approval.resolved':
      return `${event.verdict} by ${event.by}${event.option === undefined ? '' : `: ${event.option}`}`
    case 'agent':
      return `${event.agentId} ${event.state}`
    case 'gap':
      return `${event.what}: ${event.detail}`
  }
}

type Of<T extends DurableDraft['type']> = Extract<DurableDraft, { type: T }>

/** `m_1 queued (steer, 2 images): waits: a turn runs -> the text` */
function deliveryText(event: Of<'delivery'>): string {
  const { messageId, state, reason, how, images = [], attempt, undecided, text } = event
  const notes = [
    ...(how === undefined || how === 'queue' ? [] : [how]),
    ...(images.length === 0 ? [] : [count(images.length, 'image')]),
    ...(attempt === undefined ? [] : [`attempt ${attempt}`]),
    ...(undecided === true ? ['undecided: it may have arrived'] : []),
  ]
  const more = notes.length === 0 ? '' : ` (${notes.join(', ')})`
  const why = reason === null ? '' : `: ${reason}`
  return `${messageId} ${state}${more}${why}${text === undefined ? '' : ` -> ${text}`}`
}

function approvalText({ kind, title, detail, options = [] }: Of<'approval.requested'>): string {
  const answers = options.length === 0 ? '' : ` [${options.map((o) => `${o.key} ${o.label}`).join(' | ')}]`
  return `${kind === undefined ? '' : `${kind}: `}${title}${answers}: ${detail}`
}

function spent(usage: Usage): string {
  const { input, output, cacheRead, cacheWrite } = usage.tokens
  const cache = cacheRead + cacheWrite > 0 ? `, cache ${cacheRead} read ${cacheWrite} written` : ''
  return `${input} in, ${output} out${cache}, ${money(usage.usd)}`
}

function itemText(item: Item): string {
  if (item.kind !== 'tool_call') return `${item.kind}: ${item.text}`
  const input = typeof item.input === 'string' ? item.input : (JSON.stringify(item.input) ?? '')
  const output = item.output === undefined ? '' : ` -> ${item.output}`
  return `${item.name} (${item.status}) ${input}${output}`
}
