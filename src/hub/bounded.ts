/** @module hub/bounded - waits with an end. */
import { MeowError } from '../protocol/errors.js'

/** The promise, or a `timeout` that names what was waited for. */
export async function within<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(new MeowError('timeout', `waited ${ms / 1000} s in vain for ${what}`, { retryable: true })),
      ms,
    )
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
