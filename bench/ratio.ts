/** @module bench/ratio - what one ratio is: a name, an aim, and rows of what was measured. */

/** One measured number. */
export interface Row {
  /** `R1` to `R11`, or the name of a budget. */
  readonly id: string
  /** What it was measured on. */
  readonly on: string
  readonly value: number
  readonly unit: 'x' | 'ms/s' | 'MB' | 'ms' | ''
  /** The value must not be more than this (`least`: not less); null where there is no aim. */
  readonly aim: number | null
  readonly least?: boolean
  /** Both sides and what else helps to judge it. */
  readonly detail: string
}

export interface Options {
  /** Few rounds on little data: minutes become seconds. */
  readonly quick: boolean
  /** A folder of recordings (`<vendor>/**.cast`); the fixtures unless told. */
  readonly casts: string
  /** Most bytes of one session, for the cost a MB. */
  readonly longBytes: number
  readonly note: (line: string) => void
}

export interface Ratio {
  readonly id: string
  run(options: Options): Promise<readonly Row[]> | readonly Row[]
}

export const met = (row: Row): boolean | null =>
  row.aim === null ? null : row.least === true ? row.value >= row.aim : row.value <= row.aim
