/** @module cli/commands/fixture - makes a test of a recording. */
import { relative, resolve } from 'node:path'
import { z } from 'zod'
import type { Offline } from '../../hub/offline.js'
import { type CommandSpec, command, common, printJson } from '../command.js'
import { EXIT } from '../exits.js'
import { safeLine } from '../safe-text.js'

/** The command, over the vendors that `offline` can read. */
export function fixture(offline: Offline): CommandSpec {
  return command({
    name: 'fixture',
    summary: 'make a test of a recording: a folder with the events that it must give',
    args: [
      { flags: '<action>', about: 'add' },
      { flags: '<cast>', about: 'the recording, NAME.cast; NAME.side.jsonl beside it goes with it' },
    ],
    options: [
      { flags: '--name <name>', about: 'the situation, as a folder is called: permission-denied' },
      { flags: '--vendor <name>', about: "whose program it shows (default: as the recording's header says)" },
      { flags: '--version <version>', about: "its version (default: as the recording's header says)" },
      { flags: '--truth <file>', about: 'what truly happened (JSON): what the events are scored against' },
      { flags: '--to <folder>', about: 'the folder of all fixtures (default: fixtures)' },
      { flags: '--force', about: 'replace one that is there' },
      {
        flags: '--allow-cut',
        about: 'take a recording that is cut (killed, capped); its notes.json says so',
      },
    ],
    notes:
      'The expected events are those of today: look at them before you keep them. In a checkout, npm run fixtures replays\n' +
      'all of them and shows what has changed.',
    examples: [
      ['fixture add demo.cast --name simple-turn', 'fixtures/<vendor>/<version>/simple-turn/'],
      [
        'fixture add old.cast --vendor codex --version 0.171.0 --name exec --truth exec.json',
        'of another recorder',
      ],
    ],
    input: z.object({
      ...common,
      action: z.literal('add', 'add is wanted'),
      cast: z.string().min(1),
      name: z.string('the situation is wanted, such as --name simple-turn'),
      vendor: z.string().optional(),
      version: z.string().optional(),
      truth: z.string().min(1).optional(),
      to: z.string().min(1).default('fixtures'),
      force: z.boolean().default(false),
      allowCut: z.boolean().default(false),
    }),
    async run(shell, { json, cast, name, vendor, version, truth, to, force, allowCut }) {
      const { folder, cut } = await offline.addFixture({
        cast: resolve(shell.cwd, cast),
        root: resolve(shell.cwd, to),
        name,
        force,
        allowCut,
        ...(vendor === undefined ? {} : { vendor }),
        ...(version === undefined ? {} : { version }),
        ...(truth === undefined ? {} : { truth: resolve(shell.cwd, truth) }),
      })
      if (json) printJson(shell, { folder, cut })
      else {
        shell.out(`${relative(shell.cwd, folder)}\n`)
        if (cut !== null) shell.tell(`its notes say that it is cut: ${safeLine(cut, 400)}`)
        shell.tell('its expected events are those of this program: look at them before you keep them')
      }
      return EXIT.ok
    },
  })
}
