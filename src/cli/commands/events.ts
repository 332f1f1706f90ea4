/** @module cli/commands/events - the conversation as events. */
import { z } from 'zod'
import type { MeowEvent } from '../../protocol/events.js'
import { command, common, printJson, wholeNumber } from '../command.js'
import { eventLine } from '../event-line.js'
import { EXIT } from '../exits.js'
import { findSession } from '../find-session.js'
import { followSession } from '../follow-session.js'
import type { Hub } from '../hub-access.js'
import { ensureHub } from '../require-hub.js'

/** Events in one answer of the hub. */
const PAGE = 1000

export const events = command({
  name: 'events',
  summary: 'print the events of a session',
  args: [{ flags: '<session>', about: 'id, the start of an id, or a name; ended ones too' }],
  options: [
    { flags: '-f, --follow', about: 'go on with the live ones until the session ends or Ctrl-C' },
    { flags: '-s, --since <seq>', about: 'only events after this number' },
  ],
  notes:
    'With --json one event a line (JSONL); --follow then adds the live-only events (text deltas, tool output).',
  examples: [
    ['events docs', 'everything so far, one line each'],
    ['events docs --follow --since 120', 'what comes after event 120'],
    ['events docs --json | jq .type', 'for a program'],
  ],
  input: z.object({
    ...common,
    session: z.string(),
    follow: z.boolean().default(false),
    since: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0),
  }),
  async run(shell, { json, session: ref, follow, since }) {
    const { hub } = await ensureHub(shell, { quiet: json })
    const session = findSession(ref, await hub.sessions())
    const width = shell.interactive ? shell.columns : 400
    const print = (event: MeowEvent): void => {
      const line = json ? null : eventLine(event, { width, color: shell.color })
      if (json) printJson(shell, event)
      else if (line !== null) shell.out(`${line}\n`)
    }
    const { last, ended } = await printPast(hub, session.id, since, print)
    if (!follow || ended || session.state === 'ended') return EXIT.ok
    await followSession(hub, session.id, {
      since: last,
      signal: shell.signal,
      onEvent: (event) => {
        print(event)
        return event.type === 'session.ended'
      },
    })
    return EXIT.ok
  },
})

/** Page by page, so that a long session needs no long answer. */
async function printPast(hub: Hub, id: string, since: number, print: (event: MeowEvent) => void) {
  let last = since
  let ended = false
  for (;;) {
    const page = await hub.events(id, { since: last, limit: PAGE })
    for (const event of page.events) {
      print(event)
      last = event.seq
      ended ||= event.type === 'session.ended'
    }
    if (page.events.length === 0 || last >= page.lastSeq) return { last, ended }
  }
}
