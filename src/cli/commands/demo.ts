/** @module cli/commands/demo - the whole thing on a real TUI, without a network, a key or a cost. */
import { z } from 'zod'
import { vendor } from '../../../adapters/pi/demo.js'
import { asMeowError, MeowError } from '../../protocol/errors.js'
import { command, common, printJson, wholeNumber } from '../command.js'
import { type Demo, invitation, startDemo } from '../demo/start-demo.js'
import { Undo } from '../demo/undo.js'
import { CtrlC, EXIT } from '../exits.js'
import { closingLine, howToLeave, joinTui, mustBeInteractive } from '../join-tui.js'
import type { Shell } from '../shell.js'

export const demo = command({
  name: 'demo',
  summary: 'try it: a real Pi against a scripted model, until Ctrl-C',
  args: [],
  options: [
    {
      flags: '--pi <path>',
      about: `Pi's program (default: $${vendor.binaryVariable}, the checkout's own, then PATH)`,
    },
    { flags: '-p, --port <n>', about: 'port of the page (default: a free one)' },
    { flags: '-a, --attach', about: "go to Pi's TUI; leaving it ends the demo" },
  ],
  notes:
    'Everything lives in one throw-away folder: your own sessions, your Pi and its settings are not touched.\n' +
    'The model is a script in this process; what you see around it (Pi, tmux, tools, files) is real.',
  examples: [
    ['demo', 'print the URL, stay until Ctrl-C'],
    ['demo --attach', "the same from Pi's TUI"],
    ['demo --json', 'URL, folders and session on one line, for a program'],
  ],
  input: z.object({
    ...common,
    pi: z.string().min(1).optional(),
    port: wholeNumber(1, 65_535).optional(),
    attach: z.boolean().default(false),
  }),
  async run(shell, { json, pi, port, attach }) {
    if (attach) mustBeInteractive(shell, 'agent-meow demo without --attach needs no terminal')
    const undo = new Undo()
    const say = (line: string): void => {
      if (!json) shell.tell(line)
    }
    let code: number = EXIT.ok
    try {
      const running = await startDemo(shell, undo, { pi, port, say })
      announce(shell, running, json)
      if (attach) {
        say(howToLeave(shell, running.session))
        const stay = await joinTui(shell, running.hub, running.session)
        say(closingLine(stay))
      } else {
        await untilCtrlC(shell, running)
      }
    } catch (error) {
      // Ctrl-C while it starts is a wish, too.
      if (!(error instanceof CtrlC) && !shell.signal.aborted) throw error
      code = EXIT.ctrlC
    } finally {
      say('ending the demo ...')
      const failures = await undo.all()
      for (const { what, error } of failures)
        shell.tell(`warning: could not end ${what}: ${asMeowError(error).detail}`)
      if (failures.length > 0) code = EXIT.error
      if (failures.length === 0) say('ended; nothing is left running')
    }
    return code
  },
})

function announce(shell: Shell, running: Demo, json: boolean): void {
  const { url, session, folder, modelUrl } = running
  if (json) {
    printJson(shell, {
      url,
      sessionId: session.id,
      home: folder.state,
      workspace: folder.workspace,
      modelUrl,
    })
    return
  }
  shell.out(`${url}\n`)
  for (const line of invitation(running, shell.self)) shell.tell(line)
}

/** Until the person ends it; a hub that is gone before is an error. */
async function untilCtrlC(shell: Shell, running: Demo): Promise<void> {
  const stream = await running.hub.stream({ signal: shell.signal })
  // Nothing is subscribed: the stream is only there to end.
  for await (const _ of stream) if (shell.signal.aborted) return
  if (!shell.signal.aborted) throw new MeowError('hub_unreachable', 'the hub of the demo ended')
}
