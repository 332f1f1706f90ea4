/** @module adapters/qwen/read - what a settled screen of Qwen Code says. Pure; grammar of 0.24.4 and 0.15.10. */
import type { Reading, ScreenView } from '../../src/adapter/index.js'
import { type Box, composerBox, readComposer, spinnerRow } from './composer.js'
import { readDialog } from './dialog.js'

/** Window titles (OSC 2), the vendor's own word: `◐ Qwen - proj`; 0.15.10 says the same all the time. */
const WORKING = /^[◐◑◒◓]/u
const ASKING = /^✳/u
const PLAIN = /^Qwen\b/u
const SHORTCUTS = /^ {2}\? for shortcuts/u

export function read(screen: ScreenView): Reading {
  const box = composerBox(screen)
  if (box) return { ...withComposer(screen, box), composer: readComposer(screen, box), dialog: null }
  const found = readDialog(screen)
  if (found) {
    const { dialog, body } = found
    return {
      state: 'blocked',
      rule: `qwen.dialog.${dialog.kind}`,
      evidence: [...body],
      composer: null,
      dialog,
    }
  }
  if (ASKING.test(screen.title)) return without('blocked', 'qwen.title.asking', [screen.title])
  if (WORKING.test(screen.title)) return without('running', 'qwen.title.working', [screen.title])
  return without('unknown', 'qwen.no-composer', tail(screen))
}

function without(state: Reading['state'], rule: string, evidence: readonly string[]): Reading {
  return { state, rule, evidence, composer: null, dialog: null }
}

function withComposer(screen: ScreenView, box: Box): Pick<Reading, 'state' | 'rule' | 'evidence'> {
  const { title } = screen
  if (WORKING.test(title)) return { state: 'running', rule: 'qwen.title.working', evidence: [title] }
  const spinner = spinnerRow(screen, box)
  if (spinner) return { state: 'running', rule: 'qwen.spinner', evidence: [spinner.text.trim()] }
  if (PLAIN.test(title)) return { state: 'idle', rule: 'qwen.title.plain', evidence: [title] }
  for (let y = box.bottom + 1; y < screen.rows; y += 1) {
    const text = screen.text(y)
    // The title can be switched off; then only the box without a spinner above it tells.
    if (SHORTCUTS.test(text)) return { state: 'idle', rule: 'qwen.shortcuts', evidence: [text.trim()] }
    if (/Enter to steer/u.test(text))
      return { state: 'running', rule: 'qwen.footer.steer', evidence: [text.trim()] }
    if (/\(shift \+ tab to cycle\)/u.test(text))
      return { state: 'idle', rule: 'qwen.footer.mode', evidence: [text.trim()] }
  }
  return { state: 'unknown', rule: 'qwen.composer-only', evidence: tail(screen) }
}

function tail(screen: ScreenView): string[] {
  const lines: string[] = []
  for (let y = 0; y < screen.rows; y += 1) if (screen.text(y).trim()) lines.push(screen.text(y).trim())
  return lines.slice(-4)
}
