/** @module scripts/accuracy/judge-text - whether a told text is the one that was written, or what the screen has of it. */
import { ALIKE, likeness } from './likeness.mjs'
import { hasCode, numbered, plain, surelines, timesIn } from './plain.mjs'

/**
 * @typedef {import('./plain.mjs').Plain} Plain
 * @typedef {object} TruthTexts
 * @property {readonly Plain[]} forms The text, in the ways in which it may be drawn.
 * @property {ReturnType<typeof surelines>} sure
 * @property {Plain | null} cut What the program kept of an interrupted answer.
 * @property {Plain | null} label What the screen shows in its place.
 * @property {Plain | null} summary
 */

/** @param {import('./score.mjs').TruthItem} item @returns {TruthTexts} */
export function textsOf(item) {
  const source = typeof item.text === 'string' ? item.text : null
  const ways = source === null ? [] : hasCode(source) ? [source, numbered(source)] : [source]
  const forms = ways.flatMap((way) =>
    way.includes('](') ? [plain(way), plain(way, { labels: true })] : [plain(way)],
  )
  const [first] = forms
  const other = (/** @type {unknown} */ text) =>
    typeof text === 'string' && text !== '' ? plain(text) : null
  return {
    forms,
    sure: source === null || first === undefined ? [] : surelines(source, first),
    cut: other(item.partialText),
    label: other(item.screenText),
    summary: other(item.summary),
  }
}

/**
 * How well a told text is the item's: `right`, and else how much they have in common.
 * @param {import('./score.mjs').TruthItem} item @param {TruthTexts} texts @param {Plain} told
 * @returns {{right: boolean, like: number}}
 */
export function judgeText(item, texts, told) {
  const like = Math.max(0, ...texts.forms.map((form) => likeness(form, told)))
  const whole = like >= ALIKE && texts.sure.every(({ line, times }) => timesIn(told.tight, line) === times)
  return { right: whole || standsFor(item, texts, told), like }
}

/** What the screen may show in place of the text. */
function standsFor(
  /** @type {import('./score.mjs').TruthItem} */ item,
  /** @type {TruthTexts} */ texts,
  /** @type {Plain} */ told,
) {
  if (item.kind === 'compaction') return true
  const partly = item.onScreen !== true
  if (told.tight === '') return item.kind === 'reasoning' && partly
  const { cut, label, forms } = texts
  if (cut !== null) {
    if (likeness(cut, told) >= ALIKE) return true
    const enough = told.tight.length >= 0.8 * cut.tight.length
    if (enough && forms.some((form) => form.tight.startsWith(told.tight))) return true
  }
  if (label !== null && (likeness(label, told) >= ALIKE || mostlyWithin(label, told))) return true
  if (item.kind === 'notice' && forms.some((form) => mostlyWithin(form, told))) return true
  return partly && forms.some((form) => piecesOf(form, told))
}

/** One holds the other, which is at least half of it. @param {Plain} a @param {Plain} b */
function mostlyWithin(a, b) {
  return heldShare(a, b) >= 0.5
}

/** How large a part of the longer one the shorter one is, if it is a part of it; else 0. @param {Plain} a @param {Plain} b */
export function heldShare(a, b) {
  const [short, long] = a.tight.length < b.tight.length ? [a.tight, b.tight] : [b.tight, a.tight]
  return short !== '' && long.includes(short) ? short.length / long.length : 0
}

/** Where a program leaves something out. */
const LEFT_OUT = /\.{3,}|[[(]?\+?\s?\d+ (?:more )?(?:lines?|chars|characters)[^\])]*[\])]?/u

/** The told text is made of pieces of the form, in order. @param {Plain} form @param {Plain} told */
function piecesOf(form, told) {
  const pieces = told.folded
    .split(LEFT_OUT)
    .map((piece) => piece.replaceAll(' ', ''))
    .filter((piece) => piece.length > 1)
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (size === 0 || size < Math.min(12, form.tight.length / 4)) return false
  let from = 0
  return pieces.every((piece) => {
    const at = form.tight.indexOf(piece, from)
    from = at + piece.length
    return at >= 0
  })
}

/** One text tells a good part of the other: a message in part, or two in one. @param {TruthTexts} texts @param {Plain} told */
export function tellsPart(texts, told) {
  return texts.forms.some(
    (form) => Math.min(form.tight.length, told.tight.length) >= 12 && heldShare(form, told) >= 0.15,
  )
}
