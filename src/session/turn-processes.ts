/** @module session/turn-processes - which processes a turn has started under the vendor's program, and which ended. */
import { type ProcessEntry, processesUnder, untilEnded } from '../terminal/index.js'

/** How long the processes of a stopped turn may take to end before they are told as running, in ms. */
const END_MS = 2000
/** Processes that are named in words. */
const NAMED = 5

export class TurnProcesses {
  /** What ran under the program when the turn began: servers that it keeps are not the turn's. */
  private before: Promise<ReadonlySet<string>> = Promise.resolve(new Set())

  constructor(private readonly pid: () => number) {}

  /** A turn begins. */
  turnBegins(): void {
    this.before = processesUnder(this.pid()).then(
      (list) => new Set(list.map((p) => p.mark)),
      () => new Set(),
    )
  }

  /** Processes that run now and did not when the turn began; empty where that cannot be known. */
  async ofTurn(): Promise<readonly ProcessEntry[]> {
    const before = await this.before
    const now = await processesUnder(this.pid()).catch(() => [])
    return now.filter((p) => !before.has(p.mark))
  }

  /** In words: which of them are gone; waits for the rest, for a bounded time. */
  async whatEnded(those: readonly ProcessEntry[]): Promise<string[]> {
    if (those.length === 0) return []
    const left = await untilEnded(those, END_MS)
    const ended = those.length - left.length
    const told = ended > 0 ? [`${ended} of the turn's processes ended`] : []
    if (left.length === 0) return told
    const names = left.slice(0, NAMED).map((p) => `${p.name} (${p.pid})`)
    return [...told, `${left.length} still run: ${names.join(', ')}`]
  }
}
