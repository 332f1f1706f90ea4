/** @module test/web/fake-delivery - the fake hub's messages, queue, dialogs and commands: keeps what it was asked. */
import type { IncomingMessage } from 'node:http'
import {
  AnswerApproval,
  EditQueued,
  type Receipt,
  RunCommand,
  SendMessage,
  type SessionCommand,
} from '../../src/protocol/commands.js'
import { MeowError } from '../../src/protocol/errors.js'
import type { DeliveryMode } from '../../src/protocol/events.js'
import type { FakeSession } from './fake-session.js'

/** How the next post of a message goes wrong: before the hub has it, or after. */
export type Sabotage = 'before' | 'after' | { readonly refuse: MeowError }

export interface Posted {
  readonly sessionId: string
  readonly messageId: string
  readonly text: string
  readonly how: DeliveryMode
  readonly images: SendMessage['images']
}

/** Status 0: the connection is gone, there is nothing to answer. */
export interface Answer {
  readonly status: number
  readonly value: unknown
}

export interface ActionCall {
  readonly method: string
  readonly session: FakeSession
  /** `messages`, `approvals`, `commands`. */
  readonly action: string
  /** What follows it in the path. */
  readonly id: string
  readonly body: unknown
  readonly request: IncomingMessage
}

const RANK: Readonly<Record<DeliveryMode, number>> = { interrupt: 0, steer: 1, queue: 2 }

export class FakeDelivery {
  /** Every post of a message that reached the hub, repeated ones too. */
  readonly posts: Posted[] = []
  /** What would be typed: one for each id. */
  readonly messages = new Map<string, Receipt>()
  readonly edits: ({ readonly messageId: string } & EditQueued)[] = []
  readonly withdrawn: string[] = []
  readonly answers: { readonly approvalId: string; readonly option: string }[] = []
  readonly ran: RunCommand[] = []
  commands: SessionCommand[] = []
  sabotage: Sabotage[] = []
  refuseAnswer: MeowError | null = null
  refuseCommand: MeowError | null = null

  /** Null when the call is none of these. */
  call(call: ActionCall): Answer | null {
    const { method, action, id, body, session } = call
    switch (`${method} ${action}`) {
      case 'POST messages':
        return this.#message(call)
      case 'PATCH messages':
        return this.#edit(session, id, EditQueued.parse(body))
      case 'DELETE messages':
        return this.#withdraw(session, id)
      case 'POST approvals':
        return this.#answer(session, id, AnswerApproval.parse(body).option)
      case 'GET commands':
        return answer(200, { commands: this.commands })
      case 'POST commands':
        return this.#run(session, RunCommand.parse(body))
      default:
        return null
    }
  }

  #message({ session, body, request }: ActionCall): Answer {
    const { text, messageId = '', how, images } = SendMessage.parse(body)
    const wrong = this.sabotage.shift()
    if (wrong === 'before') return hangUp(request)
    this.posts.push({ sessionId: session.info.id, messageId, text, how, images })
    if (typeof wrong === 'object') throw wrong.refuse
    const receipt = this.messages.get(messageId) ?? { messageId, state: 'queued' as const, reason: null }
    if (!this.messages.has(messageId)) {
      this.messages.set(messageId, receipt)
      const paths = images.map((_, n) => `/images/${messageId}-${n}`)
      const told = { messageId, state: 'queued', reason: null, text, how, images: paths } as const
      // A lost answer must not be saved by the events that follow it.
      session.durable({ type: 'delivery', source: 'bridge', ...told }, { lost: wrong === 'after' })
    }
    if (wrong === 'after') return hangUp(request)
    return answer(202, receipt)
  }

  #edit(session: FakeSession, messageId: string, change: EditQueued): Answer {
    this.edits.push({ messageId, ...change })
    const queue = mustWait(session, messageId)
    const receipt = { messageId, state: 'queued', reason: null } as const
    const { text, how, before } = change
    if (text !== undefined || how !== undefined) {
      const news = { ...(text === undefined ? {} : { text }), ...(how === undefined ? {} : { how }) }
      session.durable({ type: 'delivery', source: 'bridge', ...receipt, ...news })
    }
    if (before !== undefined) {
      const rest = queue.filter((id) => id !== messageId)
      const at = before === null ? rest.length : rest.indexOf(before)
      rest.splice(at, 0, messageId)
      session.durable({ type: 'queue', source: 'bridge', order: rest })
    }
    return answer(200, receipt)
  }

  #withdraw(session: FakeSession, messageId: string): Answer {
    this.withdrawn.push(messageId)
    const last = lastDelivery(session, messageId)
    if (last?.undecided) return answer(200, last)
    mustWait(session, messageId)
    const receipt = { messageId, state: 'failed', reason: 'withdrawn before it was sent' } as const
    session.durable({ type: 'delivery', source: 'bridge', ...receipt })
    return answer(200, receipt)
  }

  #answer(session: FakeSession, approvalId: string, option: string): Answer {
    this.answers.push({ approvalId, option })
    if (this.refuseAnswer !== null) throw this.refuseAnswer
    const asked = session.events.findLast(
      (event) => event.type === 'approval.requested' && event.approvalId === approvalId,
    )
    const options = asked?.type === 'approval.requested' ? asked.options : undefined
    const label = options?.find(({ key }) => key === option)?.label
    if (label === undefined) throw new MeowError('not_found', `no option ${option}`)
    return answer(200, { approvalId, option: label, evidence: ['the dialog is gone'] })
  }

  #run(session: FakeSession, body: RunCommand): Answer {
    this.ran.push(body)
    if (this.refuseCommand !== null) throw this.refuseCommand
    const { command } = body
    const argument = body.argument ?? null
    const commandId = `c${this.ran.length}`
    const told = { type: 'session.command', source: 'bridge', commandId, command, argument } as const
    session.durable({ ...told, state: 'started', detail: null })
    session.durable({ ...told, state: 'done', detail: `seen: ${command}` })
    return answer(200, { command, argument, evidence: [`seen: ${command}`] })
  }
}

type DeliveryEvent = Extract<FakeSession['events'][number], { type: 'delivery' }>

function lastDelivery(session: FakeSession, messageId: string): DeliveryEvent | undefined {
  const of = session.events.filter(
    (event): event is DeliveryEvent => event.type === 'delivery' && event.messageId === messageId,
  )
  return of.at(-1)
}

/** Ids of what waits, as the journal tells it. */
export function waitingOrder(session: FakeSession): string[] {
  let order: { id: string; how: DeliveryMode }[] = []
  for (const event of session.events) {
    if (event.type === 'queue') {
      const place = ({ id }: { id: string }) => event.order.indexOf(id)
      order = [...order].sort((a, b) => place(a) - place(b))
    }
    if (event.type !== 'delivery') continue
    const { messageId: id, state, attempt, how = 'queue' } = event
    const waits = state === 'queued' && attempt === undefined
    if (!waits) order = order.filter((one) => one.id !== id)
    else if (!order.some((one) => one.id === id)) {
      const at = order.findIndex((one) => RANK[one.how] > RANK[how])
      order.splice(at < 0 ? order.length : at, 0, { id, how })
    }
  }
  return order.map(({ id }) => id)
}

function mustWait(session: FakeSession, messageId: string): string[] {
  const order = waitingOrder(session)
  if (order.includes(messageId)) return order
  throw new MeowError('conflict', 'the message does not wait any more: it is on its way already')
}

export function answer(status: number, value: unknown): Answer {
  return { status, value }
}

function hangUp(request: IncomingMessage): Answer {
  request.socket.destroy()
  return answer(0, null)
}
