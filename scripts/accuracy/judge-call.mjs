/** @module scripts/accuracy/judge-call - whether a told tool call is the one that was made. */
import { likeness } from './likeness.mjs'
import { plain } from './plain.mjs'

/** Input fields that say what a call did. */
const TELLING = new Set(
  'command cmd file_path filePath path absolute_path pattern query url script'.split(' '),
)
/** What a program may fold into one line and one word. */
const FOLDED = new Set(['shell', 'read', 'search', 'other'])
/** So well an input agrees at least. */
const AGREES = 0.7

/** @type {Readonly<Record<string, string>>} Words for one outcome. */
const OUTCOMES = {
  completed: 'completed',
  failed: 'failed',
  error: 'failed',
  denied: 'denied',
  rejected: 'denied',
  aborted: 'aborted',
  cancelled: 'aborted',
  interrupted: 'aborted',
}

/**
 * @typedef {import('./plain.mjs').Plain} Plain
 * @typedef {{readonly tool?: unknown, readonly name?: unknown, readonly input?: unknown, readonly status?: unknown, readonly text?: unknown}} Call
 */

/**
 * What is wrong with a told call (`tool`, `input`, `status`), and how surely it is this one, 0 to 1.
 * @param {import('./score.mjs').TruthItem} item @param {Call} told @param {Plain | null} label
 * @returns {{faults: string[], sure: number, vague: boolean}}
 */
export function judgeCall(item, told, label) {
  const faults = []
  const agreement = inputAgreement(item, told, label)
  if (!isTool(item, told)) faults.push('tool')
  if (agreement !== null && agreement < AGREES) faults.push('input')
  if (!isOutcome(item.status, told.status)) faults.push('status')
  const text = typeof told.text === 'string' ? plain(told.text) : null
  const facts = factsOf(item.input, item.text, label)
  const byText = text === null || text.tight === '' ? null : closest([text], facts)
  const sure = agreement ?? byText ?? 0.5
  const says = (text !== null && text.tight !== '') || strings(told.input).length > 0
  return { faults, sure, vague: agreement === null && says && sure < AGREES && !sameName(item, told) }
}

/** @param {Call} item @param {Call} told */
function sameName(item, told) {
  const [a, b] = [item.name, told.name]
  return typeof a === 'string' && typeof b === 'string' && a.toLowerCase() === b.toLowerCase()
}

/** @param {import('./score.mjs').TruthItem} item @param {Call} told */
function isTool(item, told) {
  if (item.kind !== 'tool_call') return true
  const [want, got] = [String(item.tool), told.tool]
  if (typeof got !== 'string' || got === '') return sameName(item, told)
  if (got === want) return true
  if ([got, want].every((tool) => tool === 'edit' || tool === 'write')) return true
  return item.onScreen !== true && (got === 'other' || (FOLDED.has(got) && FOLDED.has(want)))
}

/** On the right side of completed or not; unknown words are no outcome yet. @param {unknown} want @param {unknown} got */
function isOutcome(want, got) {
  if (typeof want !== 'string' || typeof got !== 'string') return true
  const [wanted, given] = [OUTCOMES[want], OUTCOMES[got.toLowerCase()] ?? 'running']
  if (wanted === undefined) return true
  return given !== 'running' && (wanted === 'completed') === (given === 'completed')
}

/**
 * How well command or path agree; null where one side tells none.
 * @param {import('./score.mjs').TruthItem} item @param {Call} told @param {Plain | null} label
 */
function inputAgreement(item, told, label) {
  const said = factsOf(told.input)
  const facts = factsOf(item.input, item.text)
  if (said.length === 0 || facts.length === 0) return null
  const known = [
    ...facts,
    ...strings(item.input).map((text) => plain(text)),
    ...(label === null ? [] : [label]),
  ]
  return closest(said, known)
}

/** @param {readonly Plain[]} said @param {readonly Plain[]} known */
function closest(said, known) {
  let best = 0
  for (const one of said) {
    const short = one.tight.replace(/\.{3,}$/u, '')
    for (const fact of known) {
      if (fact.tight === '') continue
      const held = short !== '' && fact.tight.includes(short)
      if (held || (fact.tight.length >= 3 && one.tight.includes(fact.tight))) return 1
      best = Math.max(best, likeness(one, fact))
    }
  }
  return best
}

/**
 * @param {unknown} input @param {unknown} [text] @param {Plain | null} [label]
 * @returns {readonly Plain[]}
 */
function factsOf(input, text, label = null) {
  const found = []
  if (typeof input === 'string') found.push(input)
  else if (typeof input === 'object' && input !== null) {
    for (const [name, value] of Object.entries(input)) {
      if (!TELLING.has(name)) continue
      if (typeof value === 'string') found.push(value)
      else if (Array.isArray(value)) found.push(value.filter((part) => typeof part === 'string').join(' '))
    }
  }
  if (typeof text === 'string') found.push(text.replace(/^!/u, ''))
  const facts = found.map((one) => plain(one)).filter(({ tight }) => tight !== '')
  return label === null ? facts : [...facts, label]
}

/** Every string in a value. @param {unknown} value @returns {string[]} */
function strings(value, depth = 0) {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth > 12) return []
  return Object.values(value).flatMap((inner) => strings(inner, depth + 1))
}

/** The same call, told again. @param {Call} a @param {Call} b */
export function isSameCall(a, b) {
  if ((a.tool ?? '') !== (b.tool ?? '') || (a.name ?? '') !== (b.name ?? '')) return false
  const [x, y] = [a, b].map((call) =>
    strings([call.input, call.text])
      .map((text) => plain(text).tight)
      .join(' '),
  )
  return x === y || x?.trim() === '' || y?.trim() === ''
}
