/** @module cli/commands/explain - what a screen was taken for, and why: of a live session or of a recording. */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { Offline, ToldBySide } from '../../hub/offline.js'
import { asMeowError, MeowError } from '../../protocol/errors.js'
import type { ScreenReading } from '../../protocol/session.js'
import { type CommandSpec, command, common, decimal, printJson } from '../command.js'
import { EXIT, UsageError } from '../exits.js'
import { readingLines } from '../reading-lines.js'
import { requireSession } from '../require-hub.js'
import { safeLine } from '../safe-text.js'
import type { Shell } from '../shell.js'

/** Items that people are shown; a program gets all. */
const SHOWN_ITEMS = 12
const ITEM_WIDTH = 160

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
      {
        flags: '--side <file>',
        about: "recordings: the side channels' log (default: NAME.side.jsonl beside NAME.cast)",
      },
      { flags: '--screen-only', about: 'recordings: leave the side channels out' },
    ],
    notes:
      'Tells the state with its rule and evidence, how old the reading is, the open dialog, what stands in the prompt box\n' +
      '(a ghost is a suggestion that nobody typed), and the blocks of the conversation with the rules that read them.\n' +
      "Where a recording has the side channels' log beside it, and the vendor's can be replayed, the state that was told\n" +
      'and the conversation are theirs, as in a replay; the screen is explained beside them.',
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
      side: z.string().min(1).optional(),
      screenOnly: z.boolean().default(false),
    }),
    async run(shell, { json, 'session|cast': ref, ...of }) {
      if (of.screenOnly && of.side !== undefined)
        throw new UsageError('--side and --screen-only contradict each other')
      const isCast = isFileName(shell, ref)
      const { reading, side } = isCast
        ? await ofRecording(shell, offline, ref, of)
        : { reading: await ofSession(shell, ref, of), side: null }
      if (json) printJson(shell, isCast ? { reading, side } : { reading })
      else {
        for (const line of readingLines(reading)) shell.out(`${line}\n`)
        for (const line of side === null ? [] : sideLines(side)) shell.out(`${line}\n`)
      }
      return EXIT.ok
    },
  })
}

interface Of {
  readonly vendor?: string | undefined
  readonly at?: number | undefined
  readonly side?: string | undefined
  readonly screenOnly: boolean
}

/** Sessions have no names with a slash or such an end; `notes.txt` is a file where there is one. */
function isFileName(shell: Shell, ref: string): boolean {
  return /\.cast$|\/|^\.+$/.test(ref) || (ref.includes('.') && isFile(shell, ref))
}

function isFile(shell: Shell, ref: string): boolean {
  return statSync(resolve(shell.cwd, ref), { throwIfNoEntry: false })?.isFile() === true
}

async function ofRecording(
  shell: Shell,
  offline: Offline,
  file: string,
  { vendor, at, side, screenOnly }: Of,
): Promise<{ reading: ScreenReading; side: ToldBySide | null }> {
  const recording = offline.open(resolve(shell.cwd, file), {
    ...(screenOnly ? { side: null } : side === undefined ? {} : { side: resolve(shell.cwd, side) }),
    ...(vendor === undefined ? {} : { vendor }),
  })
  for (const warning of recording.warnings) shell.tell(`warning: ${warning}`)
  const atMs = at === undefined ? undefined : at * 1000
  const reading = await offline.explain(recording, atMs)
  const end = recording.cast.events.at(-1)?.at ?? 0
  if (atMs !== undefined && atMs > end && reading !== null)
    shell.tell(`warning: the recording ends at ${(end / 1000).toFixed(1)} s: that is its last screen`)
  if (reading !== null) {
    const told = await offline.explainSide(recording, atMs)
    return { reading: told === null ? reading : { ...reading, told: told.told }, side: told }
  }
  throw new MeowError('conflict', `${file} shows nothing yet${at === undefined ? '' : ` at ${at} s`}`, {
    hint: 'try a later moment: --at SECONDS',
  })
}

/** Which file told the state and the conversation, and the newest of the latter. */
function sideLines({ file, items }: ToldBySide): string[] {
  const shown = items.slice(-SHOWN_ITEMS)
  const earlier = items.length - shown.length
  return [
    `side      ${safeLine(file, 400)}: it told the state and the conversation${items.length === 0 ? ', which is empty yet' : ''}`,
    ...(earlier > 0 ? [`  ... and ${earlier} earlier`] : []),
    ...shown.map(
      ({ kind, text, open }) => `  ${kind}${open ? ' (open)' : ''}: ${safeLine(text, ITEM_WIDTH)}`,
    ),
  ]
}

async function ofSession(
  shell: Shell,
  ref: string,
  { vendor, at, side, screenOnly }: Of,
): Promise<ScreenReading> {
  if (screenOnly || [vendor, at, side].some((one) => one !== undefined)) {
    throw new UsageError('--vendor, --at, --side and --screen-only are for recordings', {
      hint: `a recording is named by its file: agent-meow explain ./${ref}`,
    })
  }
  const { hub, session } = await requireSession(shell, ref).catch((thrown: unknown) => {
    const error = asMeowError(thrown)
    if (!isFile(shell, ref)) throw error
    throw new MeowError(error.code, error.detail, {
      cause: error,
      hint: `of the file with that name: agent-meow explain ./${ref}`,
    })
  })
  return await hub.reading(session.id, { signal: shell.signal })
}
