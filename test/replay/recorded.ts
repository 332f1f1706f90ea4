/** @module test/replay/recorded - recordings of the painter's random conversations, and what a replay told of them. */
import { replayAtOnce } from '../../src/session/replay.js'
import type { Cast, CastEvent } from '../../src/terminal/index.js'
import { AltPainter, InkPainter, layOut, painterReader, type Said } from './painter.js'

/** Park-Miller: the same seed, the same run. */
export function random(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 48271) % 2147483647
    return state % below
  }
}

const WORDS = 'the quick brown fox jumps over a lazy dog while some people watch it run home'.split(' ')

function sentence(next: (n: number) => number, words: number): string {
  return Array.from({ length: words }, () => WORDS[next(WORDS.length)]).join(' ')
}

/** A conversation: prompts, texts from one word to many screens, calls; some repeat others word by word. */
export function conversation(next: (n: number) => number): Said[] {
  const list: Said[] = []
  for (let turn = 0; turn < 6; turn += 1) {
    list.push({
      kind: 'user_message',
      text: next(3) === 0 ? 'again' : `do ${turn} ${sentence(next, 2 + next(30))}`,
    })
    for (let n = next(3); n > 0; n -= 1) {
      const lines = Array.from({ length: next(6) }, (_, i) => (next(4) === 0 ? 'same line' : `out ${i}`))
      list.push({ kind: 'tool_call', text: [`run(${turn}.${n} ${sentence(next, 2)})`, ...lines].join('\n') })
    }
    const size = next(5) === 0 ? 60 : 1 + next(5)
    const lines = Array.from({ length: size }, (_, n) =>
      next(5) === 0 ? '' : next(6) === 0 ? 'repeated line' : `${n}. ${sentence(next, 1 + next(25))}`,
    )
    const text = lines.join('\n').replace(/^\n+|\n+$/g, '')
    list.push({ kind: 'assistant_message', text: next(4) === 0 || text === '' ? 'ok' : text })
  }
  return list
}

export interface Way {
  readonly resizes: boolean
  readonly cut: boolean
}

/** Draws a conversation piece by piece, as events of a recording. */
export function record(
  kind: 'ink' | 'alt',
  list: readonly Said[],
  next: (n: number) => number,
  way: Way,
): Cast {
  const events: CastEvent[] = []
  let at = 0
  let cols = 80
  let rows = 24
  const painter = kind === 'ink' ? new InkPainter(cols, rows) : new AltPainter(cols, rows)
  let tick = 0
  const show = (shown: readonly Said[], open: boolean, busy: boolean) => {
    const bytes = painter.draw(layOut(shown, open, cols), busy, tick++)
    const cut = way.cut ? next(bytes.length) : 0
    if (cut > 0) events.push({ at, kind: 'o', data: bytes.slice(0, cut) })
    at += way.cut ? next(8) : 0
    events.push({ at, kind: 'o', data: bytes.slice(cut) })
    at += 34 + next(40)
  }
  show([], false, false)
  list.forEach((said, n) => {
    const before = list.slice(0, n)
    if (said.kind === 'user_message') {
      at += 1000
      show([...before, said], false, true)
    } else {
      const pieces = said.text.split(said.kind === 'tool_call' ? '\n' : ' ')
      const glue = said.kind === 'tool_call' ? '\n' : ' '
      for (let upTo = 1; upTo < pieces.length; upTo += 1 + next(20))
        show([...before, { ...said, text: pieces.slice(0, upTo).join(glue) }], true, true)
      show([...before, said], false, true)
    }
    if (way.resizes && next(4) === 0) {
      cols = 60 + next(80)
      rows = 16 + next(30)
      events.push({ at, kind: 'r', data: `${cols}x${rows}` })
      painter.resize(cols, rows)
      at += 10
      show([...before, said], false, true)
    }
    const last = list[n + 1] === undefined || list[n + 1]?.kind === 'user_message'
    if (last) show([...before, said], false, false)
  })
  return { header: { version: 3, cols: 80, rows: 24 }, events, cut: false }
}

export const flat = (text: string) => text.replace(/\s+/g, ' ').trim()

export function told(cast: Cast) {
  const out: { kind: string; text: string }[] = []
  for (const e of replayAtOnce(cast, painterReader).events) {
    if (e.type !== 'item.completed') continue
    const { item } = e
    if (item.kind === 'tool_call')
      out.push({ kind: item.kind, text: flat(`${item.name}\n${item.output ?? ''}`) })
    else out.push({ kind: item.kind, text: flat(item.text) })
  }
  return out
}
