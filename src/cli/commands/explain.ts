/** @module cli/commands/explain - what a screen was taken for, and why: of a live session or of a recording. */
import { resolve } from 'node:path'
import { z } from 'zod'
import type { Offline } from '../../hub/offline.js'
import { MeowError } from '../../protocol/errors.js'
import type { ScreenReading } from '../../protocol/session.js'
import { type CommandSpec, command, common, decimal, printJson } from '../command.js'
import { EXIT, UsageError } from '../exits.js'
import { readingLines } from '../reading-lines.js'
import { requireSession } from '../require-hub.js'
import type { Shell } from '../shell.js'

/** The command, over the vendors that `offline` can read. */
export function explain(offline: Offline): CommandSpec {
  return command({
    name: 'explain',
    summary: 'say what a screen was taken for, by which rule, on which evidence',
    args: [
      {
        flags: '<session|cast>',
        about: 'id, start of an id or name of a session; or a recording, NAME.cast',
      },
    ],
    options: [
      { flags: '--vendor <name>', about: 'recordings: whose program it shows (default: as the header says)' },
      { flags: '--at <seconds>', about: 'recordings: at this moment (default: at its end)' },
    ],
    notes:
      'Tells the state with its rule and evidence, how old the reading is, the open dialog, what stands in the prompt box\n' +
      '(a ghost is a suggestion that nobody typed), and the blocks of the conversation with the rules that read them.',
    examples: [
      ['explain docs', 'the screen of a session, now'],
      ['explain demo.cast --at 12.5', 'the screen of a recording, 12.5 seconds from its start'],
      ['explain demo.cast --vendor codex --json', 'for a program'],
    ],
    input: z.object({
      ...common,
      'session|cast': z.string().min(1),
      vendor: z.string().optional(),
      at: decimal(0, 1_000_000).optional(),
    }),
    async run(shell, { json, 'session|cast': ref, vendor, at }) {
      const reading = isFileName(ref)
        ? await ofRecording(shell, offline, ref, vendor, at)
        : await ofSession(shell, ref, vendor ?? at)
      if (json) printJson(shell, { reading })
      else for (const line of readingLines(reading)) shell.out(`${line}\n`)
      return EXIT.ok
    },
  })
}

/** Sessions have no names with a slash or such an end. */
function isFileName(ref: string): boolean {
  return ref.endsWith('.cast') || ref.includes('/')
}

async function ofRecording(
  shell: Shell,
  offline: Offline,
  file: string,
  vendor: string | undefined,
  at: number | undefined,
): Promise<ScreenReading> {
  const recording = offline.open(resolve(shell.cwd, file), {
    side: null,
    ...(vendor === undefined ? {} : { vendor }),
  })
  for (const warning of recording.warnings) shell.tell(`warning: ${warning}`)
  const reading = await offline.explain(recording, at === undefined ? undefined : at * 1000)
  if (reading !== null) return reading
  throw new MeowError('conflict', `${file} shows nothing yet${at === undefined ? '' : ` at ${at} s`}`, {
    hint: 'try a later moment: --at SECONDS',
  })
}

async function ofSession(shell: Shell, ref: string, onlyForCasts: unknown): Promise<ScreenReading> {
  if (onlyForCasts !== undefined) {
    throw new UsageError('--vendor and --at are for recordings', {
      hint: `a recording is named by its file: agent-meow explain ./${ref}`,
    })
  }
  const { hub, session } = await requireSession(shell, ref)
  return await hub.reading(session.id, { signal: shell.signal })
}
