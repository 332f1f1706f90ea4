/**
 * @module pi/read - what a settled screen of Pi says. Pure; a thin grammar, since the state comes from the
 * extension. It serves both tui modes: in each the editor or a dialog stands between the lowest two rules.
 */
import type { Composer, Dialog, Reading, ScreenView } from '../../src/adapter/index.js'
import { dialogIn } from './read-dialog.js'

/** Rows above the upper rule that may belong to a dialog with an inner rule (the session tree, the fork list). */
const HEAD_ROWS = 8
/** `── ⠼ Working ───`, `── ⠙ Retrying (2/3) in 4s... (escape to cancel) ───`: a braille spinner in the rule. */
const BUSY_RULE = /^─+ [⠀-⣿] \S.* ─+$/
/** `─── ↑ 3 more ───`: the editor scrolls. */
const SCROLL_RULE = /^─+ [↑↓] \d+ more ─*$/
const PLAIN_RULE = /^─+$/

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
  // A plain rule is also what Pi shows for a moment between two steps: only the extension knows idle.
  return { ...unknown(screen, 'pi.composer'), composer }
}

function blocked(dialog: Dialog, inner: readonly string[]): Reading {
  const evidence = inner.filter((text) => text.trim() !== '').slice(0, 12)
  return { state: 'blocked', rule: 'pi.dialog', evidence, composer: null, dialog }
}

function unknown(screen: ScreenView, rule: string): Reading {
  const evidence = rows(screen, 0, screen.rows).filter((text) => text.trim() !== '')
  return { state: 'unknown', rule, evidence: evidence.slice(-6), composer: null, dialog: null }
}
