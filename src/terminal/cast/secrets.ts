/** @module terminal/cast/secrets - what must not stand in a recording: keys and tokens by pattern, the session's own by value. */
import { ownPaths, USER_FOLDERS } from './secret-paths.js'
import { beginning, escaped, type Rule } from './secret-rules.js'

/** One find in a text; positions are UTF-16 units. */
export interface SecretSpan {
  readonly start: number
  readonly end: number
  readonly rule: string
  /** What stands there instead, cut or padded to the same cells; stars when null. */
  readonly instead: string | null
}

export interface SecretsOptions {
  /** The program's environment: which of its values are secret is told by their names. */
  readonly env: Readonly<Record<string, string>>
  /** The user's name, to be taken out of paths. */
  readonly user?: string
}

const SECRET_NAME = /_API_KEY|_KEY$|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL/i
/** Counts and switches that such names carry, too. */
const NO_SECRET = /^(?:\d{1,12}|true|false|yes|no|on|off|none|null|auto|default)$/i
const SHORTEST = 6
const LONGEST = 4096
/** So much of a value at its head or its end is a find of its own: programs show keys shortened. */
const PART = 12
/** A literal that a secret begins with, and what it goes on with. */
function key(name: string, literal: string, body: string, least: number): Rule {
  return {
    name,
    instead: null,
    full: new RegExp(`(?<![\\w-])${escaped(literal)}${body}{${least},}`, 'g'),
    open: new RegExp(`(?<![\\w-])${beginning(literal, body)}$`),
  }
}

const JWT_TAIL = /(?<![\w.-])[\w.-]+$/
const JWT_BEGIN = /(?<![\w-])(?:eyJ|ey?$)/
/** In two steps: a search for a beginning up to the end would go there again from each `eyJ` behind a dot. */
function openJwt(text: string): { index: number } | null {
  const tail = JWT_TAIL.exec(text)
  const begin = tail === null ? null : JWT_BEGIN.exec(tail[0])
  return tail === null || begin === null ? null : { index: tail.index + begin.index }
}

const BEARER = '[\\w.~+/=-]'
const KEYS: readonly Rule[] = [
  key('sk-', 'sk-', '[\\w-]', 16),
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((start) => key('github token', start, '\\w', 20)),
  key('github token', 'github_pat_', '\\w', 20),
  key('aws key', 'AKIA', '[A-Z0-9]', 16),
  key('aws key', 'ASIA', '[A-Z0-9]', 16),
  key('google key', 'AIza', '[\\w-]', 30),
  ...['a', 'b', 'e', 'o', 'p', 'r', 's'].map((kind) => key('slack token', `xox${kind}-`, '[\\w-]', 10)),
  {
    name: 'bearer token',
    instead: null,
    full: new RegExp(`(?<=\\bbearer\\s)${BEARER}{16,}`, 'gi'),
    open: new RegExp(`(?<![\\w-])${beginning('bearer ', BEARER)}$`, 'i'),
  },
  {
    name: 'jwt',
    instead: null,
    full: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
    open: { exec: openJwt },
  },
]

interface Value {
  readonly rule: string
  readonly text: string
  readonly seeds: readonly string[]
}

/** What is secret in one session. */
export class Secrets {
  /** The rules by which text is replaced, for people. Values are never named, their variables are. */
  readonly rules: readonly string[]
  readonly #rules: readonly Rule[]
  readonly #values: readonly Value[]

  constructor({ env, user }: SecretsOptions) {
    this.#values = secretValues(env)
    this.#rules = [...ownPaths(env.HOME, user), ...KEYS, ...USER_FOLDERS]
    const names = [...this.#values.map(({ rule }) => rule), ...this.#rules.map(({ name }) => name)]
    this.rules = [...new Set(names)]
  }

  /** Every find; paths first, so that stars win where two overlap. */
  find(text: string): SecretSpan[] {
    const rules = this.#rules.filter(({ needle }) => needle === undefined || text.includes(needle))
    const spans = rules.flatMap(({ name, instead, full }) =>
      [...text.matchAll(full)].map(({ 0: found, index }) => ({
        start: index,
        end: index + found.length,
        rule: name,
        instead,
      })),
    )
    const paths = outermost(spans.filter(({ instead }) => instead !== null))
    const keys = spans.filter(({ instead }) => instead === null)
    return [...paths, ...outermost([...keys, ...this.findValues(text)])]
  }

  /** Finds of the session's own values, and of long parts of them, alone: what text without its blanks can be searched for. */
  findValues(text: string): SecretSpan[] {
    const spans = this.#values.flatMap(({ rule, text: value, seeds }) =>
      seeds.flatMap((seed, tail) =>
        occurrences(text, value, seed, tail === 1).map((at) => ({ ...at, rule, instead: null })),
      ),
    )
    return outermost(spans)
  }

  /** Where the end of a text may be the beginning of a find; the text's length when it is none. */
  openAt(text: string): number {
    let open = text.length
    for (const rule of this.#rules) open = Math.min(open, rule.open.exec(text)?.index ?? open)
    for (const { text: value } of this.#values) open = Math.min(open, text.length - overlap(text, value))
    return open
  }
}

function secretValues(env: Readonly<Record<string, string>>): Value[] {
  const values: Value[] = []
  const add = (rule: string, text: string): void => {
    if (text.length < SHORTEST || text.length > LONGEST || values.some((value) => value.text === text)) return
    const seeds = text.length <= PART ? [text] : [text.slice(0, PART), text.slice(-PART)]
    values.push({ rule, text, seeds })
  }
  for (const [name, value] of Object.entries(env)) {
    const text = value.trim()
    if (!SECRET_NAME.test(name) || NO_SECRET.test(text)) continue
    add(`env ${name}`, text)
    add(`env ${name}`, encodeURIComponent(Buffer.from(text).toString()))
  }
  return values
}

/** Without finds inside of others: a value is found by its head and by its end, a home by its path and by its name. */
function outermost(spans: SecretSpan[]): SecretSpan[] {
  let reached = 0
  return spans
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
    .filter(({ end }) => {
      const outer = end > reached
      reached = Math.max(reached, end)
      return outer
    })
}

/** Where a part of the value stands that begins (or ends) with the seed, as far as it goes on like the value. */
function occurrences(text: string, value: string, seed: string, tail: boolean) {
  const found: { start: number; end: number }[] = []
  for (let at = text.indexOf(seed); at >= 0; at = text.indexOf(seed, at + 1)) {
    let start = at
    let end = at + seed.length
    if (tail) {
      for (let i = value.length - seed.length - 1; i >= 0 && text[start - 1] === value[i]; i -= 1) start -= 1
    } else {
      for (let i = seed.length; i < value.length && text[end] === value[i]; i += 1) end += 1
    }
    found.push({ start, end })
  }
  return found
}

/** Length of the longest beginning of `value`, but not all of it, that `text` ends with. */
function overlap(text: string, value: string): number {
  for (let size = Math.min(value.length - 1, text.length); size > 0; size -= 1)
    if (text.endsWith(value.slice(0, size))) return size
  return 0
}
