/** @module pi/extension-calls - what the bridge may ask of Pi, by method. Errors are told to the bridge in their words. */
import type { PiContext } from './extension-api.js'
import { runCommand } from './extension-commands.js'
import { editorText, type Host, present } from './extension-host.js'
import { readImages } from './extension-images.js'
import type { Waiting } from './extension-prompts.js'

interface Given {
  readonly text?: unknown
  readonly messageId?: unknown
  readonly images?: unknown
  readonly deliverAs?: unknown
  readonly name?: unknown
  readonly argument?: unknown
}

/** Runs a call of the bridge. */
export async function call(host: Host, method: string, params: unknown): Promise<unknown> {
  const given = (params ?? {}) as Given
  switch (method) {
    case 'send':
      return await send(host, given)
    case 'abort':
      return abort(host)
    case 'command':
      return await runCommand(host, String(given.name), String(given.argument ?? ''))
    case 'state': {
      const { ctx } = present(host)
      return {
        idle: ctx.isIdle(),
        pending: ctx.hasPendingMessages?.() ?? false,
        model: ctx.model ? `${ctx.model.provider}/${ctx.model.id}` : null,
        editor: editorText(ctx),
        sid: ctx.sessionManager.getSessionId(),
        file: ctx.sessionManager.getSessionFile() ?? null,
      }
    }
    default:
      throw new Error(`no such method: ${method}`)
  }
}

/** Hands a prompt to Pi once for its id: a bridge that was killed may ask again. */
async function send(host: Host, given: Given): Promise<unknown> {
  const { text, messageId, deliverAs } = given
  if (typeof text !== 'string') throw new Error('send needs a text')
  if (typeof messageId !== 'string') throw new Error('send needs a messageId')
  const { facts } = host
  const { prompts } = facts
  const stage = prompts.stage(messageId)
  if (stage === 'returned') throw new Error('Pi had this prompt and gave it back; it was not run')
  if (stage !== undefined) {
    if (stage !== 'sent') facts.acceptedAgain(messageId, text)
    return { known: true, stage }
  }
  if (!present(host).ctx.model) throw new Error('Pi has no model selected')
  if (facts.compacting) throw new Error('Pi compacts the conversation and takes no prompt meanwhile')
  const paths = Array.isArray(given.images) ? given.images.map(String) : []
  prompts.send(messageId, text)
  try {
    const images = await readImages(paths)
    const content = images.length === 0 ? text : [{ type: 'text', text }, ...images]
    // Always a mode: one that Pi does not need when idle, and that saves the message if a run has just begun.
    present(host).pi.sendUserMessage(content, { deliverAs: deliverAs === 'steer' ? 'steer' : 'followUp' })
  } catch (error) {
    prompts.forget(messageId)
    throw error
  }
  return { known: false }
}

/**
 * Stops what runs. Pi puts what waits in its queue into the editor, before what stands there; the bridge's prompts are
 * taken out of it again, if the editor holds just what Pi made of it. Words of a person stay.
 */
function abort(host: Host): unknown {
  const { ctx } = present(host)
  const { prompts } = host.facts
  const idle = ctx.isIdle()
  const queued = prompts.waiting()
  const before = editorText(ctx)
  ctx.abort()
  const ours = ctx.hasPendingMessages?.() === false ? prompts.emptied() : []
  const cleared = ours.length === 0 || clear(ctx, queued, before)
  const where = cleared ? '' : '; it stands in the editor'
  for (const prompt of ours) host.facts.returned(prompt, `the run was stopped before Pi came to it${where}`)
  return { idle, returned: ours.length, cleared }
}

function clear(ctx: PiContext, queued: readonly Waiting[], before: string | null): boolean {
  const after = editorText(ctx)
  if (before === null || after === null || !ctx.ui?.setEditorText) return false
  if (after === before) return true
  const joined = (waiting: readonly Waiting[]): string =>
    [waiting.map((w) => w.text).join('\n\n'), before].filter((t) => t.trim() !== '').join('\n\n')
  if (after !== joined(queued)) return false
  ctx.ui.setEditorText(joined(queued.filter((w) => w.messageId === null)))
  return true
}
