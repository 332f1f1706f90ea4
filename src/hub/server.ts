/** @module hub/server - one hub: registry, pairing, routes and stream behind the gate, on one port of loopback. */
import type { Journal } from '../journal/journal.js'
import type { HubInfo, VendorInfo } from '../protocol/api.js'
import { type IdSource, randomId } from '../protocol/ids.js'
import type { LaunchSession, SessionDeps } from '../session/handle.js'
import { makeApp } from './app.js'
import { LAST_ANSWERS_MS, takePort } from './front.js'
import { cookieName } from './gate.js'
import { describeError } from './log.js'
import { makeOpenApi } from './openapi.js'
import { type BrowserStore, COOKIE_MS, Pairing } from './pairing.js'
import { Recordings } from './recordings.js'
import { openSessions, recoverSessions } from './recovery.js'
import { Registry, type RegistryOptions } from './registry.js'
import type { ReplayRecording } from './replays.js'
import { handlers, type RouteDeps } from './routes.js'
import { pageFiles } from './static.js'
import type { OutboxLimits } from './stream/outbox.js'
import { GOODBYE_MS, StreamServer } from './stream/server.js'

export interface HubOptions {
  /** 0 takes any free one. */
  readonly port: number
  readonly token: string
  readonly home: string
  readonly socketDir: string
  readonly version: string
  readonly journal: Journal
  readonly browsers: BrowserStore
  readonly launch: LaunchSession
  readonly hostFor: SessionDeps['hostFor']
  readonly endLeft?: Required<RegistryOptions>['endLeft']
  readonly resume?: Required<RegistryOptions>['resume']
  /** Environment for vendors when a request carries none. */
  readonly env: Readonly<Record<string, string>>
  readonly vendors: () => Promise<VendorInfo[]>
  readonly screenText: RouteDeps['screenText']
  /** Reads a recording back as a conversation. */
  readonly replay?: ReplayRecording
  /** The folder of the built page; null where there is none. */
  readonly webRoot: string | null
  readonly log: (line: string) => void
  /** Somebody asked the hub to end. */
  readonly onShutdown: () => void
  readonly now?: () => number
  readonly newId?: IdSource
  readonly limits?: OutboxLimits
  readonly pingMs?: number
  readonly maxLive?: number
  readonly bodyBytes?: number
}

export interface Hub {
  readonly port: number
  readonly url: string
  readonly registry: Registry
  readonly pairing: Pairing
  readonly stream: StreamServer
  /** Ends all sessions, bounded, then the server. The journal stays open: it belongs to the caller. */
  close(killWithinMs?: number): Promise<void>
}

const KILL_ALL_MS = 20_000
/** Longest that {@link Hub.close} takes. */
export const HUB_CLOSE_MS = KILL_ALL_MS + GOODBYE_MS + LAST_ANSWERS_MS

/** Opens a hub on 127.0.0.1; `port_taken` when the port is not to be had. */
export async function openHub(options: HubOptions): Promise<Hub> {
  const { journal, version, home, log, now = Date.now, newId = randomId } = options
  const startedAt = now()
  // The port first: nothing is written by a hub that cannot be reached.
  const front = await takePort(options.port)
  try {
    const { port } = front
    const url = `http://127.0.0.1:${port}`
    const left = openSessions(journal)
    const hookUrl = (id: string): string => `${url}/v1/sessions/${id}/hook`
    const registry = new Registry({ ...options, now, newId, hookUrl })
    const pairing = new Pairing({ store: options.browsers, now })
    const stream = new StreamServer({ ...options, registry })
    const info = (): Omit<HubInfo, 'scopes'> => ({
      version,
      pid: process.pid,
      port,
      home,
      startedAt,
      sessions: registry.liveCount,
    })
    const app = makeApp({
      handlers: handlers({
        registry,
        pairing,
        recordings: new Recordings({
          home,
          recorderOf: (id) => registry.handle(id)?.recorder,
          replay: options.replay,
        }),
        info,
        url,
        vendors: options.vendors,
        openapi: () => makeOpenApi(version),
        screenText: options.screenText,
        shutdown: options.onShutdown,
      }),
      setCookie: (value) =>
        `${cookieName(port)}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${COOKIE_MS / 1000}`,
      page: pageFiles(options.webRoot),
      fault: (where, error) => log(`${where}: ${describeError(error)}`),
      ...(options.bodyBytes === undefined ? {} : { bodyBytes: options.bodyBytes }),
    })
    front.open({
      app,
      stream,
      gate: {
        port,
        token: options.token,
        hookToken: (id) => registry.hookToken(id),
        cookieScopes: (value) => pairing.scopesOf(value),
      },
    })
    // Behind the open door: what their programs post meanwhile is answered.
    await recoverSessions(left, registry, { ...options, now, newId })
    return {
      port,
      url,
      registry,
      pairing,
      stream,
      async close(killWithinMs = KILL_ALL_MS) {
        await registry.killAll(killWithinMs)
        await stream.close()
        await front.close()
      },
    }
  } catch (error) {
    await front.close()
    throw error
  }
}
