/** @module pi/extension-host - Pi as the extension has it now. */
import type { PiApi, PiContext } from './extension-api.js'
import type { Facts } from './extension-facts.js'

/** What outlives one load of the extension, and Pi as it is now. */
export interface Host {
  readonly facts: Facts
  /** Null while Pi changes its session. */
  now: { readonly pi: PiApi; readonly ctx: PiContext } | null
}

/** Pi and its session now. */
export function present(host: Host): { readonly pi: PiApi; readonly ctx: PiContext } {
  if (!host.now) throw new Error('Pi has no session now')
  return host.now
}

/** What stands in the editor; null where Pi does not say. */
export function editorText(ctx: PiContext): string | null {
  return ctx.ui?.getEditorText?.() ?? null
}
