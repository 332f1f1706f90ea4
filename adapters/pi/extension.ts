/**
 * @module pi/extension - loaded by Pi itself (`pi -e`): tells the bridge what Pi tells its extensions, and
 * does what the bridge asks. Without a bridge it does nothing, and it never breaks or delays Pi.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PiApi, PiContext, PiEvents } from './extension-api.js'
import { call } from './extension-calls.js'
import { registerOwnCommand } from './extension-commands.js'
import { Facts } from './extension-facts.js'
import type { Host } from './extension-host.js'
import { PiLink } from './extension-link.js'
import type { PiFact } from './wire.js'

/** What outlives one load of this file: `/new`, `/resume` and `/reload` load it again in the same process. */
interface Shared extends Host {
  readonly link: PiLink
}

const SHARED = Symbol.for('agent-meow.pi')
const globals = globalThis as typeof globalThis & { [SHARED]?: Shared }

/** Longest that the end of Pi waits for the bridge to take the last facts. */
const LAST_WORDS_MS = 500

/** Pi's version from its package file, found from the program that runs. */
function piVersion(): string | null {
  try {
    let folder = dirname(realpathSync(process.argv[1] ?? ''))
    for (let up = 0; up < 4; up++, folder = dirname(folder)) {
      try {
        const found = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
          string,
          unknown
        >
        if (typeof found.version === 'string') return found.version
      } catch {
        // Not this folder.
      }
    }
  } catch {
    // No program file: a compiled binary.
  }
  return null
}

/** The link of this process; made at the first load from the environment, which then forgets it. */
function shared(): Shared | null {
  const path = process.env.AGENT_MEOW_PI_SOCKET
  const token = process.env.AGENT_MEOW_PI_TOKEN
  // The agent's shell tools and everything they start inherit this environment.
  delete process.env.AGENT_MEOW_PI_SOCKET
  delete process.env.AGENT_MEOW_PI_TOKEN
  const known = globals[SHARED]
  if (known || !path || !token) return known ?? null
  const link = new PiLink({
    path,
    token,
    instance: randomUUID().slice(0, 8),
    piVersion: piVersion(),
    onCall: async (method, params) => call(made, method, params),
    onConnected: () => tellState(made),
  })
  const made: Shared = { link, facts: new Facts((fact: PiFact) => link.push(fact)), now: null }
  globals[SHARED] = made
  return made
}

function tellState(s: Shared): void {
  try {
    if (s.now) s.facts.state(s.now.ctx)
  } catch {
    // Pi is changing sessions; the next session_start tells it.
  }
}

/** How often and how long Pi is asked whether it is free after a compaction: it has no event for that. */
const FREE_MS = 50
const FREE_TRIES = 100

/** Pi tells of a compaction while it is not quite over. */
function whenFree(ctx: PiContext, then: () => void, tries = FREE_TRIES): void {
  setTimeout(() => {
    try {
      if (ctx.isIdle() || tries === 0) then()
      else whenFree(ctx, then, tries - 1)
    } catch {
      // The session was replaced meanwhile, and its successor told where it stands.
    }
  }, FREE_MS).unref()
}

/** Pi's entry point. */
export default function extension(pi: PiApi): void {
  const s = shared()
  if (!s) return
  const { facts, link } = s
  registerOwnCommand(pi)

  /** Subscribes; a fault of ours stays ours, and what is returned never changes what Pi does. */
  const on = <E extends keyof PiEvents>(
    name: E,
    handler: (event: PiEvents[E], ctx: PiContext) => unknown,
  ): void => {
    pi.on(name, (event, ctx) => {
      try {
        const wait = handler(event, ctx)
        return wait instanceof Promise ? wait : undefined
      } catch {
        return undefined
      }
    })
  }

  on('session_start', (event, ctx) => {
    s.now = { pi, ctx }
    link.start()
    facts.sessionStart(event, ctx)
  })
  on('session_shutdown', (event) => {
    facts.sessionShutdown(event)
    s.now = null
    return event.reason === 'quit' ? link.flush(LAST_WORDS_MS).then(() => link.stop()) : undefined
  })
  on('input', (e) => facts.input(e))
  on('before_agent_start', (e) => facts.beforeRun(e))
  on('agent_start', () => facts.agentStart())
  on('agent_settled', (e, ctx) => facts.agentSettled(e, ctx))
  on('turn_start', () => facts.turnStart())
  on('turn_end', (e) => facts.turnEnd(e))
  on('message_start', (e) => facts.messageStart(e))
  on('message_update', (e) => facts.messageUpdate(e))
  on('message_end', (e) => facts.messageEnd(e))
  on('tool_execution_start', (e) => facts.toolStart(e))
  on('tool_call', (e) => facts.toolCall(e))
  on('tool_execution_update', (e) => facts.toolUpdate(e))
  on('tool_execution_end', (e, ctx) => facts.toolEnd(e, ctx))
  on('model_select', (e) => facts.model(e))
  on('thinking_level_select', (e) => facts.thinking(e))
  on('session_info_changed', (e) => facts.name(e))
  on('session_before_compact', (e, ctx) => facts.beforeCompact(e, ctx))
  on('session_compact', (e, ctx) => {
    facts.compact(e)
    whenFree(ctx, () => facts.compacted(ctx))
  })
  on('session_compact_failed', (e, ctx) => {
    facts.compactFailed(e)
    whenFree(ctx, () => facts.compacted(ctx))
  })
  on('ui_prompt_start', (e) => facts.promptStart(e))
  on('ui_prompt_end', (_e, ctx) => facts.promptEnd(ctx))
}
