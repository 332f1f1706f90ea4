/** @module test/delivery/tui/life - a bridge's life: after so many effects it is dead, and reaches nothing any more. */
import type { Journal } from '../../../src/journal/journal.js'

/** What a bridge does to the world, counted: writes to the journal and to the terminal. */
export class Life {
  dead = false
  /** What was done so far. */
  readonly effects: string[] = []
  private last = Number.POSITIVE_INFINITY
  private readonly endings: (() => void)[] = []

  /** Dies with the nth effect from now on, from 1: it is the last one. */
  endsWith(nth: number): void {
    this.last = this.effects.length + nth
  }

  /** It lives on, whatever was said. */
  lives(): void {
    this.last = Number.POSITIVE_INFINITY
  }

  onEnd(ending: () => void): void {
    this.endings.push(ending)
  }

  /** Does one effect; what is dead does nothing. */
  effect<T>(what: string, work: () => T, nothing: () => T): T {
    if (this.dead) return nothing()
    const result = work()
    this.effects.push(what)
    if (this.effects.length >= this.last) this.end()
    return result
  }

  end(): void {
    if (this.dead) return
    this.dead = true
    for (const ending of this.endings) ending()
  }
}

/** The journal of a bridge that may die: it keeps what was written until then, and refuses everything after. */
export function mortalJournal(journal: Journal, life: Life): Journal {
  const refuse = (): never => {
    throw new Error('this bridge is dead')
  }
  return {
    append: (id, events, summary) => {
      const what = events
        .map((e) => (e.type === 'delivery' ? `${e.messageId} ${e.state}` : e.type))
        .join(', ')
      return life.effect(`journal: ${what}`, () => journal.append(id, events, summary), refuse)
    },
    read: (id, since, limit) => (life.dead ? refuse() : journal.read(id, since, limit)),
    lastSeq: (id) => (life.dead ? refuse() : journal.lastSeq(id)),
    saveSession: (info) => (life.dead ? refuse() : journal.saveSession(info)),
    sessions: (limit) => journal.sessions(limit),
    session: (id) => journal.session(id),
    close: () => undefined,
  }
}
