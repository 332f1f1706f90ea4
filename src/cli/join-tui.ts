/** @module cli/join-tui - leaves the person in the vendor's own TUI, and says afterwards what became of the session. */
import { MeowError } from '../protocol/errors.js'
import type { DurableEvent } from '../protocol/events.js'
import type { SessionInfo } from '../protocol/session.js'
import { DETACH_KEY_NAME } from './detach-key.js'
import { EXIT, UsageError } from './exits.js'
import { count, money } from './figures.js'
import { followSession } from './follow-session.js'
import type { Hub } from './hub-access.js'
import { bridgePty } from './pty-bridge.js'
import { safeLine } from './safe-text.js'
import type { Shell } from './shell.js'

/** How long the hub may take to tell the end of a program that is gone. */
const END_IS_TOLD_MS = 10_000

export interface Stay {
  readonly session: SessionInfo
  /** The session's end; null when it goes on. */
  readonly ended: (DurableEvent & { type: 'session.ended' }) | null
}

/** Joining needs a terminal; this says so before anything is started. */
export function mustBeInteractive(shell: Shell, hint: string): void {
  if (shell.interactive) return
  throw new UsageError("this is not a terminal, so the vendor's TUI cannot be shown here", { hint })
}

/** Puts the person's terminal on the session and comes back when they detach or the program ends. */
export async function joinTui(shell: Shell, hub: Hub, session: SessionInfo): Promise<Stay> {
  const attach = await hub.attach(session.id)
  if (attach === null) {
    const tty = shell.openTty()
    if (tty === null) throw new UsageError('this is not a terminal')
    await bridgePty(hub, session, tty, shell.signal)
  } else {
    const { TMUX: _outer, TMUX_PANE: _pane, ...env } = shell.env
    const code = await shell.handOver(attach.argv, { ...env, ...attach.env })
    if (code !== EXIT.ok && isAlive(session.pid)) {
      throw new MeowError('tmux_failed', `${attach.argv[0] ?? 'tmux'} ended with code ${code}`, {
        hint: `the session goes on; agent-meow attach ${session.id} tries again`,
      })
    }
  }
  return afterwards(hub, session)
}

/** Detached, or ended? The program's process tells; the hub then has a moment to journal the end. */
async function afterwards(hub: Hub, before: SessionInfo): Promise<Stay> {
  const session = await hub.session(before.id)
  if (session.state !== 'ended' && isAlive(session.pid)) return { session, ended: null }
  const box: { ended: Stay['ended'] } = { ended: null }
  try {
    await followSession(hub, before.id, {
      since: before.lastSeq,
      signal: AbortSignal.timeout(END_IS_TOLD_MS),
      onEvent: (event) => {
        if (event.type === 'session.ended') box.ended = event
        return box.ended !== null
      },
    })
  } catch (error) {
    throw new MeowError('timeout', `the end of session ${before.id} was not told by the hub`, {
      cause: error,
    })
  }
  return { session: await hub.session(before.id), ended: box.ended }
}

function isAlive(pid: number | null): boolean {
  if (pid === null) return false
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** The closing line: what the session was and cost, or how to come back to it. */
export function closingLine({ session, ended }: Stay): string {
  const who = `${session.vendor} session ${session.id} (${safeLine(session.name, 60)})`
  const cost = `${count(session.turns, 'turn')}, ${money(session.usd)}`
  if (ended === null) {
    return `${who} goes on: ${cost}\nagain: agent-meow attach ${session.id}   end: agent-meow kill ${session.id}`
  }
  const how = ended.signal ?? (ended.exitCode === null ? 'exit not known' : `exit code ${ended.exitCode}`)
  const last = session.lastOutcome === null ? '' : `, last turn ${session.lastOutcome}`
  return `${who} ended: ${ended.reason} (${how})${last}; ${cost}`
}

/** What to press to leave without ending the program. */
export function howToLeave(shell: Shell, session: SessionInfo): string {
  const nested =
    shell.env.TMUX === undefined ? 'Ctrl-b d' : 'Ctrl-b d (within your own tmux: Ctrl-b Ctrl-b d)'
  return `leave it running: ${session.backend === 'tmux' ? nested : DETACH_KEY_NAME}; end it: the vendor's own way`
}
