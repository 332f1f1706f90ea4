/** @module cli/commands/kill - ends sessions. */
import { z } from 'zod'
import { asMeowError } from '../../protocol/errors.js'
import type { SessionInfo } from '../../protocol/session.js'
import { command, common, printJson } from '../command.js'
import { EXIT, UsageError } from '../exits.js'
import { findSession } from '../find-session.js'
import { requireHub } from '../require-hub.js'
import { safeLine } from '../safe-text.js'

export const kill = command({
  name: 'kill',
  summary: "end sessions: their vendors' programs are stopped",
  args: [{ flags: '[sessions...]', about: 'ids, starts of ids, or names' }],
  options: [{ flags: '-a, --all', about: 'every session that is alive' }],
  examples: [
    ['kill docs', 'end one'],
    ['kill s_4f s_9a', 'end two'],
    ['kill --all', 'end all; the hub stays'],
  ],
  input: z.object({ ...common, sessions: z.array(z.string()).default([]), all: z.boolean().default(false) }),
  async run(shell, { json, sessions: refs, all }) {
    if (all === refs.length > 0) throw new UsageError('name the sessions to end, or say --all')
    const hub = await requireHub(shell)
    const known = await hub.sessions()
    // All names are understood before anything is ended.
    const meant = all
      ? known.filter(({ state }) => state !== 'ended')
      : refs.map((ref) => findSession(ref, known))
    const unique = [...new Map(meant.map((session) => [session.id, session])).values()]
    const results = await Promise.all(unique.map((session) => end(session)))
    if (json) printJson(shell, { sessions: results })
    else if (results.length === 0) shell.tell('no session is running')
    else for (const one of results) shell.out(`${line(one)}\n`)
    return results.some(({ error }) => error !== null) ? EXIT.error : EXIT.ok

    async function end(session: SessionInfo) {
      const { id, name, vendor } = session
      const base = { id, name, vendor, wasEnded: session.state === 'ended' }
      try {
        const { stateEvidence } = await hub.kill(id)
        // What was ended now, of a session that had ended before, is told there.
        return { ...base, seen: stateEvidence, error: null }
      } catch (error) {
        return { ...base, seen: [], error: asMeowError(error).toJSON() }
      }
    }
  },
})

interface Killed {
  readonly id: string
  readonly name: string
  readonly vendor: string
  readonly wasEnded: boolean
  readonly seen: readonly string[]
  readonly error: { detail: string } | null
}

function line({ id, name, vendor, wasEnded, seen, error }: Killed): string {
  const before = ['had ended before', ...seen.slice(-1).map((text) => safeLine(text))].join('; ')
  const how = error !== null ? `not ended: ${safeLine(error.detail)}` : wasEnded ? before : 'ended'
  return `${vendor} session ${id} (${safeLine(name, 60)}) ${how}`
}
