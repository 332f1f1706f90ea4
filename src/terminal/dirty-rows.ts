/**
 * @module Which viewport rows may look different from the frame before: a mark per row.
 */

export class DirtyRows {
  #marks: Uint8Array
  #all = true

  constructor(rows: number) {
    this.#marks = new Uint8Array(rows)
  }

  mark(from: number, to: number): void {
    for (let y = Math.max(0, Math.min(from, to)); y <= Math.max(from, to) && y < this.#marks.length; y++)
      this.#marks[y] = 1
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
