/** @module scripts/accuracy/plain - a text without its markdown marks and soft wraps: what two drawings of it share. */

/** Marks that may open a line, one after another: quotes, headings, bullets, numbers, task boxes. */
const OPENERS = [
  /^\s*>+\s?/u,
  /^\s*#{1,6}\s+/u,
  /^\s*[-*+•◦▪▫‣●○·∙⁃–]\s+/u,
  /^\s*\(?(?:\d{1,3}|[a-z]|[ivx]{2,4})[.)]\s+/iu,
  /^\s*(?:\[[ x]\]|[☐☑☒✓✔✗])\s+/iu,
]
const FENCE = /^\s*(?:```+|~~~+)\s*[\w+#.-]*\s*$/u
/** A line of nothing but rule marks, at least three of them: rules, table rules, the edges of boxes. */
const RULE = /^(?=(?:.*[-=_*\u2014\u2015\u2500-\u257f]){3})[\s|:+\-=_*\u2014\u2015\u2500-\u257f]+$/u
/** Joiners, variation selectors, soft hyphens: no two programs draw them alike. */
const UNSEEN = /\u200b|\u200c|\u200d|\u2060|\ufe0e|\ufe0f|\ufeff|\u00ad/gu
/** @type {Readonly<Record<string, string>>} */
const ENTITIES = { lt: '<', gt: '>', amp: '&', quot: '"', '#39': "'" }

/**
 * @typedef {object} Plain
 * @property {string} folded White space folded to single blanks.
 * @property {string} tight Without any blank: a soft wrap may have hidden one.
 */

/**
 * @param {string} source
 * @param {{labels?: boolean}} [options] `labels`: a link is its label alone.
 * @returns {Plain}
 */
export function plain(source, options = {}) {
  const links = source
    .normalize('NFC')
    .replace(/\r\n?/gu, '\n')
    .replace(UNSEEN, '')
    .replace(/…/gu, '...')
    .replace(/!?\[([^\]\n]*)\]\(\s*<?([^\s)>]+)>?[^)\n]*\)/gu, (_all, label, address) =>
      options.labels === true || label === address ? label : `${label} ${address}`,
    )
    // A drawn link has its address in brackets behind it.
    .replace(/[<(](https?:\/\/[^\s>)]+)[>)]/gu, ' $1')
  const lines = links.split('\n').filter((line) => !FENCE.test(line) && !RULE.test(line))
  const folded = lines
    .map(withoutOpeners)
    .join('\n')
    .replace(/&(lt|gt|amp|quot|#39);/gu, (_all, name) => ENTITIES[name] ?? '')
    .replace(/\\([!-/:-@[-`{-~])/gu, '$1')
    .replace(/[*_`]|~~/gu, '')
    .replace(/\s+/gu, ' ')
    .trim()
  return { folded, tight: folded.replaceAll(' ', '') }
}

/** @param {string} line */
function withoutOpeners(line) {
  let text = line.replace(/[|│┃║┆┊]/gu, ' ').replace(/[\u2500-\u259f]/gu, '')
  for (let depth = 0; depth < 4; depth += 1) {
    const before = text
    for (const opener of OPENERS) text = text.replace(opener, '')
    if (text === before) break
  }
  return text
}

/**
 * The lines of a source that every drawing has as they are: plain ASCII without marks. A reader must have each exactly
 * as often as the source.
 * @param {string} source @param {Plain} whole The source, plain.
 * @returns {readonly {line: string, times: number}[]}
 */
export function surelines(source, whole) {
  const found = new Map()
  for (const raw of source.split('\n')) {
    if (raw.length < 8 || !/^[\x20-\x7e]+$/u.test(raw) || /[|*_`~[\]<>\\#]|&\w+;/u.test(raw)) continue
    const line = plain(raw).tight
    const times = line.length < 6 ? 0 : timesIn(whole.tight, line)
    if (times > 0) found.set(line, times)
  }
  return [...found].map(([line, times]) => ({ line, times }))
}

/** @param {string} text @param {string} piece */
export function timesIn(text, piece) {
  let times = 0
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length)) times += 1
  return times
}

/** The source with the lines of its code blocks numbered, as some programs draw them. @param {string} source */
export function numbered(source) {
  let line = 0
  let inCode = false
  return source
    .split('\n')
    .map((text) => {
      if (FENCE.test(text)) {
        inCode = !inCode
        line = 0
        return text
      }
      line += 1
      return inCode ? `${line} ${text}` : text
    })
    .join('\n')
}

/** Whether a source has code blocks. @param {string} source */
export function hasCode(source) {
  return source.split('\n').some((line) => FENCE.test(line))
}
