/** @module adapters/gemini/read - what a settled screen of Gemini CLI says. Pure; grammar of 0.61.0. */
import type { Reading, ScreenView } from '../../src/adapter/index.js'
import { type Box, composerBox, readComposer, statusRows } from './composer.js'
import { readDialog } from './dialog.js'

/** Window titles (OSC 0), the vendor's own word; they come some frames late. */
const READY = /^◇ /u
const WORKING = /^[✦⏲] /u
const ASKING = /^✋ /u
/** ` ⠏ Thinking... (esc to cancel, 3s)`; on narrow screens the hint has a row of its own. */
const SPINNER = /\(esc to cancel(?:, \d[^)]*)?\)|^ ?[⠀-⣿] \S/u
const SHORTCUTS = /^ *\? for shortcuts$/u

export function read(screen: ScreenView): Reading {
  const box = composerBox(screen)
  if (box) return { ...withComposer(screen, box), composer: readComposer(screen, box), dialog: null }
  const found = readDialog(screen)
  if (found) {
    const { dialog, body } = found
    return {
      state: 'blocked',
      rule: `gemini.dialog.${dialog.kind}`,
      evidence: [...body],
      composer: null,
      dialog,
    }
  }
  if (ASKING.test(screen.title)) return without('blocked', 'gemini.title.asking', [screen.title.trim()])
  // Between two writes of one drawing the box is missing.
  if (WORKING.test(screen.title)) return without('running', 'gemini.title.working', [screen.title.trim()])
  // All rows that were drawn so far were cleared, to be drawn anew: only the title tells. Not so before the first ones.
  const cleared = screen.base > 0 && screen.oldest === screen.base && tail(screen).length === 0
  if (cleared && READY.test(screen.title)) return without('idle', 'gemini.title.ready', [screen.title.trim()])
  return without('unknown', 'gemini.no-composer', tail(screen))
}

function without(state: Reading['state'], rule: string, evidence: readonly string[]): Reading {
  return { state, rule, evidence, composer: null, dialog: null }
}

function withComposer(screen: ScreenView, box: Box): Pick<Reading, 'state' | 'rule' | 'evidence'> {
  const title = screen.title.trim()
  const status = statusRows(screen, box)
  const spinner = status.find((row) => SPINNER.test(row.text))
  // After Esc the title says ready while a tool is still ending.
  if (spinner) return { state: 'running', rule: 'gemini.spinner', evidence: [spinner.text.trim()] }
  if (WORKING.test(title)) return { state: 'running', rule: 'gemini.title.working', evidence: [title] }
  if (READY.test(title)) return { state: 'idle', rule: 'gemini.title.ready', evidence: [title] }
  const hint = status.find((row) => SHORTCUTS.test(row.text))
  // The title can be switched off; with it the hint alone says that nothing runs.
  if (hint && !ASKING.test(title))
    return { state: 'idle', rule: 'gemini.shortcuts', evidence: [hint.text.trim()] }
  return { state: 'unknown', rule: 'gemini.composer-only', evidence: tail(screen) }
}

function tail(screen: ScreenView): string[] {
  const lines: string[] = []
  for (let y = 0; y < screen.rows; y += 1) if (screen.text(y).trim()) lines.push(screen.text(y).trim())
  return lines.slice(-4)
}
