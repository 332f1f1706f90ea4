/**
 * @module pi/extension-commands - the session's commands inside Pi. Those that replace the session run in a command of
 * the extension: only there Pi allows it.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { PiApi, PiCommandContext, PiContext } from './extension-api.js'
import { editorText, type Host, present } from './extension-host.js'

/** The extension's own command; it does nothing when a person types it. */
const OWN_COMMAND = 'agent-meow'
const OWN_DESCRIPTION = 'used by agent-meow; does nothing by itself'

/** How long Pi may take to come to the extension's command. */
const COMMAND_MS = 30_000

/** What is to run in the extension's command, by the word behind it. One list a process. */
const WAITING = Symbol.for('agent-meow.pi.commands')
const globals = globalThis as typeof globalThis & {
  [WAITING]?: Map<string, (ctx: PiCommandContext) => Promise<void>>
}
const waiting = globals[WAITING] ?? new Map<string, (ctx: PiCommandContext) => Promise<void>>()
globals[WAITING] = waiting

/** Registers the extension's command with this load of the extension. */
export function registerOwnCommand(pi: PiApi): void {
  pi.registerCommand(OWN_COMMAND, {
    description: OWN_DESCRIPTION,
    handler: async (word, ctx) => await waiting.get(word.trim())?.(ctx),
  })
}

/** Runs one; what it did is told by facts. Rejects in words for a person. */
export async function runCommand(host: Host, name: string, argument: string): Promise<unknown> {
  const { pi, ctx } = present(host)
  switch (name) {
    case 'compact':
      return await compact(ctx, argument)
    case 'model':
      return await model(host, argument)
    case 'effort':
      return effort(host, argument)
    case 'rename':
      pi.setSessionName(argument)
      return pi.getSessionName?.() ?? null
    case 'exit':
      if (!ctx.shutdown) throw new Error('this Pi cannot be ended by an extension')
      ctx.shutdown()
      return null
    case 'clear':
      return await replaced(host, (command) => command.newSession())
    case 'fork': {
      const leaf = ctx.sessionManager.getLeafId?.()
      const file = ctx.sessionManager.getSessionFile()
      // Pi ends its process when it cannot fork.
      if (!leaf || !file || !existsSync(file)) throw new Error('there is nothing to fork yet')
      return await replaced(host, (command) => command.fork(leaf, { position: 'at' }))
    }
    case 'resume': {
      const path = await sessionFile(ctx, argument)
      return await replaced(host, (command) => command.switchSession(path))
    }
    default:
      throw new Error(`no such command: ${name}`)
  }
}

function compact(ctx: PiContext, customInstructions: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (!ctx.compact) throw new Error('this Pi cannot compact for an extension')
    ctx.compact({
      ...(customInstructions === '' ? {} : { customInstructions }),
      onComplete: () => resolve(null),
      onError: reject,
    })
  })
}

async function model(host: Host, wanted: string): Promise<unknown> {
  const { pi, ctx } = present(host)
  const registry = ctx.modelRegistry
  if (!registry) throw new Error('this Pi does not tell its models')
  const available = registry.getAvailable()
  const full = (m: { provider: string; id: string }): string => `${m.provider}/${m.id}`
  const found = available.filter((m) => full(m) === wanted || m.id === wanted)
  const [only] = found
  if (!only || found.length > 1) {
    const what = found.length > 1 ? `more than one model is called ${wanted}` : `Pi has no model ${wanted}`
    throw new Error(`${what}; it has: ${available.slice(0, 40).map(full).join(', ')}`)
  }
  const same = ctx.model && full(ctx.model) === full(only)
  if (!(await pi.setModel(only))) throw new Error(`Pi has no login for ${only.provider}`)
  // Pi says nothing when it is the same.
  if (same) host.facts.model({ model: only })
  return full(only)
}

function effort(host: Host, level: string): unknown {
  const { pi } = present(host)
  const before = pi.getThinkingLevel()
  pi.setThinkingLevel(level)
  const after = pi.getThinkingLevel()
  if (after !== level) throw new Error(`the model has no level ${level}; Pi took ${after}`)
  if (after === before) host.facts.thinking({ level })
  return after
}

/** Replaces Pi's session; a person's draft stands in the editor afterwards as it did before. */
async function replaced(
  host: Host,
  replace: (ctx: PiCommandContext) => Promise<{ readonly cancelled: boolean }>,
): Promise<unknown> {
  const { pi, ctx } = present(host)
  const draft = editorText(ctx)
  await inCommand(pi, async (command) => {
    const { cancelled } = await replace(command)
    if (cancelled) throw new Error('another extension or a person cancelled it')
  })
  const after = present(host).ctx
  if (draft !== null && editorText(after) !== draft) after.ui?.setEditorText?.(draft)
  return after.sessionManager.getSessionId()
}

async function inCommand(pi: PiApi, run: (ctx: PiCommandContext) => Promise<void>): Promise<void> {
  // Pi gives it another name when another extension has the same; a wrong one would go to the model as a prompt.
  const own = pi.getCommands().find((c) => c.source === 'extension' && c.description === OWN_DESCRIPTION)
  if (!own) throw new Error("Pi does not have the extension's command")
  const word = randomUUID()
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => {
      waiting.delete(word)
      reject(new Error(`Pi did not come to the command within ${COMMAND_MS / 1000} s`))
    }, COMMAND_MS)
    waiting.set(word, async (ctx) => {
      waiting.delete(word)
      clearTimeout(late)
      await run(ctx).then(resolve, reject)
    })
    pi.sendUserMessage(`/${own.name} ${word}`, { expandPromptTemplates: true })
  })
}

/** A session file by its path, or by its id or the beginning of it in the folder of Pi's sessions. */
async function sessionFile(ctx: PiContext, wanted: string): Promise<string> {
  const path = isAbsolute(wanted) ? wanted : await byId(ctx, wanted)
  // Pi ends its process when it cannot read one.
  if (!(await isSession(path))) throw new Error(`${path} is no session of Pi`)
  return path
}

async function byId(ctx: PiContext, id: string): Promise<string> {
  const folder = ctx.sessionManager.getSessionDir?.()
  if (!folder || !/^[\w-]{4,64}$/.test(id)) throw new Error(`there is no session ${id}`)
  const names = await readdir(folder).catch((): string[] => [])
  const found = names.filter((name) => name.endsWith('.jsonl') && name.includes(`_${id}`))
  const [only] = found
  if (!only) throw new Error(`there is no session ${id} in ${folder}`)
  if (found.length > 1) throw new Error(`more than one session begins with ${id}`)
  return join(folder, only)
}

async function isSession(path: string): Promise<boolean> {
  if (!existsSync(path)) return false
  const input = createReadStream(path, { end: 64 * 1024, encoding: 'utf8' })
  try {
    for await (const line of createInterface({ input })) {
      const header = JSON.parse(line) as { type?: unknown; id?: unknown }
      return header.type === 'session' && typeof header.id === 'string'
    }
  } catch {
    // No line of JSON.
  } finally {
    input.destroy()
  }
  return false
}
