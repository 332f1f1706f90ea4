/**
 * @module adapters/claude/lineage - the transcript's records in the order in which they happened. Pure.
 *
 * The program writes through queues: of the first turn of a session the end was written before the prompt and the
 * answer (2.1.197, often on a busy machine). Every record names the one before it, and that one always comes.
 */
import type { TranscriptRecord } from './records.js'

/** Records that may be named as the one before; a rewind goes back further than a queue does. */
const KNOWN = 20_000
/** Most records that wait for the one before. */
const WAITING = 500

/** Holds a record until the one that it names as its parent has come. */
export class Lineage {
  private readonly known = new Set<string>()
  private waiting: TranscriptRecord[] = []

  /** The records that can be told now, in order: none, or this one and whatever waited for it. */
  next(record: TranscriptRecord): TranscriptRecord[] {
    if (!this.follows(record)) {
      this.waiting.push(record)
      return this.waiting.length > WAITING ? this.release() : []
    }
    const told = [record]
    this.note(record)
    // Those behind one that was written late were written in order.
    for (let at = this.nextWaiting(); at >= 0; at = this.nextWaiting()) {
      for (const one of this.waiting.splice(at, 1)) {
        this.note(one)
        told.push(one)
      }
    }
    return told
  }

  /** What still waits, as it was written: the records before it had their time to come. */
  release(): TranscriptRecord[] {
    const told = this.waiting
    this.waiting = []
    for (const record of told) this.note(record)
    return told
  }

  private nextWaiting(): number {
    return this.waiting.findIndex((record) => this.follows(record))
  }

  private follows(record: TranscriptRecord): boolean {
    const parent = record.parentUuid
    return record.isSidechain === true || typeof parent !== 'string' || this.known.has(parent)
  }

  private note(record: TranscriptRecord): void {
    if (record.uuid === undefined) return
    this.known.add(record.uuid)
    if (this.known.size <= KNOWN) return
    for (const oldest of this.known) {
      this.known.delete(oldest)
      return
    }
  }
}
