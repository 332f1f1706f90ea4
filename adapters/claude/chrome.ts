/** @module adapters/claude/chrome - the prompt box and dialogs at the screen's foot, and where they begin. Pure. */
import { hasBackground, type ScreenView } from '../../src/adapter/index.js'

/** A rule across the screen; a session's name may stand in the upper one. */
const RULE = /^(?:─{10,}|─{2,} .* ─{2}$)/u
const COMPOSER = /^[❯!](?:[\s\u00a0]|$)/u
/** What only the conversation has in column 0. */
const CONVERSATION = /^(?:[●⏺✻✢✶✽]|[·*] \S)/u
const QUEUED = /^ {2}❯[ \u00a0]/u

export interface Box {
  /** Row of the upper rule, first and last text row. */
  readonly top: number
  readonly first: number
  readonly last: number
}

export const isRule = (screen: ScreenView, y: number): boolean => RULE.test(screen.text(y))

/** The input box: the lowest two rules, with a prompt sign under the upper one. */
export function composerBox(screen: ScreenView): Box | null {
  let bottom = -1
  for (let y = screen.rows - 1; y >= 0; y -= 1) {
    if (!isRule(screen, y)) continue
    if (bottom < 0) bottom = y
    else
      return y + 1 < bottom && COMPOSER.test(screen.text(y + 1))
        ? { top: y, first: y + 1, last: bottom - 1 }
        : null
  }
  return null
}

/** Whether a row is the conversation's: a bullet, a spinner, a prompt on its background. */
function ofConversation(screen: ScreenView, y: number): boolean {
  const text = screen.text(y)
  return CONVERSATION.test(text) || (/^❯[ \u00a0]+\S/u.test(text) && hasBackground(screen.row(y)))
}

/** First row of what stands below the conversation where no prompt box is drawn; null without a rule above it. */
export function dialogTop(screen: ScreenView): number | null {
  let top: number | null = null
  for (let y = screen.rows - 1; y >= 0 && !ofConversation(screen, y); y -= 1) {
    if (!isRule(screen, y)) continue
    // The inner rules of a dialog have the colour of its upper one; another colour is a box that scrolled away.
    if (top !== null && screen.style(0, y).fg !== screen.style(0, top).fg) break
    top = y
  }
  return top
}

/** First row below the last one of the conversation. */
export function belowConversation(screen: ScreenView): number {
  for (let y = screen.rows - 1; y >= 0; y -= 1) if (ofConversation(screen, y)) return y + 1
  return 0
}

/** Where the conversation ends: above prompt box or dialog, and above prompts that wait for their turn. */
export function conversationEnd(screen: ScreenView): number | null {
  const box = composerBox(screen)
  const top = box ? box.top : dialogTop(screen)
  if (top === null) return null
  let y = top
  for (let above = top - 1; above > 0; above -= 1) {
    const text = screen.text(above)
    // A queued prompt stands on a background of its own; a text that quotes one does not.
    const queued = /^ {2}/u.test(text) && hasBackground(screen.row(above), 2)
    if (queued && QUEUED.test(text)) y = above
    else if (text.trim() !== '' && !queued) break
  }
  return y
}
