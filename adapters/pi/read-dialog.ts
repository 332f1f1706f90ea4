/** @module pi/read-dialog - Pi's dialogs: a title, option rows with `→` or `›` at the selected one, a hint of keys. */
import type { Dialog } from '../../src/adapter/index.js'

/** Hints of Pi's own lists and inputs; each names what Enter, the arrows or Tab do. */
const HINTS: readonly RegExp[] = [
  /^\s*↑↓ navigate\b/,
  /\benter (?:select|submit|save|continue|finish)\b/,
  /\bto select ·/i,
  /\bto cancel\)?\s*$/i,
  /\bescape\/ctrl\+c cancel\b/,
  /^tab scope · /,
]
/** What stands above the upper rule where a list has a head of its own: the session tree, the fork list. */
const HEAD_HINT = /^\s*(?:↑\/↓ move\b|Select a user message\b)/
const OPTION = /^(\s*)(→ |› | {2}) *(\S.*)$/
const SELECTED = /^\s*[→›] +\S/
const RULE = /^─+$/

/**
 * The dialog between the rules; null for an editor; `unclear` for a framed list that no hint explains.
 * `head`: the rows above the upper rule.
 */
export function dialogIn(inner: readonly string[], head: readonly string[]): Dialog | null | 'unclear' {
  // A person may type such words and arrows: an editor has no empty first row and no search row as well.
  const first = inner[0]?.trim()
  if ((first !== '' && first !== '>') || inner.length < 3) return null
  const list = inner.some((text) => SELECTED.test(text))
  const hint = inner.findIndex((text) => HINTS.some((h) => h.test(text)))
  const headed = head.slice(head.findLastIndex((text) => RULE.test(text)) + 1)
  const headHint = headed.findIndex((text) => HEAD_HINT.test(text))
  if (hint < 0 && headHint < 0) return list ? 'unclear' : null
  const selected = inner.findIndex((text) => SELECTED.test(text))
  const from = selected < 0 ? inner.length : firstOption(inner, selected)
  const above =
    headHint >= 0 ? headed.slice(0, headHint) : inner.slice(0, hint < from && hint >= 0 ? hint : from)
  const asked = above.map((text) => text.trim()).filter((text) => text !== '' && text !== '>')
  const title = asked.slice(-4).join(' ')
  const options = optionsAt(inner.slice(from))
  const kind = kindOf(title, options.length > 0)
  return { kind, title, options, fingerprint: JSON.stringify([kind, asked, options.map((o) => o.label)]) }
}

function optionsAt(rows: readonly string[]): Dialog['options'] {
  const options: Dialog['options'][number][] = []
  for (const text of rows) {
    const option = OPTION.exec(text)
    if (!option?.[3] || HINTS.some((h) => h.test(text))) break
    const selected = option[2] !== '  '
    options.push({ key: String(options.length + 1), label: option[3].trim(), selected })
  }
  return options
}

/** The list is the run of rows without a gap around the selected one. */
function firstOption(rows: readonly string[], selected: number): number {
  let at = selected
  while (at > 0 && /^\s+\S/.test(rows[at - 1] ?? '')) at -= 1
  return at
}

function kindOf(title: string, list: boolean): Dialog['kind'] {
  if (/\btrust\b/i.test(title)) return 'trust'
  if (/^(?:log ?in|sign in|select authentication)\b/i.test(title)) return 'login'
  return list ? 'question' : 'other'
}
