/** @module cli/require-hub - a command's first two questions: is there a hub, and which session is meant? */
import { MeowError } from '../protocol/errors.js'
import type { SessionInfo } from '../protocol/session.js'
import { findSession } from './find-session.js'
import type { Hub } from './hub-access.js'
import type { Shell } from './shell.js'

/** The running hub, for commands about live sessions: without a hub there is none. */
export async function requireHub(shell: Shell): Promise<Hub> {
  const hub = await shell.hubs.find()
  if (hub !== null) return hub
  throw new MeowError('hub_unreachable', `no hub is running for ${shell.hubs.home}`, {
    hint: 'start a session with: agent-meow run <vendor>; or the hub alone with: agent-meow up',
  })
}

/** The hub, started with a line about it when there is none. */
export async function ensureHub(
  shell: Shell,
  options: { port?: number; quiet: boolean },
): Promise<{ hub: Hub; started: boolean }> {
  const running = await shell.hubs.find()
  if (running !== null) return { hub: running, started: false }
  if (!options.quiet) shell.tell('starting the hub ...')
  const { port } = options
  const hub = await shell.hubs.ensure({ signal: shell.signal, ...(port === undefined ? {} : { port }) })
  return { hub, started: true }
}

/** The session that the person means, with its hub. */
export async function requireSession(shell: Shell, ref: string): Promise<{ hub: Hub; session: SessionInfo }> {
  const hub = await requireHub(shell)
  return { hub, session: findSession(ref, await hub.sessions()) }
}
