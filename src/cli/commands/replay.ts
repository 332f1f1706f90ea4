/** @module cli/commands/replay - the events of a recording. */
import { resolve } from 'node:path'
import { z } from 'zod'
import type { Offline } from '../../hub/offline.js'
import { type CommandSpec, command, common, decimal } from '../command.js'
import { replayLine } from '../event-line.js'
import { EXIT, UsageError } from '../exits.js'

/** The command, over the vendors that `offline` can read. */
export function replay(offline: Offline): CommandSpec {
  return command({
    name: 'replay',
    summary: 'print the events that a recording gives',
    args: [{ flags: '<file>', about: 'an asciicast, version 2 or 3' }],
    options: [
      { flags: '--vendor <name>', about: "whose program it shows (default: as the recording's header says)" },
      { flags: '--speed <n>', about: 'as it was recorded, n times as fast (default: all at once)' },
      { flags: '--until <seconds>', about: 'stop at this moment of the recording' },
      { flags: '--side <file>', about: "the side channels' log (default: NAME.side.jsonl beside NAME.cast)" },
      { flags: '--screen-only', about: 'leave the side channels out: the screen tells everything' },
    ],
    notes:
      "With the side channels' log, and a vendor that has side channels, they tell the content as they do in a session;\n" +
      'otherwise everything is read from the screen. With --json one event a line (JSONL), the live-only ones (text\n' +
      'deltas, tool output) too; `t` is in seconds of the recording.',
    examples: [
      ['replay demo.cast', 'one line an event'],
      ['replay demo.cast --speed 2 --until 30', 'the first half minute, twice as fast'],
      [
        'replay other.cast --vendor codex --json | jq .type',
        'a recording of another recorder, for a program',
      ],
    ],
    input: z.object({
      ...common,
      file: z.string().min(1),
      vendor: z.string().optional(),
      speed: decimal(0.01, 10_000).optional(),
      until: decimal(0, 1_000_000).optional(),
      side: z.string().min(1).optional(),
      screenOnly: z.boolean().default(false),
    }),
    async run(shell, { json, file, vendor, speed, until, side, screenOnly }) {
      if (screenOnly && side !== undefined)
        throw new UsageError('--side and --screen-only contradict each other')
      const recording = offline.open(resolve(shell.cwd, file), {
        ...(vendor === undefined ? {} : { vendor }),
        ...(screenOnly ? { side: null } : side === undefined ? {} : { side: resolve(shell.cwd, side) }),
      })
      for (const warning of recording.warnings) shell.tell(`warning: ${warning}`)
      const width = shell.interactive ? shell.columns : 400
      await offline.replay(recording, {
        ...(speed === undefined ? {} : { speed }),
        ...(until === undefined ? {} : { untilMs: until * 1000 }),
        signal: shell.signal,
        onEvent: (event) => {
          const { t, type, ...rest } = event
          const line = json
            ? JSON.stringify({ t, type, ...rest })
            : replayLine(event, { width, color: shell.color })
          if (line !== null) shell.out(`${line}\n`)
        },
      })
      return EXIT.ok
    },
  })
}
