/** @module hub/paths - one reading of a request target, before anything decides by it. */

/** Segments of letters that need no decoding; a colon is good in message ids. */
const SEGMENT = /^[\w.~:@!$&'()*+,;=-]+$/

/**
 * The path of a request target, or null when it could be read in two ways: an absolute URL, an empty, `.` or `..`
 * segment, a backslash, a fragment, or an escape that hides a plain character. Only `%3A` is decoded, because clients escape
 * the colon of message ids and nothing decides by it.
 */
export function cleanPath(target: string): string | null {
  const path = (target.split('?', 1)[0] ?? '').replaceAll(/%3a/gi, ':')
  if (path === '/') return path
  if (!path.startsWith('/')) return null
  const segments = path.slice(1).split('/')
  const plain = segments.every((segment) => SEGMENT.test(segment) && segment !== '.' && segment !== '..')
  return plain ? path : null
}
