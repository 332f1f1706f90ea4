/**
 * @module Which viewport rows may look different from the frame before: a mark per row.
 */

export class DirtyRows {
  #marks: Uint8Array
  #all = true

  constructor(rows: number) {
    this.#marks = new Uint8Array(rows)
  }

  mark(y: number): void {
    if (y >= 0 && y < this.#marks.length) this.#marks[y] = 1
  }

  /** Both ends are marked, in either order. */
  markRange(from: number, to: number): void {
    this.#marks.fill(1, Math.max(0, Math.min(from, to)), Math.max(from, to) + 1)
  }

  markAll(): void {
    this.#all = true
  }

  resize(rows: number): void {
    this.#marks = new Uint8Array(rows)
    this.#all = true
  }

  /** The marked rows, sorted; afterwards none is marked. */
  take(): number[] {
    const rows: number[] = []
    for (let y = 0; y < this.#marks.length; y++) if (this.#all || this.#marks[y] === 1) rows.push(y)
    this.#marks.fill(0)
    this.#all = false
    return rows
  }
}
