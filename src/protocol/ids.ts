/** @module protocol/ids - ids, made from injected randomness. */
import { randomBytes } from 'node:crypto'

/** Makes ids; tests inject a counter. */
export type IdSource = (prefix: string) => string

/** `prefix_` and 16 lowercase hex digits of randomness (64 bit). */
export const randomId: IdSource = (prefix) => `${prefix}_${randomBytes(8).toString('hex')}`

/** A counter for tests and replays: `prefix_1`, `prefix_2`, ... */
export function countingIds(): IdSource {
  let n = 0
  return (prefix) => {
    n += 1
    return `${prefix}_${n}`
  }
}
