/** @module codex/layout - where the composer stands on Codex's screen, and what stands around it. Pure; 0.171. */
import {
  everyCell,
  firstStyle,
  hasBackground,
  isBlank,
  isDim,
  type Region,
  type Row,
  type ScreenView,
  styleAt,
} from '../../src/adapter/index.js'

/** The composer's sign is bold; a prompt in the transcript has a dim one, a chosen option an inverse one. */
const PROMPT_SIGN = /^[›!](?: |$)/u
/** `(3s • esc to interrupt)`, also `1m 03s`. */
const BUSY = /^[•◦] .*\((?:\d+[hms] ?)+ • esc to interrupt\)/u
/** What waits above the composer: prompts for later, and what is typed while a tool runs. */
const QUEUE_HEAD = /^• (?:Queued follow-up inputs|Messages? to be submitted )/u
/** Rows that such a queue can have. */
const QUEUE_ROWS = 24

/** Rows of the composer's text. */
export interface Box {
  readonly top: number
  /** First row below. */
  readonly bottom: number
}

/** The lowest row that begins with the composer's sign, and the rows that belong to it; footer excluded. */
export function composerBox(screen: ScreenView): Box | null {
  for (let y = screen.rows - 1; y >= 0; y -= 1) {
    const row = screen.row(y)
    if (!PROMPT_SIGN.test(row.text)) continue
    const style = row.style(0)
    if (!style.bold || style.dim) return null
    if (isChosen(row)) continue
    return { top: y, bottom: footerTop(screen, y) }
  }
  return null
}

/** A chosen row of a list: inverse, or in the list's own colours where the terminal told its own. */
export function isChosen(row: Row): boolean {
  const { inverse, fg, bg } = row.style(0)
  return row.text.startsWith('› ') && (inverse || (fg !== 'default' && bg !== 'default'))
}

/** The footer is what stands below the last blank row under the composer. */
function footerTop(screen: ScreenView, top: number): number {
  let end = screen.rows
  while (end > top + 1 && isBlank(screen.row(end - 1))) end -= 1
  let y = end
  while (y > top + 1 && !isBlank(screen.row(y - 1))) y -= 1
  if (y <= top + 1) return end
  while (y > top + 1 && isBlank(screen.row(y - 1))) y -= 1
  return y
}

/** The row that says what runs and how to stop it: "esc" is bold in it and the rest dim, unlike in a text. */
export function isBusyRow(row: Row): boolean {
  const found = BUSY.exec(row.text)
  if (!found) return false
  const esc = row.text.lastIndexOf('esc to interrupt')
  return styleAt(row, esc).bold && styleAt(row, esc - 2).dim
}

/** The row of the busy sign above the composer, if it is shown. */
export function busyRow(screen: ScreenView, top: number): number | null {
  for (let y = top - 1; y >= 0 && y > top - 40; y -= 1) if (isBusyRow(screen.row(y))) return y
  return null
}

/** Rows above the composer that belong to the transcript. */
export function transcriptAbove(screen: ScreenView, composerTop: number): Region {
  return { top: stickyRows(screen), bottom: chromeTop(screen, composerTop) }
}

/** A prompt that has scrolled off is repeated in the top row; no padding row stands below it. */
export function stickyRows(screen: ScreenView): number {
  if (!screen.alternate) return 0
  const row = screen.row(0)
  const { bold, dim } = row.style(0)
  if (!row.text.startsWith('› ') || !bold || !dim || !hasBackground(row)) return 0
  return hasBackground(screen.row(1)) ? 0 : 1
}

/** The first row below the transcript: groups of rows above the composer are taken off while they are furniture. */
function chromeTop(screen: ScreenView, composerTop: number): number {
  let end = composerTop
  // The composer's own padding, where the terminal told its colours.
  if (end > 0 && isBlank(screen.row(end - 1)) && hasBackground(screen.row(end - 1))) end -= 1
  for (;;) {
    const bottom = above(screen, end)
    let top = bottom
    while (top > 0 && !isBlank(screen.row(top - 1))) top -= 1
    const chrome = top < bottom ? chromeFrom(screen, top, bottom) : null
    if (chrome === null) return bottom
    end = chrome
  }
}

/** Skips blank rows upwards; padding of a prompt is none. */
function above(screen: ScreenView, y: number): number {
  let end = y
  while (end > 0 && isBlank(screen.row(end - 1)) && !hasBackground(screen.row(end - 1))) end -= 1
  return end
}

/** Where the furniture at the end of a group of rows begins; null when it ends with something of the transcript. */
function chromeFrom(screen: ScreenView, top: number, bottom: number): number | null {
  const queue = queueTop(screen, bottom)
  if (queue !== null) return queue
  for (let y = bottom - 1; y >= top; y -= 1) {
    const row = screen.row(y)
    if (isBusyRow(row)) return y
    if (isBackgroundNote(row)) return y
    if (isPopupRow(row)) return popupTop(screen, top, y)
    if (y === bottom - 1 && isPanelEnd(screen, row)) return panelTop(screen, y)
    if (!row.text.startsWith('  ')) return null
  }
  return null
}

/** Queued prompts: a heading with a dim bullet, dim rows below it; a prompt may have blank rows. */
function queueTop(screen: ScreenView, bottom: number): number | null {
  for (let y = bottom - 1; y >= 0 && y > bottom - QUEUE_ROWS; y -= 1) {
    const row = screen.row(y)
    if (QUEUE_HEAD.test(row.text) && row.style(0).dim) return y + 1 < bottom ? y : null
    if (!isBlank(row) && !(row.text.startsWith('  ') && isFaint(row))) return null
  }
  return null
}

/** Dim but for the names of keys. */
const isFaint = (row: Row) => everyCell(row, (s) => s.dim || s.bold || s.italic)

const isBackgroundNote = (row: Row) =>
  /^ {2}\d+ background terminals? running · /u.test(row.text) && isDim(row, row.text.indexOf('·'))

/** A row of a completion list: `› /review  review my changes` where chosen, else indented with a dim explanation. */
const isPopupRow = (row: Row) =>
  (isChosen(row) && /^› [/$@]/u.test(row.text)) ||
  (/^ {2}[/$@]\S+ {2,}\S/u.test(row.text) && styleAt(row, row.text.length - 1).dim)

function popupTop(screen: ScreenView, top: number, last: number): number {
  let y = last
  while (y > top && isPopupRow(screen.row(y - 1))) y -= 1
  return y
}

/** Panels above the composer: mentions end with a row of keys, the list of shortcuts with a footer of its own. */
function isPanelEnd(screen: ScreenView, row: Row): boolean {
  if (isKeyRow(row)) return true
  return Array.from({ length: 3 }, (_, n) => screen.rows - 1 - n).some((y) =>
    /^ {2}\? \/ esc close/u.test(screen.text(y)),
  )
}

/** Names of keys are bold and what they do is dim: `enter/tab insert · esc close`. */
function isKeyRow(row: Row): boolean {
  const found = /^ {2}(?:enter|tab|↑)\S* .*\besc(?= )/u.exec(row.text)
  return found !== null && styleAt(row, found[0].length - 1).bold && styleAt(row, row.text.length - 1).dim
}

/** A panel's title is bold and stands where a text's lines do. */
function panelTop(screen: ScreenView, last: number): number {
  for (let y = last - 1; y >= 0; y -= 1) {
    const row = screen.row(y)
    if (/^ {2}(?:Keyboard shortcuts|Mentions|Skills|Plugins)\b/u.test(row.text) && isTitle(row)) return y
  }
  return last
}

/** Going through one's own prompts: the footer says so and the composer is asleep. */
export const isBrowsing = (screen: ScreenView) =>
  /^ {2}Browsing transcript · /u.test(screen.text(screen.rows - 1))

/** A pager over the whole screen: `/ T R A N S C R I P T / / /`. */
const PAGER = /^\/ (?:\p{Lu} ){3,}\//u
export const isPager = (screen: ScreenView) => PAGER.test(screen.text(0))

/** Whether every row of a region is blank. */
export function isEmpty(screen: ScreenView, region: Region): boolean {
  for (let y = region.top; y < region.bottom; y += 1) if (!isBlank(screen.row(y))) return false
  return true
}

/** A row that begins bold and stands where titles of dialogs do, or at the left edge. */
export const isTitle = (row: Row) => /^(?: {2})?[^\s›•■]/u.test(row.text) && firstStyle(row).bold
