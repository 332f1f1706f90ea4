/** @module test/recording/wait - waits for a fact, each within a bound that its error names. */

/** A wait came to its bound. */
export class TooLong extends Error {}

/** The promise's value, or an error that names what was waited for, and how long. */
export async function within<T>(what: string, boundMs: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new TooLong(`not within ${Math.round(boundMs / 1000)} s: ${what}`)),
      boundMs,
    )
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
