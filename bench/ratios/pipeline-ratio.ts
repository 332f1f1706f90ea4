/** @module bench/ratios/pipeline-ratio - R1 and R2: the whole road of bytes against bare parsing of the same bytes. */
import { recorded } from '../casts.js'
import { type Compared, compare, type Side } from '../harness.js'
import { bare, type Depth, pipeline, type Ran } from '../pipeline.js'
import type { Options, Row } from '../ratio.js'
import { type ProgramName, programNames, synthetic, type Workload } from '../streams/index.js'

/** What the first figures of the design were taken on: everything up to the frame, without reading what it says. */
const DEPTHS: readonly Depth[] = ['frames', 'whole']
/** Bytes of one sample: below it the clock's and the compiler's noise are as large as the sides. */
const SAMPLE = 600_000

export interface PipelineRatio {
  readonly id: 'R1' | 'R2'
  /** The pieces in which the bytes come. */
  readonly shape: (load: Workload) => Workload
  /** Null: no aim. */
  readonly aim: (name: ProgramName) => number
}

/** The same session several times, where one is too short to measure. */
export function times(count: number, make: () => Side): Side {
  const sides = Array.from({ length: count }, make)
  return {
    run: () => {
      for (const side of sides) side.run()
    },
    done: () => {
      for (const side of sides) side.done()
    },
  }
}

export function measure(
  load: Workload,
  depth: Depth,
  rounds: number,
): Compared & { readonly ran: Ran | null } {
  let ran: Ran | null = null
  const count = Math.max(1, Math.round(SAMPLE / load.size))
  const over = () =>
    times(count, () =>
      pipeline(load, depth, (told) => {
        ran = told
      }),
    )
  return { ...compare(over, () => times(count, () => bare(load)), rounds), ran }
}

export function runPipeline({ id, shape, aim }: PipelineRatio, options: Options): Row[] {
  const rounds = options.quick ? 3 : 7
  const made = programNames.map((name) => ({ load: synthetic(name, SAMPLE), aim: aim(name) }))
  const real = recorded(options.casts).map((load) => ({ load, aim: null }))
  return [...made, ...(options.quick ? real.slice(0, 2) : real)].flatMap(({ load, aim }) =>
    // Of recordings the whole road alone: a run has a bound.
    (aim === null ? (['whole'] as const) : DEPTHS).map((depth): Row => {
      const shaped = shape(load)
      const { ratio, over, under, ran } = measure(shaped, depth, rounds)
      const whole = depth === 'whole'
      options.note(`${id} ${load.name} ${depth} ${ratio.toFixed(2)}`)
      return {
        id,
        on: whole ? load.name : `${load.name}, frames only`,
        value: ratio,
        unit: 'x',
        aim,
        detail: `${over.toFixed(1)} / ${under.toFixed(1)} ms, ${ran?.frames ?? 0} frames, ${ran?.events ?? 0} events`,
      }
    }),
  )
}
