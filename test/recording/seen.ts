/** @module test/recording/seen - whether a recording shows what its truth says is on the screen. */
import { type Cast, castSize, type Frame, Screen } from '../../src/terminal/index.js'
import { letters } from './stage.js'
import type { Truth, TruthItem } from './truth.js'

/** Lines too short would be found anywhere. */
const SHORTEST = 6

interface Wanted {
  readonly item: TruthItem
  readonly line: string
  readonly letters: string
}

/** The lines of a truth that no screen of the recording shows, in words for a person. */
export function unseen(cast: Cast, truth: Truth): string[] {
  let open = truth.items.flatMap(wantedOf)
  play(cast, (text) => {
    if (open.length > 0) open = open.filter((one) => !text.includes(one.letters))
  })
  return open.map(({ item, line }) => `${item.kind}: ${line}`)
}

function wantedOf(item: TruthItem): Wanted[] {
  if (item.onScreen !== true || item.optional === true) return []
  const text = item.screenText ?? item.partialText ?? item.text ?? mainInput(item.input)
  return text
    .split('\n')
    .filter((line) => /^[\x20-\x7e]+$/.test(line) && !/[|*_`~[\]<>\\#]/.test(line))
    .map((line) => ({ item, line, letters: letters(line) }))
    .filter((one) => one.letters.length >= SHORTEST)
}

function mainInput(input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const found = Object.entries(input).find(([key]) => /^(command|cmd|.*path)$/i.test(key))
  const value = found?.[1]
  return typeof value === 'string' ? (value.split('/').at(-1) ?? '') : ''
}

/** Tells the letters of every screen, and at the end those of all that scrolled away. */
function play(cast: Cast, hear: (text: string) => void): void {
  let now = 0
  const { cols, rows } = cast.header
  const clock = { now: () => now, after: () => ({ dispose: () => undefined }) }
  const screen = new Screen({ cols, rows, minFrameMs: 0, clock })
  let final = false
  screen.onFrame((frame) => {
    hear(letters(Array.from({ length: frame.rows }, (_, y) => frame.text(y)).join('')))
    if (final) hear(historyOf(frame))
  })
  const end = cast.events.findLast(({ kind }) => kind === 'o')
  for (const event of cast.events) {
    const { kind, data } = event
    final = event === end
    now += 1000
    const size = kind === 'r' ? castSize(data) : null
    if (size !== null) screen.resize(size.cols, size.rows)
    if (kind === 'o') screen.write(Buffer.from(data))
  }
  screen.dispose()
}

function historyOf(frame: Frame): string {
  const rows: string[] = []
  for (let n = frame.oldest; n < frame.base + frame.rows; n += 1) rows.push(frame.history(n).text)
  return letters(rows.join(''))
}
