/**
 * Gates hold a stream between two chunks until someone releases it, so that a test can look at a state
 * that would otherwise last a moment.
 *
 * @module model-server/gates
 */

const MAX_GATES = 1000

/** How a gate stands, for another process. */
export interface GateStatus {
  name: string
  /** Streams that wait here now. */
  waiting: number
  /** Streams that ever came here. */
  arrivals: number
  /** Releases that nobody has used yet. */
  permits: number
}

/**
 * One gate. It is closed until released. A release lets every stream go that waits now; if none waits,
 * it lets the next one pass. A gate that is never released holds its stream until the client leaves or
 * the server closes.
 */
export class Gate {
  private readonly waiters = new Set<() => void>()
  private readonly watchers = new Set<() => void>()
  private permits = 0
  private arrivals = 0

  constructor(readonly name: string) {}

  /** Resolves when a stream waits here: at once if one does, else on the next arrival. */
  get reached(): Promise<void> {
    if (this.waiters.size > 0) return Promise.resolve()
    return new Promise((resolve) => this.watchers.add(resolve))
  }

  /** Opens the gate once; returns how many streams went on. */
  release(): number {
    const count = this.waiters.size
    if (count === 0) this.permits += 1
    for (const go of [...this.waiters]) go()
    return count
  }

  /** How the gate stands. */
  status(): GateStatus {
    return { name: this.name, waiting: this.waiters.size, arrivals: this.arrivals, permits: this.permits }
  }

  /** Waits for a release; rejects with the signal's reason. */
  pass(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason)
        return
      }
      this.arrivals += 1
      const leave = (): void => {
        this.waiters.delete(go)
        signal.removeEventListener('abort', abort)
      }
      const go = (): void => {
        leave()
        resolve()
      }
      const abort = (): void => {
        leave()
        reject(signal.reason)
      }
      if (this.permits > 0) {
        this.permits -= 1
        resolve()
      } else {
        this.waiters.add(go)
        signal.addEventListener('abort', abort)
      }
      const watchers = [...this.watchers]
      this.watchers.clear()
      for (const notify of watchers) notify()
    })
  }

  /** Nobody waits here and nothing is owed. */
  get idle(): boolean {
    return this.waiters.size === 0 && this.watchers.size === 0 && this.permits === 0
  }
}

/** All gates of a server, made when first named. */
export class GateBoard {
  private readonly gates = new Map<string, Gate>()

  /** The gate of this name. */
  gate(name: string): Gate {
    const known = this.gates.get(name)
    if (known) return known
    if (this.gates.size >= MAX_GATES) this.dropIdle()
    const gate = new Gate(name)
    this.gates.set(name, gate)
    return gate
  }

  /** How every gate stands. */
  list(): GateStatus[] {
    return [...this.gates.values()].map((gate) => gate.status())
  }

  private dropIdle(): void {
    for (const [name, gate] of this.gates) if (gate.idle) this.gates.delete(name)
  }
}
