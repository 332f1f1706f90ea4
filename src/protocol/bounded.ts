/**
 * @module protocol/bounded - waits with an end. The timer never decides anything but that the wait has failed.
 */
import { MeowError } from './errors.js'

/**
 * The promise's own outcome, or `timeout` after `ms` with an error that names what was waited for.
 * The timer goes away with the outcome, so that nothing ticks while nothing is awaited.
 */
export const bounded = <T>(promise: Promise<T>, ms: number, waitedFor: string): Promise<T> =>
  new Promise<T>((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new MeowError('timeout', `waited ${ms} ms for ${waitedFor}`, { retryable: true })),
      ms,
    )
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/** Whether the promise settled within `ms`. Never rejects. */
export const settledWithin = (promise: Promise<unknown>, ms: number): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms)
    const settled = (): void => {
      clearTimeout(timer)
      resolve(true)
    }
    promise.then(settled, settled)
  })
