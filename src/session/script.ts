/** @module session/script - runs an adapter's steps and checks what must be seen between them. */
import type { Condition, Observation, Reading, Seen, Step } from '../adapter/index.js'
import { MeowError } from '../protocol/errors.js'

/** The hands and eyes of a script. */
export interface ScriptIo {
  paste(text: string): Promise<void>
  keys(names: readonly string[]): Promise<void>
  call(method: string, params: unknown): Promise<unknown>
  receipt(state: 'typed' | 'accepted'): void
  /** Resolves when every byte that has come is in the newest reading. */
  fresh?(): Promise<void>
  /** A step that must not be repeated is about to be taken. */
  acting?(step: 'paste' | 'keys' | 'call'): void
  /** What must be seen was not, and the steps of its retry are taken. */
  again?(condition: string): void
  readonly watch: Watch
}

/** What a script saw. */
export interface Ran {
  /** Since it began, oldest first. */
  readonly observations: readonly Observation[]
  /** Names of the conditions that were seen to hold, in order. */
  readonly seen: readonly string[]
}

/** How many observations one script can look back on. */
const KEPT = 2000

/** The newest reading and the observations since a mark; tells waiting conditions of every change. */
export class Watch {
  private readonly waiting = new Set<() => void>()
  private readonly scripts = new Set<Observation[]>()
  reading: Reading | null = null

  /** A new reading. */
  read(reading: Reading): void {
    this.reading = reading
    this.wake()
  }

  observe(observation: Observation): void {
    for (const list of this.scripts) if (list.push(observation) > KEPT) list.shift()
    this.wake()
  }

  /** Starts a list of observations; `end` when it is no longer looked at. */
  begin(): { readonly observations: readonly Observation[]; end(): void } {
    const observations: Observation[] = []
    this.scripts.add(observations)
    return { observations, end: () => this.scripts.delete(observations) }
  }

  /** Resolves true when the condition holds, false when `withinMs` (null: no bound) have passed or the signal fires. */
  async until(
    condition: (seen: Seen) => boolean,
    observations: readonly Observation[],
    withinMs: number | null,
    signal: AbortSignal,
  ): Promise<boolean> {
    const holds = () => condition({ reading: this.reading, observations })
    if (holds()) return true
    if (signal.aborted) return false
    return await new Promise<boolean>((resolve) => {
      const finish = (result: boolean) => {
        clearTimeout(timer)
        this.waiting.delete(check)
        signal.removeEventListener('abort', abort)
        resolve(result)
      }
      const check = () => {
        if (holds()) finish(true)
      }
      const abort = () => finish(false)
      const timer = withinMs === null ? undefined : setTimeout(() => finish(holds()), withinMs)
      this.waiting.add(check)
      signal.addEventListener('abort', abort, { once: true })
    })
  }

  private wake(): void {
    for (const check of [...this.waiting]) check()
  }
}

/**
 * Runs the steps in order. Throws the step's code (default `delivery_failed`) with the condition's name when
 * something that must be seen was not, and `terminal_gone` when the signal fires (the program ended).
 */
export async function runScript(steps: readonly Step[], io: ScriptIo, signal: AbortSignal): Promise<Ran> {
  const mark = io.watch.begin()
  const seen: string[] = []
  try {
    await runSteps(steps, io, mark.observations, signal, seen)
    return { observations: [...mark.observations], seen }
  } finally {
    mark.end()
  }
}

async function runSteps(
  steps: readonly Step[],
  io: ScriptIo,
  observations: readonly Observation[],
  signal: AbortSignal,
  seen: string[],
): Promise<void> {
  for (const step of steps) {
    if (signal.aborted) throw new MeowError('terminal_gone', "the vendor's program ended")
    switch (step.do) {
      case 'paste':
        io.acting?.('paste')
        await io.paste(step.text)
        break
      case 'keys':
        io.acting?.('keys')
        await io.keys(step.keys)
        break
      case 'call':
        io.acting?.('call')
        await io.call(step.method, step.params)
        break
      case 'must':
        await io.fresh?.()
        if (!step.condition.holds({ reading: io.watch.reading, observations }))
          throw new MeowError(step.code ?? 'conflict', `it does not hold that ${step.condition.name}`)
        break
      case 'receipt':
        io.receipt(step.state)
        break
      case 'if':
        await io.fresh?.()
        if (step.condition.holds({ reading: io.watch.reading, observations }))
          await runSteps(step.steps, io, observations, signal, seen)
        break
      case 'see':
        await see(step, io, observations, signal, seen)
        seen.push(step.condition.name)
        break
    }
  }
}

async function see(
  step: Extract<Step, { do: 'see' }>,
  io: ScriptIo,
  observations: readonly Observation[],
  signal: AbortSignal,
  names: string[],
): Promise<void> {
  const { watch } = io
  const wait = (c: Condition) => watch.until(c.holds, observations, step.withinMs, signal)
  let seen = await wait(step.condition)
  for (let tries = 0; !seen && step.retry && tries < step.retry.times && !signal.aborted; tries += 1) {
    if (!step.retry.when.holds({ reading: watch.reading, observations })) break
    io.again?.(step.condition.name)
    await runSteps(step.retry.steps, io, observations, signal, names)
    seen = await wait(step.condition)
  }
  if (seen) return
  if (signal.aborted) throw new MeowError('terminal_gone', "the vendor's program ended")
  throw new MeowError(
    step.code ?? 'delivery_failed',
    `did not see within ${step.withinMs} ms that ${step.condition.name}`,
  )
}
