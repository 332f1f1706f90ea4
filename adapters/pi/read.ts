/**
 * @module pi/read - what a settled screen of Pi says. Pure. It serves both tui modes: in each the editor or a dialog
 * stands between the lowest two rules. In a live session the state comes from the extension.
 */
import type { Composer, Dialog, Reading, ScreenView } from '../../src/adapter/index.js'
import { isMuted } from './look.js'
import { dialogIn } from './read-dialog.js'

/** Rows above the upper rule that may belong to a dialog with an inner rule (the session tree, the fork list). */
const HEAD_ROWS = 8
/** `── ⠼ Working ───`, `── ⠙ Retrying (2/3) in 4s... (escape to cancel) ───`: a braille spinner in the rule. */
const BUSY_RULE = /^─+ [⠀-⣿] \S.* ─+$/
/** `─── ↑ 3 more ───`: the editor scrolls. */
const SCROLL_RULE = /^─+ [↑↓] \d+ more ─*$/
const PLAIN_RULE = /^─+$/
/** ` Steering: fix it`, ` Follow-up: then that`, ` ↳ Alt+Up to edit all queued messages`: not sent yet. */
const QUEUED = /^ (?:Steering: |Follow-up: |↳ \S+ to edit )/u
/** `(mock) mock-model • medium` at the right of the last row, `0.7%/200k (auto)` at its left. */
const FOOTER = /\d%\/\d[\d.]*[kM]?\b|\?\/\d+[kM]\b|^\s*↑\S+ ↓\S+|\(\S+\) \S+(?: • \S+)?$/u

function isRule(screen: ScreenView, y: number): boolean {
  const text = screen.text(y)
  if (text.length < screen.cols - 1) return false
  return PLAIN_RULE.test(text) || BUSY_RULE.test(text) || SCROLL_RULE.test(text)
}

/** The lowest two rules, upper first. */
function lowestRules(screen: ScreenView): [number, number] | null {
  let lower = -1
  for (let y = screen.rows - 1; y >= 0; y--) {
    if (!isRule(screen, y)) continue
    if (lower < 0) lower = y
    else return [y, lower]
  }
  return null
}

function rows(screen: ScreenView, from: number, to: number): string[] {
  const texts: string[] = []
  for (let y = Math.max(0, from); y < to; y++) texts.push(screen.text(y))
  return texts
}

export function read(screen: ScreenView): Reading {
  const found = lowestRules(screen)
  if (!found) return unknown(screen, 'pi.no_rules')
  const [upper, lower] = found
  const inner = rows(screen, upper + 1, lower)
  const dialog = dialogIn(inner, rows(screen, upper - HEAD_ROWS, upper))
  if (dialog === 'unclear') return unknown(screen, 'pi.framed_list')
  if (dialog) return blocked(dialog, inner)
  const composer: Composer = { text: inner.join('\n').trimEnd(), ghost: null }
  const rule = screen.text(upper)
  if (BUSY_RULE.test(rule))
    return { state: 'running', rule: 'pi.working_rule', evidence: [rule], composer, dialog: null }
  const footer = rows(screen, lower + 1, screen.rows).filter((text) => text.trim() !== '')
  if (footer.some((text) => FOOTER.test(text)))
    return { state: 'idle', rule: 'pi.plain_rule', evidence: [rule, ...footer], composer, dialog: null }
  return { ...unknown(screen, 'pi.composer'), composer }
}

/** First row that is not the conversation's: a queued message, the editor or a dialog; null where neither is drawn. */
export function conversationEnd(screen: ScreenView): number | null {
  const found = lowestRules(screen)
  if (!found) return null
  let end = found[0]
  const inner = rows(screen, found[0] + 1, found[1])
  const dialog = dialogIn(inner, rows(screen, end - HEAD_ROWS, end))
  // A list with a head of its own has one more rule above that.
  if (dialog) for (let y = end - 1; y >= 0 && y >= end - HEAD_ROWS; y--) if (isRule(screen, y)) end = y
  for (let y = end - 1; y >= 0; y--) {
    const text = screen.text(y)
    if (QUEUED.test(text) && isMuted(screen.row(y))) end = y
    else if (text.trim() !== '') break
  }
  return end
}

function blocked(dialog: Dialog, inner: readonly string[]): Reading {
  const evidence = inner.filter((text) => text.trim() !== '').slice(0, 12)
  return { state: 'blocked', rule: 'pi.dialog', evidence, composer: null, dialog }
}

function unknown(screen: ScreenView, rule: string): Reading {
  const evidence = rows(screen, 0, screen.rows).filter((text) => text.trim() !== '')
  return { state: 'unknown', rule, evidence: evidence.slice(-6), composer: null, dialog: null }
}
