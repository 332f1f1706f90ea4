/**
 * @module adapter/transcript/rows - all rows of a transcript under numbers that stay, whatever the program scrolls.
 *
 * On the normal screen the terminal's own scrollback numbers them. On the alternate screen there is none: each window
 * is laid over the rows known so far, in order, by the shift that explains it best.
 */
import type { Transcript } from '../grammar.js'
import type { ScreenView } from '../reading.js'
import type { Row } from '../row.js'
import { shiftOf } from './shift.js'

/** What a screen changed. */
export interface RowsChange {
  /** Number of the first row that differs; rows before it are as they were. Null: nothing changed. */
  readonly from: number | null
  /** Numbers began anew (resize, other buffer, a jump): what follows may repeat what was known. */
  readonly rebased: boolean
  /** Rows may have passed between two screens that nobody saw. */
  readonly lost?: boolean
}

/** So many rows are forgotten at once. */
const SPARE = 100
/** So many updates after a resize a window that is quite another is a new drawing, not a jump. */
const UNSETTLED = 10
/** Between two numberings, so that no number means two things. */
const GAP = 1_000_000

export class TranscriptRows {
  /** `list[0]` has the number `first`. */
  private list: Row[] = []
  private first = 0
  /** Number of the window's first row. */
  private top = 0
  /** The window as it was drawn last. */
  private shown: readonly Row[] = []
  /** The oldest row of the terminal's own as of the last screen. */
  private oldest = 0
  /** Added to the terminal's own numbers. */
  private offset = 0
  private next = 0
  private shape = ''
  private height = 0
  /** Updates in which the program may still be drawing for a new size. */
  private unsettled = 0

  /** Rows from a number on; those that are no longer known are left out. */
  since(from: number): { readonly from: number; readonly rows: readonly Row[] } {
    const at = Math.max(0, from - this.first)
    return { from: this.first + at, rows: this.list.slice(at) }
  }

  /** Number of the window's first row. */
  get window(): number {
    return this.top
  }

  get end(): number {
    return this.first + this.list.length
  }

  /** Forgets rows before a number that nobody needs again, once they are many. */
  forget(before: number): void {
    const spare = Math.min(before, this.top) - this.first
    if (spare <= SPARE) return
    this.list.splice(0, spare)
    this.first += spare
  }

  /** Takes a screen in. `running`: a window that has nothing in common with the last one scrolled on by more than itself. */
  update(screen: ScreenView, region: Transcript, running: boolean): RowsChange {
    const shape = `${screen.cols}x${screen.alternate}`
    const rebased = shape !== this.shape || (!screen.alternate && screen.rows !== this.height)
    this.unsettled = rebased || screen.rows !== this.height ? UNSETTLED : Math.max(0, this.unsettled - 1)
    this.shape = shape
    this.height = screen.rows
    if (screen.alternate) {
      const rowAt = region.row ?? ((y: number) => screen.row(y))
      const rows = Array.from({ length: region.bottom - region.top }, (_, n) => rowAt(region.top + n))
      return this.lay(rows, rebased, running)
    }
    return this.scrolled(screen, region, rebased)
  }

  private scrolled(screen: ScreenView, region: Transcript, rebased: boolean): RowsChange {
    const bottom = screen.base + region.bottom
    if (rebased) {
      this.restart()
      this.offset = this.first - screen.oldest
    } else if (
      (screen.oldest > this.oldest && screen.oldest + this.offset >= this.top) ||
      screen.base + this.offset < this.top
    ) {
      // The program cleared its scrollback, or all: nothing of the last window is known any more.
      this.restart()
      this.offset = this.first - screen.oldest
      rebased = true
    }
    this.oldest = screen.oldest
    // Rows above the last window cannot have changed; those that left the scrollback unseen are lost.
    const from = Math.max(rebased ? screen.oldest : this.top - this.offset, screen.oldest)
    this.top = screen.base + this.offset
    const fresh: Row[] = []
    for (let n = from; n < bottom; n += 1) fresh.push(screen.history(n))
    return this.replace(from + this.offset, fresh, rebased)
  }

  private lay(rows: readonly Row[], rebased: boolean, running: boolean): RowsChange {
    const change = this.layOver(rows, rebased, running)
    this.shown = rows
    return change
  }

  private layOver(rows: readonly Row[], rebased: boolean, running: boolean): RowsChange {
    if (rebased) this.restart()
    const known = this.list.slice(Math.max(0, this.top - this.first - rows.length))
    const knownFrom = this.end - known.length
    const shift = shiftOf(known, this.top - knownFrom, rows, this.unsettled > 0)
    if (shift.kind === 'inside') {
      this.top = knownFrom + shift.at
      return { from: null, rebased }
    }
    if (shift.kind === 'none' && this.list.length > 0) {
      if (running && !rebased && this.unsettled === 0) {
        this.top = this.end
        return { ...this.replace(this.top, rows, false), lost: true }
      }
      this.restart()
      rebased = true
    }
    this.top = shift.kind === 'at' ? knownFrom + shift.at : this.first
    if (shift.kind === 'at') rows = this.withoutSticky(rows)
    if (this.top < this.first) {
      this.list.unshift(...rows.slice(0, this.first - this.top))
      this.first = this.top
      return this.replace(this.top, rows, true)
    }
    return this.replace(this.top, rows, rebased)
  }

  /** Rows at the window's top that stay where they are while the rest scrolls lie over the text: what they hide is kept. */
  private withoutSticky(rows: readonly Row[]): readonly Row[] {
    const at = this.top - this.first
    const out = [...rows]
    for (let y = 0; y < rows.length && at + y >= 0; y += 1) {
      const [known, row] = [this.list[at + y], rows[y]]
      if (!known || !row || known.text === row.text) break
      if (row.text === '' || this.shown[y]?.text !== row.text) break
      out[y] = known
    }
    return out
  }

  /** Lays rows over the known ones from a number on; what stood behind is gone. */
  private replace(from: number, shown: readonly Row[], rebased: boolean): RowsChange {
    // Rows that were forgotten can come to light again (a scrollback that was cut): they are of the past.
    const past = Math.max(0, this.first - from)
    if (past >= shown.length && past > 0) {
      this.restart()
      return this.replace(this.first, shown, true)
    }
    const [at, rows] = past > 0 ? [from + past, shown.slice(past)] : [from, shown]
    const index = at - this.first
    const old = this.list.length
    let same = 0
    while (same < rows.length && index + same < old) {
      if (!(this.list[index + same] as Row).same(rows[same] as Row)) break
      same += 1
    }
    const cut = index + rows.length < old
    if (same === rows.length && !cut && !rebased) return { from: null, rebased }
    this.list.length = Math.min(old, index)
    for (const row of rows) this.list.push(row)
    this.next = Math.max(this.next, this.end)
    return { from: rebased ? this.first : at + same, rebased }
  }

  private restart(): void {
    this.list = []
    this.first = this.next === 0 ? 0 : this.next + GAP
    this.top = this.first
  }
}
