/** @module cli/commands/record - records sessions as asciicasts. */
import { resolve } from 'node:path'
import { z } from 'zod'
import type { RecordingInfo } from '../../protocol/session.js'
import { command, common, printJson, wholeNumber } from '../command.js'
import { EXIT, UsageError } from '../exits.js'
import { age } from '../figures.js'
import type { Hub } from '../hub-access.js'
import { ensureHub, requireSession } from '../require-hub.js'
import { safeLine } from '../safe-text.js'
import type { Shell } from '../shell.js'
import { table } from '../table.js'

const HEAD = ['NAME', 'VENDOR', 'VERSION', 'STATE', 'CHECK', 'SIZE', 'LENGTH', 'FILE']
const ACTIONS = ['start', 'stop', 'ls'] as const
const MB = 1024 * 1024

export const record = command({
  name: 'record',
  summary: 'record a session as an asciicast that any asciinema player plays',
  args: [
    { flags: '<action>', about: 'start, stop, or ls' },
    { flags: '[session]', about: 'for start and stop: id, the start of an id, or a name' },
  ],
  options: [
    { flags: '-o, --out <file>', about: "start: a new file, NAME.cast (default: in the session's folder)" },
    { flags: '--max-mb <n>', about: 'start: end the recording at this size, in MB (default: 100)' },
  ],
  notes:
    'A recording has output, input, sizes and markers on one clock; beside NAME.cast, NAME.side.jsonl has what the\n' +
    "vendor's side channels told. Keys, tokens, passwords and the paths of your home are replaced before anything is\n" +
    'written. To have all of it from the first byte: agent-meow run <vendor> --record',
  examples: [
    ['record start docs', 'from the screen as it is now'],
    ['record start docs --out demo.cast', 'into a file of your own'],
    ['record stop docs', 'close it and look through it for secrets'],
    ['record ls --json', 'all recordings, for a program'],
  ],
  input: z.object({
    ...common,
    action: z.enum(ACTIONS, 'start, stop or ls is wanted'),
    session: z.string().optional(),
    out: z.string().min(1).optional(),
    maxMb: wholeNumber(1, 900).optional(),
  }),
  async run(shell, { json, action, session: ref, out, maxMb }) {
    if (action !== 'start' && (out !== undefined || maxMb !== undefined))
      throw new UsageError('--out and --max-mb belong to record start')
    if (action === 'ls') {
      if (ref !== undefined) throw new UsageError('record ls lists all of them: it takes no session')
      return await list(shell, json)
    }
    if (ref === undefined) {
      throw new UsageError(`name the session: agent-meow record ${action} <session>`, {
        hint: 'agent-meow ls shows the sessions that are alive',
      })
    }
    const { hub, session } = await requireSession(shell, ref)
    const recording =
      action === 'stop'
        ? await hub.stopRecording(session.id, { signal: shell.signal })
        : await hub.startRecording(session.id, {
            ...(out === undefined ? {} : { file: resolve(shell.cwd, out) }),
            ...(maxMb === undefined ? {} : { maxBytes: maxMb * MB }),
          })
    if (json) printJson(shell, { recording })
    else {
      shell.out(`${recording.file}\n`)
      if (action === 'start') shell.tell(`recording; end it: agent-meow record stop ${session.id}`)
      else {
        shell.tell(closing(recording))
        // What is not given out cannot be played in the page.
        if (recording.check !== 'refused') shell.tell(`play it: ${await playUrl(hub, recording.name)}`)
      }
    }
    return recording.check === 'refused' ? EXIT.error : EXIT.ok
  },
})

/** The page of a recording, for a browser that is paired. */
async function playUrl(hub: Hub, name: string): Promise<string> {
  const { port } = await hub.info()
  return `http://127.0.0.1:${port}/#/recordings/${encodeURIComponent(name)}`
}

const CHECKS: Readonly<Record<RecordingInfo['check'], string>> = {
  clean: 'no secret is seen in it',
  patched: 'secrets that were drawn in pieces were taken out',
  refused: 'it shows a secret that could not be taken out: do not share it',
  unchecked: 'it was not looked through for secrets that are drawn in pieces: look before you share it',
}

function closing({ bytes, sideFile, check, state, detail }: RecordingInfo): string {
  const why = detail === null ? '' : ` (${safeLine(detail, 200)})`
  return `${state}, ${size(bytes)}; ${CHECKS[check]}${why}\nside channels: ${sideFile}`
}

async function list(shell: Shell, json: boolean): Promise<number> {
  const { hub } = await ensureHub(shell, { quiet: json })
  const recordings = await hub.recordings({ signal: shell.signal })
  if (json) printJson(shell, { recordings })
  else if (recordings.length === 0) shell.tell('nothing was recorded yet: agent-meow record start <session>')
  else {
    const rows = recordings.map((one) => row(one, shell.now()))
    shell.out(table(HEAD, rows, shell.interactive ? shell.columns : Number.POSITIVE_INFINITY))
  }
  return EXIT.ok
}

function row(one: RecordingInfo, now: number): string[] {
  const { name, vendor, vendorVersion, state, check, bytes, startedAt, endedAt, file } = one
  const length = state === 'lost' ? '-' : age((endedAt ?? now) - startedAt)
  return [name, vendor, vendorVersion ?? '-', state, check, size(bytes), length, file]
}

/** `812 B`, `1.5 KB`, `3.2 MB`. */
function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
