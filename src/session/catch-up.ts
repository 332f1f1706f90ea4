/**
 * @module session/catch-up - after a restart a source tells again what it has: what was told before is dropped, what
 * came meanwhile is told. Pure.
 */
import type { Observation } from '../adapter/index.js'

/** Facts that are held until the source has caught up. A record of 100,000 messages has about as many. */
const MAX_HELD = 500_000
/** Facts about how things are now, which may be told again as often as one likes. */
const STANDING: ReadonlySet<Observation['type']> = new Set([
  'ready',
  'vendor.session',
  'vendor.version',
  'state',
  'model',
  'mode',
  'gap',
])

/** What was told before the restart. */
export interface ToldBefore {
  knows(o: Observation): boolean
  /** Turns that began or ended after the newest fact that it knows: those facts have no keys. */
  readonly turnsAtEnd: readonly ('turn.started' | 'turn.completed')[]
}

export class CatchUp {
  private readonly held: Observation[] = []

  constructor(private readonly told: ToldBefore) {}

  /** Null while the source still catches up; then everything that is new, in order. */
  take(o: Observation): readonly Observation[] | null {
    if (o.type !== 'caught_up' && this.held.length < MAX_HELD) {
      this.held.push(o)
      return null
    }
    const last = this.held.findLastIndex((one) => this.told.knows(one))
    // Turns before the newest fact that is known began and ended before it.
    const after = this.held.filter((one, at) => at > last || STANDING.has(one.type))
    return [...this.withoutTurns(after), o]
  }

  /**
   * Without the turns that are known by their place alone: those before the first new fact that has a key, as far as
   * they are the end of what was told before. A source may have told some of that again, or nothing.
   */
  private withoutTurns(facts: readonly Observation[]): Observation[] {
    const known = this.told.turnsAtEnd
    const lead: number[] = []
    for (const [at, o] of facts.entries()) {
      if (o.type === 'turn.started' || o.type === 'turn.ended') lead.push(at)
      else if (!STANDING.has(o.type)) break
    }
    const nameOf = (at: number) => (facts[at]?.type === 'turn.ended' ? 'turn.completed' : 'turn.started')
    let again = Math.min(lead.length, known.length)
    while (again > 0 && !known.slice(-again).every((name, n) => name === nameOf(lead[n] ?? -1))) again -= 1
    const dropped = new Set(lead.slice(0, again))
    return facts.filter((_, at) => !dropped.has(at))
  }
}
