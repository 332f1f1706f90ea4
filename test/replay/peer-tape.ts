/** @module test/replay/peer-tape - small recordings that a program writes step by step. */
import type { Cast, CastEvent } from '../../src/terminal/index.js'
import { AltPainter, InkPainter, layOut, type Painter, type Said } from './painter.js'

export class Tape {
  private readonly events: CastEvent[] = []
  private at = 0

  constructor(
    readonly vendor = 'painter',
    readonly cols = 80,
    readonly rows = 24,
  ) {}

  /** Output, and the time until what follows, in ms. */
  write(data: string, wait = 40): this {
    this.events.push({ at: this.at, kind: 'o', data })
    this.at += wait
    return this
  }

  resize(cols: number, rows: number, wait = 10): this {
    this.events.push({ at: this.at, kind: 'r', data: `${cols}x${rows}` })
    this.at += wait
    return this
  }

  wait(ms: number): this {
    this.at += ms
    return this
  }

  cast(): Cast {
    const header = { version: 3 as const, cols: this.cols, rows: this.rows }
    return { header, events: this.events, cut: false }
  }

  get list(): readonly CastEvent[] {
    return this.events
  }
}

export const you = (text: string): Said => ({ kind: 'user_message', text })
export const it = (text: string): Said => ({ kind: 'assistant_message', text })
export const call = (name: string, ...output: string[]): Said => ({
  kind: 'tool_call',
  text: [name, ...output].join('\n'),
})

export type Way = 'ink' | 'alt'

/** Draws a conversation on a tape, one thing after another. */
export class Drawn {
  readonly tape: Tape
  readonly painter: Painter
  readonly said: Said[] = []
  busy = false
  tick = 0
  /** How long nothing comes after a turn, in ms. */
  rest = 600
  /** Rows above everything, as of each drawing. */
  head: (tick: number) => readonly string[] = () => []

  constructor(
    way: Way,
    private cols = 80,
    rows = 24,
    tape = new Tape('painter', cols, rows),
  ) {
    this.tape = tape
    this.painter = way === 'ink' ? new InkPainter(cols, rows) : new AltPainter(cols, rows)
    this.draw()
  }

  draw(wait = 40, open = false): this {
    const rows = [...this.head(this.tick), ...layOut(this.said, open, this.cols)]
    this.tape.write(this.painter.draw(rows, this.busy, this.tick), wait)
    this.tick += 1
    return this
  }

  /** A whole turn: what a person asked, and what was answered, word by word or row by row. */
  turn(asked: string, ...answers: readonly Said[]): this {
    this.tape.wait(500)
    this.busy = true
    this.said.push(you(asked))
    this.draw().draw()
    for (const answer of answers) {
      const glue = answer.kind === 'tool_call' ? '\n' : ' '
      const pieces = answer.text.split(glue)
      const step = Math.max(1, Math.ceil(pieces.length / 12))
      this.said.push(answer)
      for (let n = 1; n < pieces.length; n += step) {
        this.said[this.said.length - 1] = { ...answer, text: pieces.slice(0, n).join(glue) }
        this.draw(40, true)
      }
      this.said[this.said.length - 1] = answer
      this.draw()
    }
    this.busy = false
    return this.draw(this.rest)
  }

  resize(cols: number, rows: number): this {
    this.cols = cols
    this.tape.resize(cols, rows)
    this.painter.resize(cols, rows)
    return this.draw()
  }
}
