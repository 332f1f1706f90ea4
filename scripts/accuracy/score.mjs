/**
 * @module scripts/accuracy/score - a replay's events against what truly happened (a truth file). docs/accuracy.md says
 * what counts as right.
 */
import { isSameCall, judgeCall } from './judge-call.mjs'
import { judgeText, tellsPart, textsOf } from './judge-text.mjs'
import { AKIN, ALIKE, likeness } from './likeness.mjs'
import { plain } from './plain.mjs'

/**
 * @typedef {object} TruthItem
 * @property {string} kind
 * @property {boolean | 'partial'} onScreen Whether the screen shows it.
 * @property {string} [text] @property {string} [screenText] @property {string} [partialText] @property {string} [summary]
 * @property {readonly string[]} [alsoKinds] Kinds that are right as well.
 * @property {boolean} [optional] It may be told or not. @property {boolean} [history] It is of an earlier session.
 * @property {string} [tool] @property {string} [name] @property {unknown} [input] @property {string} [status]
 *
 * @typedef {{readonly t: number, readonly state: string}} State
 * @typedef {{readonly items: readonly TruthItem[], readonly states?: readonly State[], readonly alternateScreen?: boolean, readonly vendor?: string, readonly version?: string}} Truth
 * @typedef {{readonly kind: string, readonly text?: string, readonly tool?: string, readonly name?: string, readonly input?: unknown, readonly status?: string}} Told
 * @typedef {{readonly told: Told, readonly text: import('./plain.mjs').Plain, readonly index: number}} Event
 * @typedef {{readonly faults: readonly string[], readonly weight: number}} Judged
 * @typedef {{readonly what: string, readonly kind: string, readonly text: string}} Finding
 *
 * @typedef {object} Score
 * @property {number} right @property {number} total Items that must be told.
 * @property {number} missing @property {number} wrong Told, but with a fault.
 * @property {number} duplicated @property {number} invented
 * @property {{right: number, total: number}} states
 * @property {readonly Finding[]} findings Everything that is not right, for people.
 */

/** Kinds that truth files speak of; others are neither wanted nor judged. */
const KINDS = new Set(
  'user_message assistant_message reasoning tool_call compaction notice plan command'.split(' '),
)

/**
 * @param {Truth} truth
 * @param {readonly {readonly type: string, readonly t: number, readonly item?: unknown, readonly state?: unknown}[]} events
 * @returns {Score}
 */
export function score(truth, events) {
  const items = truth.items.map((item) => ({ item, texts: textsOf(item) }))
  const told = itemsOf(events)
  const judged = items.map(({ item, texts }) => told.map((event) => judge(item, texts, event)))
  const pairs = align(judged, told.length)
  const extras = told.filter(({ index }) => ![...pairs.values()].some((pair) => pair.event === index))
  const leftover = extras.flatMap((event) => sortOut(event, { items, told, judged, pairs }))
  return sum(items, told, pairs, leftover, statesOf(truth, events))
}

/** @param {Parameters<typeof score>[1]} events @returns {Event[]} */
function itemsOf(events) {
  const items = events.flatMap(({ type, item }) => (type === 'item.completed' && isTold(item) ? [item] : []))
  return items.map((item, index) => ({ told: item, text: plain(item.text ?? ''), index }))
}

/** @param {unknown} item @returns {item is Told} */
function isTold(item) {
  return typeof item === 'object' && item !== null && 'kind' in item && KINDS.has(String(item.kind))
}

/** @param {TruthItem} item */
function isRequired(item) {
  return item.onScreen !== false && item.optional !== true && item.history !== true
}

/**
 * One event against one item; null when it cannot be meant.
 * @param {TruthItem} item @param {import('./judge-text.mjs').TruthTexts} texts @param {Event} event @returns {Judged | null}
 */
function judge(item, texts, { told, text }) {
  const found = compare(item, texts, told, text)
  if (found === null || isRequired(item)) return found
  // What need not be told takes only what clearly means it.
  const clear = found.faults.every((fault) => fault === 'kind' || fault === 'status')
  return clear && !found.vague ? { ...found, weight: found.weight * 0.9 } : null
}

/**
 * @param {TruthItem} item @param {import('./judge-text.mjs').TruthTexts} texts @param {Told} told
 * @param {import('./plain.mjs').Plain} text @returns {(Judged & {vague?: boolean}) | null}
 */
function compare(item, texts, told, text) {
  if (told.kind !== item.kind && item.alsoKinds?.includes(told.kind) !== true) {
    const same = [...texts.forms, texts.cut, texts.summary, item.kind === 'tool_call' ? null : texts.label]
    const isSame =
      text.tight.length >= 2 && same.some((form) => form !== null && likeness(form, text) >= ALIKE)
    return isSame ? { faults: ['kind'], weight: 0.3 } : null
  }
  if (told.kind === 'tool_call') {
    const { faults, sure, vague } = judgeCall(item, told, texts.label)
    if (faults.includes('tool') && faults.includes('input')) return null
    const worth = (faults.includes('tool') ? 0.35 : 1) * (faults.includes('input') ? 0.3 : 1)
    return { faults, weight: worth + sure / 2, vague }
  }
  const { right, like } = judgeText(item, texts, text)
  if (right) return { faults: [], weight: 1 + like / 2 }
  if (like >= AKIN) return { faults: ['text'], weight: 0.3 + (like >= ALIKE ? 0.6 : like * 0.3) }
  return item.kind !== 'notice' && tellsPart(texts, text) ? { faults: ['text'], weight: 0.3 } : null
}

/**
 * @typedef {{event: number, faults: readonly string[]}} Pair
 * The order-keeping pairing of most weight: the event of each item.
 * @param {readonly (readonly (Judged | null)[])[]} judged @param {number} events @returns {Map<number, Pair>}
 */
function align(judged, events) {
  const best = judged.map(() => new Float64Array(events + 1))
  best.push(new Float64Array(events + 1))
  const at = (/** @type {number} */ i, /** @type {number} */ j) => best[i]?.[j] ?? 0
  const taken = (/** @type {number} */ i, /** @type {number} */ j) => {
    const pair = judged[i]?.[j]
    return pair ? pair.weight + at(i + 1, j + 1) : 0
  }
  for (let i = judged.length - 1; i >= 0; i -= 1) {
    const row = best[i]
    if (row === undefined) continue
    for (let j = events - 1; j >= 0; j -= 1) row[j] = Math.max(at(i + 1, j), at(i, j + 1), taken(i, j))
  }
  /** @type {Map<number, Pair>} */
  const pairs = new Map()
  for (let i = 0, j = 0; i < judged.length && j < events; ) {
    const pair = judged[i]?.[j]
    if (pair && at(i, j) === taken(i, j)) {
      pairs.set(i, { event: j, faults: pair.faults })
      i += 1
      j += 1
    } else if (at(i, j) === at(i + 1, j)) i += 1
    else j += 1
  }
  return pairs
}

/**
 * What an event that has no item is: an item told out of order, a second telling, or an invention.
 * @param {Event} event
 * @param {{items: {item: TruthItem, texts: import('./judge-text.mjs').TruthTexts}[], told: Event[], judged: (Judged | null)[][], pairs: Map<number, Pair>}} all
 * @returns {Finding[]}
 */
function sortOut(event, { items, told, judged, pairs }) {
  const place = placeOf(event.index, pairs)
  const nearest = (/** @type {number[]} */ list) =>
    list.sort((a, b) => Math.abs(a - place) - Math.abs(b - place))[0]
  const fitting = items.flatMap((_, i) => {
    const faults = judged[i]?.[event.index]?.faults
    return faults === undefined || faults.includes('text') || faults.includes('kind') ? [] : [i]
  })
  const open = nearest(fitting.filter((i) => !pairs.has(i) && judged[i]?.[event.index]?.faults.length === 0))
  const again = nearest(
    fitting.filter((i) => {
      const first = told[pairs.get(i)?.event ?? -1]
      return first !== undefined && (event.told.kind !== 'tool_call' || isSameCall(event.told, first.told))
    }),
  )
  const isOpen =
    open !== undefined && (again === undefined || Math.abs(open - place) <= Math.abs(again - place))
  if (isOpen) {
    pairs.set(open, { event: event.index, faults: ['order'] })
    return []
  }
  const repeats =
    again !== undefined || items.some((_, i) => tellsAgain(event, i, { items, told, judged, pairs }))
  const what = repeats ? 'duplicated' : event.told.kind === 'notice' ? 'extra' : 'invented'
  return [{ what, kind: event.told.kind, text: nameOf(event.told) }]
}

/** Between which items an event stands. @param {number} index @param {Map<number, Pair>} pairs */
function placeOf(index, pairs) {
  const inOrder = [...pairs].filter(([, { faults }]) => !faults.includes('order'))
  const before = inOrder.filter(([, { event }]) => event < index).map(([item]) => item)
  const after = inOrder.filter(([, { event }]) => event > index).map(([item]) => item)
  const low = Math.max(-1, ...before)
  return after.length === 0 ? low + 0.5 : (low + Math.min(...after)) / 2
}

/**
 * A told text once more: under another kind, or a piece of it.
 * @param {Event} event @param {number} i @param {Parameters<typeof sortOut>[1]} all
 */
function tellsAgain(event, i, { items, told, judged, pairs }) {
  const first = told[pairs.get(i)?.event ?? -1]
  if (first === undefined || event.told.kind === 'tool_call') return false
  if (judged[i]?.[event.index]?.faults.includes('kind') === true) return true
  const { tight } = event.text
  if (tight !== '' && tight === first.text.tight && event.told.kind === first.told.kind) return true
  const texts = items[i]?.texts
  return (
    tight.length >= 12 &&
    first.text.tight.includes(tight) &&
    texts !== undefined &&
    tellsPart(texts, event.text)
  )
}

/** @param {Truth} truth @param {Parameters<typeof score>[1]} events */
function statesOf(truth, events) {
  const told = events.flatMap(({ type, t, state }) =>
    type === 'session.state' ? [{ t, state: String(state) }] : [],
  )
  const wanted = truth.states ?? []
  const wrong = wanted.flatMap(({ t, state }) => {
    const got = told.findLast((one) => one.t <= t)?.state ?? 'nothing'
    return got === state ? [] : [{ what: 'state', kind: state, text: `at ${t} s: ${got}` }]
  })
  return { right: wanted.length - wrong.length, total: wanted.length, wrong }
}

/**
 * @param {{item: TruthItem}[]} items @param {Event[]} told @param {Map<number, Pair>} pairs @param {Finding[]} leftover
 * @param {{right: number, total: number, wrong: Finding[]}} states @returns {Score}
 */
function sum(items, told, pairs, leftover, states) {
  const required = items.flatMap(({ item }, i) => (isRequired(item) ? [{ item, pair: pairs.get(i) }] : []))
  const missing = required.filter(({ pair }) => pair === undefined)
  const wrong = required.filter(({ pair }) => pair !== undefined && pair.faults.length > 0)
  const count = (/** @type {string} */ name) => leftover.filter(({ what }) => what === name).length
  return {
    right: required.length - missing.length - wrong.length,
    total: required.length,
    missing: missing.length,
    wrong: wrong.length,
    duplicated: count('duplicated'),
    invented: count('invented'),
    states: { right: states.right, total: states.total },
    findings: [
      ...missing.map(({ item }) => ({ what: 'missing', kind: item.kind, text: nameOf(item) })),
      ...wrong.map(({ item, pair }) => ({
        what: `wrong ${pair?.faults.join(', ')}`,
        kind: item.kind,
        text: `${nameOf(item)} <- ${nameOf(told[pair?.event ?? -1]?.told ?? { kind: '' })}`,
      })),
      ...leftover.filter(({ what }) => what !== 'extra'),
      ...states.wrong,
    ],
  }
}

/** @param {{text?: string, name?: string, tool?: string, input?: unknown, status?: string}} one */
function nameOf(one) {
  const text =
    one.text ?? [one.name ?? one.tool, one.status, JSON.stringify(one.input)].filter(Boolean).join(' ')
  const line = [...text.replace(/\s+/gu, ' ').trim()]
  return line.length > 70 ? `${line.slice(0, 69).join('')}…` : line.join('')
}
