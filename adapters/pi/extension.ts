/**
 * @module pi/extension - loaded by Pi itself (`pi -e`): tells the bridge what Pi tells its extensions, and
 * does what the bridge asks. Without a bridge it does nothing, and it never breaks or delays Pi.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PiApi, PiContext, PiEvents } from './extension-api.js'
import { Facts } from './extension-facts.js'
import { PiLink } from './extension-link.js'
import type { PiFact } from './wire.js'

/** What outlives one load of this file: `/new`, `/resume` and `/reload` load it again in the same process. */
interface Shared {
  link: PiLink
  facts: Facts
  now: { pi: PiApi; ctx: PiContext } | null
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
    if (s.now) s.facts.state(s.now.ctx.isIdle())
  } catch {
    // Pi is changing sessions; the next session_start tells it.
  }
}

function call(s: Shared, method: string, params: unknown): unknown {
  if (!s.now) throw new Error('Pi has no session now')
  const { pi, ctx } = s.now
  const given = (params ?? {}) as { text?: unknown; deliverAs?: unknown }
  switch (method) {
    case 'send': {
      if (typeof given.text !== 'string') throw new Error('send needs a text')
      if (!ctx.model) throw new Error('Pi has no model selected')
      // Always a mode: one that Pi does not need when idle, and that saves the message if a run has just begun.
      pi.sendUserMessage(given.text, { deliverAs: given.deliverAs === 'steer' ? 'steer' : 'followUp' })
      return null
    }
    case 'abort': {
      const idle = ctx.isIdle()
      ctx.abort()
      return { idle }
    }
    case 'state':
      return {
        idle: ctx.isIdle(),
        pending: ctx.hasPendingMessages?.() ?? false,
        model: ctx.model ? `${ctx.model.provider}/${ctx.model.id}` : null,
        editor: ctx.ui?.getEditorText?.() ?? null,
        sid: ctx.sessionManager.getSessionId(),
        file: ctx.sessionManager.getSessionFile() ?? null,
      }
    default:
      throw new Error(`no such method: ${method}`)
  }
}

/** Pi's entry point. */
export default function extension(pi: PiApi): void {
  const s = shared()
  if (!s) return
  const { facts, link } = s

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
  on('agent_settled', (e) => facts.agentSettled(e))
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
  on('session_compact', (e) => facts.compact(e))
  on('session_compact_failed', (e) => facts.compactFailed(e))
  on('ui_prompt_start', (e) => facts.promptStart(e))
  on('ui_prompt_end', (_e, ctx) => facts.promptEnd(ctx))
}
