/** @module cli/commands/run - starts a vendor's program and leaves the person in its TUI. */
import { resolve } from 'node:path'
import { z } from 'zod'
import type { CreateSessionInput } from '../../protocol/commands.js'
import { type CommandSpec, command, common, printJson } from '../command.js'
import { EXIT } from '../exits.js'
import { closingLine, howToLeave, joinTui, mustBeInteractive } from '../join-tui.js'
import { ensureHub } from '../require-hub.js'
import { safeLine } from '../safe-text.js'
import type { Shell } from '../shell.js'

const options = [
  { flags: '-C, --cwd <dir>', about: 'folder the vendor works in (default: this one)' },
  { flags: '-m, --model <model>', about: "model, as the vendor's program names it" },
  { flags: '-n, --name <name>', about: 'name of the session for lists and commands' },
  { flags: '--backend <backend>', about: 'what holds the terminal: tmux (default) or pty' },
  { flags: '-d, --detach', about: 'return when it takes prompts, instead of showing its TUI' },
  {
    flags: '--record [file]',
    about: 'record the terminal from its first byte (asciicast; --record=FILE names it)',
  },
  { flags: '--skip-auth-check', about: 'start even when no login or key is found' },
]

const NOTES =
  "The vendor's program gets your environment, your terminal's size, and everything after --.\n" +
  'The page mirrors the session meanwhile; `agent-meow send` types into it from any other terminal.'

const Input = z.object({
  ...common,
  cwd: z.string().min(1).optional(),
  model: z.string().min(1).optional(),
  name: z.string().min(1).max(120).optional(),
  backend: z.enum(['tmux', 'pty'], 'tmux or pty is wanted').default('tmux'),
  detach: z.boolean().default(false),
  record: z.union([z.literal(true), z.string().min(1)]).optional(),
  skipAuthCheck: z.boolean().default(false),
  args: z.array(z.string()).default([]),
})

export const run = command({
  name: 'run',
  summary: "start a vendor's program in its own TUI, mirrored to the page",
  args: [
    { flags: '<vendor>', about: 'which one; agent-meow doctor lists them' },
    { flags: '[args...]', about: "arguments for the vendor's program, after --" },
  ],
  options,
  notes: `${NOTES}\nShorthand: the vendor's word is a command of its own (agent-meow claude ...).`,
  vendorArgs: true,
  examples: [
    ['run claude', 'Claude Code in this folder, in this terminal'],
    ['run pi --cwd ~/work --name docs', 'Pi in another folder, with a name'],
    ['run claude --detach --json', 'start it in the background, for a program'],
    ['run pi --record', 'recorded; agent-meow record ls names the file'],
    ['run pi --record demo.cast', 'recorded into a file of your own'],
    ['run claude -- --resume', "with an argument of the vendor's own"],
  ],
  input: Input.extend({ vendor: z.string().min(1) }),
  run: (shell, { vendor, ...input }) => start(shell, vendor, input),
})

/** `agent-meow claude ...` for `agent-meow run claude ...`. */
export function shorthand(vendor: { id: string; name: string }): CommandSpec {
  return command({
    name: vendor.id,
    summary: `${vendor.name}: short for run ${vendor.id}`,
    args: [{ flags: '[args...]', about: `arguments for ${vendor.name}'s program, after --` }],
    options,
    notes: NOTES,
    vendorArgs: true,
    examples: [
      [vendor.id, `${vendor.name} in this folder, in this terminal`],
      [`${vendor.id} --detach`, 'the same in the background'],
      [`${vendor.id} -- --help`, "with an argument of the vendor's own"],
    ],
    input: Input,
    run: (shell, input) => start(shell, vendor.id, input),
  })
}

async function start(shell: Shell, vendor: string, input: z.infer<typeof Input>): Promise<number> {
  const { json, detach } = input
  if (!detach) mustBeInteractive(shell, `agent-meow run ${vendor} --detach starts it in the background`)
  const { hub } = await ensureHub(shell, { quiet: json })
  const request = requestOf(shell, vendor, input)
  if (!json) shell.tell(`starting ${vendor} in ${request.cwd} ...`)
  const session = await hub.createSession(request, { signal: shell.signal })
  const { url } = await hub.createPairing()
  if (detach) {
    if (json) printJson(shell, { session, url })
    else {
      const how =
        session.state === 'blocked' ? 'asks something at its start; answer it in its TUI' : 'takes prompts'
      shell.tell(`${vendor} session ${session.id} (${safeLine(session.name, 60)}) ${how}`)
      shell.tell(
        `its TUI: agent-meow attach ${session.id}   prompt: agent-meow send ${session.id} "..." --wait`,
      )
      shell.out(`${url}\n`)
    }
    return EXIT.ok
  }
  if (!json) {
    shell.out(`${url}\n`)
    shell.tell(howToLeave(shell, session))
  }
  const stay = await joinTui(shell, hub, session)
  if (json) printJson(shell, { session: stay.session, ended: stay.ended })
  else shell.tell(closingLine(stay))
  return EXIT.ok
}

function requestOf(shell: Shell, vendor: string, input: z.infer<typeof Input>): CreateSessionInput {
  const { model, name, backend, skipAuthCheck, args, record } = input
  // Our own variables steer the bridge; the vendor's program has no use for them, but those that name a vendor's binary
  // say which program this person means. The person's own tmux is not the terminal that the program will be on.
  const env = Object.entries(shell.env).filter(
    ([key]) => !/^(AGENT_MEOW_(?!\w+_BIN$)|TMUX(_PANE)?$)/.test(key),
  )
  return {
    vendor,
    cwd: resolve(shell.cwd, input.cwd ?? '.'),
    args,
    env: Object.fromEntries(env),
    backend,
    skipAuthCheck,
    cols: clamp(shell.columns, 20, 500),
    rows: clamp(shell.rows, 10, 300),
    ...(record === undefined ? {} : { record: record === true ? {} : { file: resolve(shell.cwd, record) } }),
    ...(model === undefined ? {} : { model }),
    ...(name === undefined ? {} : { name }),
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
