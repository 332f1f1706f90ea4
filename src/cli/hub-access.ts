/** @module cli/hub-access - the person's way to the hub of a state home. */
import { setTimeout as delay } from 'node:timers/promises'
import {
  connectOrStart,
  environment,
  HubClient,
  isHubRunning,
  stateHome,
  statePaths,
  stopHub,
} from '../hub/client.js'
import { asMeowError } from '../protocol/errors.js'

/** What the commands ask of a running hub; a part of its client, so that tests can have a small one. */
export type Hub = Pick<
  HubClient,
  | 'info'
  | 'sessions'
  | 'session'
  | 'createSession'
  | 'kill'
  | 'events'
  | 'send'
  | 'receipt'
  | 'queue'
  | 'editQueued'
  | 'withdraw'
  | 'answer'
  | 'commands'
  | 'runCommand'
  | 'interrupt'
  | 'reading'
  | 'resize'
  | 'attach'
  | 'createPairing'
  | 'startRecording'
  | 'stopRecording'
  | 'recordings'
  | 'stream'
>

export interface HubAccess {
  /** Folder of the state. */
  readonly home: string
  /** The running hub, or null. `anyVersion`: also one that an older program started, to end it. */
  find(options?: { anyVersion?: boolean }): Promise<Hub | null>
  /** The running hub; one is started when there is none. */
  ensure(options?: { port?: number; signal?: AbortSignal }): Promise<Hub>
  /** Ends the hub and every session of it, and waits until its process is gone. */
  stop(): Promise<void>
}

/** A hub that could not start, or is ending already, may take this long to be gone. */
const ENDING_MS = 10_000
const LOOK_MS = 50

/** Ends the hub; one that is on its way out already is waited for. */
async function stop(home: string): Promise<void> {
  try {
    await stopHub({ home })
  } catch (error) {
    if (asMeowError(error).code !== 'hub_unreachable') throw error
    const deadline = Date.now() + ENDING_MS
    while (isHubRunning(statePaths(home).lock)) {
      if (Date.now() > deadline) throw error
      await delay(LOOK_MS)
    }
  }
}

/** The hub of the state home that this environment means. */
export function hubsOf(env: Readonly<Record<string, string | undefined>>): HubAccess {
  const home = stateHome(env)
  return {
    home,
    find: async (options = {}) => {
      if (!isHubRunning(statePaths(home).lock)) return null
      try {
        return await HubClient.connect({ home, ...options })
      } catch (error) {
        // It ended just now, or has not yet said where it listens.
        if (asMeowError(error).code === 'hub_unreachable') return null
        throw error
      }
    },
    ensure: (options = {}) => connectOrStart({ home, env: environment(env), ...options }),
    stop: () => stop(home),
  }
}
