/** @module bench/streams/words - the same words on every run: what the synthetic programs say. */

const WORDS = (
  'the a of this that when where which reads writes keeps tells opens closes moves finds checks returns because ' +
  'screen buffer cursor window file line row column frame session event journal record key value list tree node ' +
  'first next last each every only never always again before after between slowly at once in order by name ' +
  'caf\u00e9 na\u00efve \u732b \u2192 `code()` *mark* (note) x=1 3.14 100% /usr/share/doc'
).split(' ')

/** Numbers from a seed, 0 to 1: the same on every machine (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Cells that a word takes; the list has one wide character. */
export const width = (text: string): number => text.length + (text.match(/\u732b/g)?.length ?? 0)

/** What a program says in one turn: a prompt, then words of an answer. */
export class Talk {
  private readonly roll: () => number
  private turn = 0

  constructor(seed: number) {
    this.roll = dice(seed)
  }

  word(): string {
    return WORDS[Math.floor(this.roll() * WORDS.length)] ?? 'word'
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.word()).join(' ')
  }

  /** No two prompts are alike. */
  prompt(): string {
    this.turn += 1
    return `Question ${this.turn}: ${this.words(8)}?`
  }

  /** A row of words that fills about so many columns. */
  row(columns: number): string {
    let row = this.word()
    for (;;) {
      const word = this.word()
      if (width(row) + 1 + width(word) > columns) return row
      row += ` ${word}`
    }
  }
}
