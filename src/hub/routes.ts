/** @module hub/routes - what each route of `API` does; `app.ts` checks what goes in and out. */
import type { z } from 'zod'
import { everyEvent } from '../journal/every-event.js'
import type { API, HubInfo, RouteName, VendorInfo } from '../protocol/api.js'
import { type Receipt, Scope } from '../protocol/commands.js'
import { MeowError } from '../protocol/errors.js'
import type { Caller } from './gate.js'
import type { OpenApi } from './openapi.js'
import type { Pairing } from './pairing.js'
import type { Recordings } from './recordings.js'
import type { Registry } from './registry.js'

type Routes = typeof API
type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined

/** A request that passed the gate, its scope and its schemas. */
export interface Call<N extends RouteName> {
  readonly params: Readonly<Record<string, string>>
  readonly query: Routes[N] extends { query: infer Q } ? Parsed<Q> : undefined
  readonly body: Routes[N] extends { body: infer B } ? Parsed<B> : undefined
  readonly scopes: ReadonlySet<Scope>
  readonly caller: Caller
  /** Aborted when the caller is gone before the answer. */
  readonly signal: AbortSignal
  /** Sets the cookie of a browser that paired. */
  readonly setCookie: (value: string) => void
}

export type Handlers = {
  readonly [N in RouteName]: (
    call: Call<N>,
  ) => z.input<Routes[N]['response']> | Promise<z.input<Routes[N]['response']>>
}

export interface RouteDeps {
  readonly registry: Registry
  readonly pairing: Pairing
  readonly recordings: Recordings
  readonly info: () => Omit<HubInfo, 'scopes'>
  readonly url: string
  readonly vendors: () => Promise<VendorInfo[]>
  readonly openapi: () => OpenApi
  /** A screen (escape sequences) as plain rows. */
  readonly screenText: (shot: { cols: number; rows: number; screen: string }) => string[]
  /** Begins the end of the hub; the answer is sent before it. */
  readonly shutdown: () => void
}

interface OfSession {
  readonly params: Readonly<Record<string, string>>
}

const OK = { ok: true } as const

export function handlers(deps: RouteDeps): Handlers {
  const { registry, pairing, recordings } = deps
  const idOf = (call: OfSession): string => call.params.id ?? ''
  const live = (call: OfSession) => registry.mustLive(idOf(call))
  const messageOf = (call: OfSession): string => call.params.messageId ?? ''
  /** The handle while the session lives; null when it is starting or has ended. */
  const current = (call: OfSession) => {
    registry.info(idOf(call))
    return registry.handle(idOf(call))
  }
  return {
    pair: ({ body, setCookie }) => {
      setCookie(pairing.redeem(body.code))
      return OK
    },
    createPairing: ({ scopes }) => {
      // A code never carries more than its maker has.
      const code = pairing.createCode(new Set(Scope.options.filter((scope) => scopes.has(scope))))
      // In the fragment: it is sent to nobody, and stands in no log.
      return { code, url: `${deps.url}/#pair=${code}` }
    },
    info: ({ scopes }) => ({ ...deps.info(), scopes: [...scopes] }),
    vendors: async () => ({ vendors: await deps.vendors() }),
    listSessions: () => ({ sessions: registry.list() }),
    createSession: async ({ body, signal }) => ({ session: await registry.create(body, signal) }),
    getSession: (call) => ({ session: registry.info(idOf(call)) }),
    killSession: async (call) => ({ session: await registry.kill(idOf(call)) }),
    events: (call) => {
      const id = idOf(call)
      registry.info(id)
      const { since, limit } = call.query
      return { events: registry.journal.read(id, since, limit), lastSeq: registry.journal.lastSeq(id) }
    },
    send: async (call) => {
      const { messageId } = call.body
      // A repeated id answers with its receipt, also when the session has ended in between.
      if (messageId !== undefined && !registry.isLive(idOf(call)))
        return receiptOf(registry, idOf(call), messageId)
      return await live(call).send(call.body)
    },
    receipt: (call) => receiptOf(registry, idOf(call), messageOf(call)),
    // Nothing waits in a session that has ended, and nothing can be asked of it.
    queue: (call) => ({ queue: current(call)?.queue() ?? [] }),
    editQueued: (call) => live(call).editQueued(messageOf(call), call.body),
    withdraw: (call) => live(call).withdraw(messageOf(call)),
    answer: async (call) =>
      await live(call).answer(call.params.approvalId ?? '', call.body.option, call.caller ?? 'cli'),
    commands: (call) => ({ commands: current(call)?.commands() ?? [] }),
    runCommand: async (call) => await live(call).runCommand(call.body),
    interrupt: async (call) => await live(call).interrupt(),
    keys: async (call) => {
      await live(call).keys(call.body.keys)
      return OK
    },
    resize: async (call) => {
      await live(call).resize(call.body.cols, call.body.rows)
      return OK
    },
    terminal: (call) => {
      const { screen, ...size } = live(call).terminalSnapshot()
      return { ...size, lines: deps.screenText({ ...size, screen }) }
    },
    reading: (call) => {
      const session = live(call)
      if (session.reading === undefined)
        throw new MeowError('unsupported', 'the screen of this session is not read')
      return { reading: session.reading() }
    },
    attach: (call) => ({ attach: live(call).attachCommand() }),
    record: async (call) => {
      const recorder = live(call).recorder
      if (recorder === undefined) throw new MeowError('unsupported', 'this session cannot be recorded')
      if (call.body.action === 'stop') return { recording: await recorder.stop() }
      const { action: _, ...options } = call.body
      if (options.file !== undefined && !call.scopes.has('spawn'))
        throw new MeowError('forbidden', 'a file of your own needs the scope spawn', {
          hint: 'leave the file out: the recording is kept with its session',
        })
      return { recording: await recorder.start(options) }
    },
    listRecordings: () => ({ recordings: recordings.list() }),
    recording: async (call) => await recordings.cast(call.params.name ?? ''),
    recordingEvents: async (call) => await recordings.events(call.params.name ?? '', call.signal),
    recordingSide: async (call) => await recordings.side(call.params.name ?? ''),
    hook: async (call) => await registry.hook(idOf(call), call.body),
    shutdown: () => {
      deps.shutdown()
      return OK
    },
    openapi: () => deps.openapi(),
  }
}

function receiptOf(registry: Registry, id: string, messageId: string): Receipt {
  registry.info(id)
  const known = registry.handle(id)?.receipt(messageId)
  if (known !== undefined) return known
  // An ended session has no memory but the journal.
  let newest: Receipt | null = null
  for (const event of everyEvent(registry.journal, id)) {
    if (event.type !== 'delivery' || event.messageId !== messageId) continue
    const undecided = event.undecided === undefined ? {} : { undecided: event.undecided }
    newest = { messageId, state: event.state, reason: event.reason, ...undecided }
  }
  if (newest !== null) return newest
  throw new MeowError('not_found', `there is no message ${messageId}`)
}
