/** @module hub/credentials - reading and comparing what a request proves itself with. */
import { createHash, timingSafeEqual } from 'node:crypto'

/** SHA-256 of a secret, hex: what is stored in its place. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Compares in a time that says nothing about where two secrets differ, or about their lengths. */
export function sameSecret(given: string, expected: string): boolean {
  const a = createHash('sha256').update(given).digest()
  const b = createHash('sha256').update(expected).digest()
  return timingSafeEqual(a, b)
}

/** The token of an `Authorization: Bearer` header; null without one. */
export function bearerOf(header: string | undefined): string | null {
  return /^bearer +([\w.~+/=-]+) *$/i.exec(header ?? '')?.[1] ?? null
}

/** Every value of a cookie: other servers on this machine can add values of the same name. */
export function cookieValues(headers: readonly string[], name: string): string[] {
  return headers
    .flatMap((header) => header.split(';'))
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
}
