/** @module hub/pairing - how a browser gets its cookie: a one-time code, exchanged once. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type Scope, Scope as ScopeSchema } from '../protocol/commands.js'
import { MeowError } from '../protocol/errors.js'
import { hashSecret } from './credentials.js'

/** A paired browser as it is kept: never the cookie, only its hash. */
const Browser = z.object({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  scopes: z.array(ScopeSchema),
  createdAt: z.number().int(),
})
type Browser = z.infer<typeof Browser>
const BrowserFile = z.object({ browsers: z.array(Browser) })

/** Where paired browsers are kept over a restart; `load` answers null when there is nothing. */
export interface BrowserStore {
  load(): string | null
  save(text: string): void
}

export interface PairingOptions {
  readonly store: BrowserStore
  readonly now: () => number
  /** Makes codes and cookies; 32 random bytes unless told. */
  readonly secret?: () => string
}

/** How long a code is good. */
export const CODE_MS = 10 * 60_000
/** How long a browser stays paired. */
export const COOKIE_MS = 90 * 24 * 3_600_000
const MAX_CODES = 20
const MAX_BROWSERS = 100
/** Wrong codes in a minute before every further one is refused unseen. */
const MAX_MISSES = 10
const MISS_WINDOW_MS = 60_000

/** Codes and paired browsers. Codes live in memory only: a restart voids them. */
export class Pairing {
  readonly #options: PairingOptions
  readonly #secret: () => string
  readonly #codes = new Map<string, { scopes: readonly Scope[]; expires: number }>()
  readonly #browsers = new Map<string, Browser>()
  #misses: number[] = []

  constructor(options: PairingOptions) {
    this.#options = options
    this.#secret = options.secret ?? (() => randomBytes(32).toString('base64url'))
    for (const browser of parseBrowsers(options.store.load())) this.#browsers.set(browser.hash, browser)
  }

  /** A new code, good once and for {@link CODE_MS}. The oldest goes when there are too many. */
  createCode(scopes: ReadonlySet<Scope>): string {
    const code = this.#secret()
    this.#dropOldCodes()
    this.#codes.set(hashSecret(code), {
      scopes: [...scopes],
      expires: this.#options.now() + CODE_MS,
    })
    evictOldest(this.#codes, MAX_CODES)
    return code
  }

  /** Exchanges a code for the value of a cookie. */
  redeem(code: string): string {
    const now = this.#options.now()
    this.#misses = this.#misses.filter((at) => at > now - MISS_WINDOW_MS)
    if (this.#misses.length >= MAX_MISSES) {
      throw new MeowError('forbidden', 'too many wrong pairing codes', {
        retryable: true,
        hint: 'Wait a minute.',
      })
    }
    this.#dropOldCodes()
    // Looked up by hash: how long a lookup takes says nothing about a code.
    const hash = hashSecret(code)
    const found = this.#codes.get(hash)
    if (found === undefined) {
      this.#misses.push(now)
      throw new MeowError('unauthorized', 'the pairing code is wrong, used or too old', {
        hint: 'Make a new one: agent-meow up',
      })
    }
    this.#codes.delete(hash)
    const cookie = this.#secret()
    const browser = { hash: hashSecret(cookie), scopes: [...found.scopes], createdAt: now }
    this.#browsers.set(browser.hash, browser)
    evictOldest(this.#browsers, MAX_BROWSERS)
    this.#options.store.save(`${JSON.stringify({ browsers: [...this.#browsers.values()] })}\n`)
    return cookie
  }

  /** The scopes of a cookie; null when no browser has it or it is too old. */
  scopesOf(cookie: string): ReadonlySet<Scope> | null {
    const browser = this.#browsers.get(hashSecret(cookie))
    if (browser === undefined || browser.createdAt + COOKIE_MS <= this.#options.now()) return null
    return new Set(browser.scopes)
  }

  #dropOldCodes(): void {
    const now = this.#options.now()
    for (const [hash, { expires }] of this.#codes) if (expires <= now) this.#codes.delete(hash)
  }
}

/** Maps keep the order of insertion. */
function evictOldest(map: Map<string, unknown>, max: number): void {
  for (const key of map.keys()) {
    if (map.size <= max) return
    map.delete(key)
  }
}

/** A file that is not ours to read pairs nobody; browsers then pair again. */
function parseBrowsers(text: string | null): Browser[] {
  if (text === null) return []
  try {
    return BrowserFile.parse(JSON.parse(text)).browsers
  } catch {
    return []
  }
}
