/**
 * The directive language: what a person types into the prompt to script the model.
 *
 *     MEOW: think Let me look.;; bash ls -la;; text The folder has these files.
 *
 * A line of the prompt that begins with `MEOW:` is a directive; several such lines of one prompt are
 * read as one. Steps are separated by `;;` and run in order. After a step that calls a tool, the model
 * stops and waits for the vendor's result; the next request goes on with the next step. When all steps
 * are done, the model says so and the agent loop ends. The last prompt of the conversation decides.
 *
 * | step | what the model does |
 * |---|---|
 * | `text WORDS` | says WORDS; following `text` steps continue the same text without a space or newline |
 * | `think WORDS` | reasons WORDS |
 * | `break` | ends the content block, so that the next `text` or `think` begins a new one |
 * | `chunks N` | says N numbered lines, one chunk each: `line 0001 of N` |
 * | `bash COMMAND` | calls the shell tool |
 * | `read FILE` | calls the read tool |
 * | `write FILE\|CONTENT` | calls the write tool |
 * | `edit FILE\|OLD\|NEW` | calls the edit tool (some vendors want the file to be read first) |
 * | `call TOOL {JSON}` | calls the tool of exactly this name with exactly this input |
 * | `A &&& B` | calls the tools of A and B in one response |
 * | `summary` | says in short what the last tool results were |
 * | `gate NAME` | sends nothing more until the gate is released |
 * | `slow MS` | waits MS milliseconds between the chunks that follow |
 * | `size N` | cuts the texts that follow into chunks of N characters (`size 0`: into words again) |
 * | `error STATUS [xN] [after S] [MESSAGE]` | fails with STATUS: always, or with `xN` the first N times; `after` is the retry-after in seconds. Before any content it is an HTTP error, later an error in the stream |
 * | `cut [xN]` | drops the connection here: always, or the first N times |
 * | `usage IN OUT CACHE_READ CACHE_WRITE REASONING` | reports these token counts for this response; IN leaves out the cached tokens, missing counts are 0, a missing REASONING is counted |
 * | `stop length` / `stop refusal` | reports this reason for the end of this response |
 *
 * In `text`, `think`, `write` and `edit`, `\n` is a newline, `\t` a tab, `\\` a backslash and `\|` a bar.
 * `\;;` and `\&&&` stand for the separators themselves in every step. Spaces around a step do not count,
 * but `text` and `think` keep their own trailing space.
 *
 * @module model-server/directive
 */

import { isObject, parseJson } from './json.js'
import type { ErrorPart, Reply, ReplyPart, StopReason, ToolIntent } from './reply.js'

/** One step; see the table above. */
export type Step =
  | { type: 'part'; part: Exclude<ReplyPart, { type: 'tool' | 'error' | 'cut' }> }
  | { type: 'tools'; calls: ToolIntent[] }
  | { type: 'fail'; part: ErrorPart | { type: 'cut' }; times: number | null }
  | { type: 'usage'; usage: NonNullable<Reply['usage']> }
  | { type: 'stop'; stop: StopReason }
  | { type: 'summary' }

/** Steps, or what is wrong with the text in words that the typist understands. */
export type ParsedSteps = { steps: Step[] } | { problem: string }

const DIRECTIVE_LINE = /^[ \t]*(?:\[Image #\d+\][ \t]*)*MEOW:(.*)$/gm
const MAX_CHUNKS = 100_000

/** The directive in a prompt, or null if it has none. */
export function findDirective(prompt: string): string | null {
  const lines = [...prompt.matchAll(DIRECTIVE_LINE)].map((match) => (match[1] ?? '').trimStart())
  return lines.length === 0 ? null : lines.join(';;')
}

/** Splits at a separator that no backslash precedes, and takes that backslash away elsewhere. */
function split(text: string, separator: string): string[] {
  const parts: string[] = []
  let part = ''
  let at = 0
  while (at < text.length) {
    const escaped = text.startsWith(`\\${separator}`, at)
    if (!escaped && text.startsWith(separator, at)) {
      parts.push(part)
      part = ''
      at += separator.length
    } else {
      const taken = escaped ? separator : text.charAt(at)
      part += taken
      at += taken.length + (escaped ? 1 : 0)
    }
  }
  return [...parts, part]
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', '\\': '\\', '|': '|' }

function plainText(text: string): string {
  return text.replaceAll(/\\([nt\\|])/g, (whole, letter: string) => ESCAPES[letter] ?? whole)
}

/** Cuts at bars that no backslash precedes; the last field keeps further bars. */
function fields(text: string, count: number): string[] {
  const found: string[] = []
  let rest = text
  while (found.length < count - 1) {
    const bar = /(?<!\\)(?:\\\\)*\|/.exec(rest)
    if (bar === null) break
    const end = bar.index + bar[0].length
    found.push(rest.slice(0, end - 1))
    rest = rest.slice(end)
  }
  return [...found, rest].map(plainText)
}

class Problem extends Error {}

function wholeNumber(text: string, what: string, max = Number.MAX_SAFE_INTEGER): number {
  if (!/^\d+$/.test(text) || Number(text) > max) throw new Problem(`${what} wants a number, not '${text}'`)
  return Number(text)
}

function parseCall(word: string, rest: string): ToolIntent {
  const argument = rest.trim()
  if (argument === '') throw new Problem(`'${word}' wants an argument`)
  if (word === 'bash') return { tool: 'shell', command: argument }
  if (word === 'read') return { tool: 'read', path: argument }
  if (word === 'write') {
    const [path = '', content] = fields(argument, 2)
    if (content === undefined) throw new Problem('write wants FILE|CONTENT')
    return { tool: 'write', path: path.trim(), content }
  }
  if (word === 'edit') {
    const [path = '', old, replacement] = fields(argument, 3)
    if (old === undefined || replacement === undefined) throw new Problem('edit wants FILE|OLD|NEW')
    return { tool: 'edit', path: path.trim(), old, new: replacement }
  }
  const [name = ''] = argument.split(/\s/, 1)
  const json = argument.slice(name.length).trim()
  const input = json === '' ? {} : parseJson(json)
  if (!isObject(input)) throw new Problem(`call ${name} wants a JSON object`)
  return { tool: 'named', name, input }
}

function parseError(rest: string): Step {
  const match = /^(\d{3})(?:\s+x(\d+))?(?:\s+after\s+(\d+(?:\.\d+)?))?(?:\s+(.*))?$/s.exec(rest.trim())
  const status = Number(match?.[1] ?? 0)
  if (!match || status < 400 || status > 599) throw new Problem('error wants a status from 400 to 599')
  const [, , times, after, message] = match
  const error: ErrorPart = {
    type: 'error',
    status,
    ...(message ? { message } : {}),
    ...(after ? { retryAfterSeconds: Number(after) } : {}),
  }
  return { type: 'fail', part: error, times: times === undefined ? null : Number(times) }
}

function parseUsage(rest: string): Step {
  const numbers = rest
    .trim()
    .split(/\s+/)
    .map((word) => wholeNumber(word, 'usage'))
  const [input = 0, output = 0, cacheRead = 0, cacheWrite = 0] = numbers
  const reasoning = numbers[4]
  return {
    type: 'usage',
    usage: { input, output, cacheRead, cacheWrite, ...(reasoning === undefined ? {} : { reasoning }) },
  }
}

/** A text of numbered lines, each its own chunk. */
export function numberedLines(count: number): Extract<ReplyPart, { type: 'text' }> {
  const width = Math.max(4, String(count).length)
  const chunks = Array.from(
    { length: count },
    (_, index) => `line ${String(index + 1).padStart(width, '0')} of ${count}\n`,
  )
  return { type: 'text', text: chunks.join(''), chunks }
}

type Parser = (rest: string) => Step

const PARSERS: Record<string, Parser> = {
  text: (rest) => ({ type: 'part', part: { type: 'text', text: plainText(rest) } }),
  think: (rest) => ({ type: 'part', part: { type: 'reasoning', text: plainText(rest) } }),
  break: () => ({ type: 'part', part: { type: 'break' } }),
  chunks: (rest) => ({
    type: 'part',
    part: numberedLines(wholeNumber(rest.trim(), 'chunks', MAX_CHUNKS)),
  }),
  gate: (rest) => {
    if (!/^[\w.-]+$/.test(rest.trim())) throw new Problem('gate wants a name of letters, digits, . _ -')
    return { type: 'part', part: { type: 'gate', name: rest.trim() } }
  },
  slow: (rest) => ({
    type: 'part',
    part: { type: 'pace', delayMs: wholeNumber(rest.trim(), 'slow', 600_000) },
  }),
  size: (rest) => ({ type: 'part', part: { type: 'pace', chunkSize: wholeNumber(rest.trim(), 'size') } }),
  cut: (rest) => {
    const match = /^(?:x(\d+))?$/.exec(rest.trim())
    if (match === null) throw new Problem('cut wants nothing or xN')
    return { type: 'fail', part: { type: 'cut' }, times: match[1] === undefined ? null : Number(match[1]) }
  },
  error: parseError,
  usage: parseUsage,
  stop: (rest) => {
    const word = rest.trim()
    if (word !== 'length' && word !== 'refusal') throw new Problem('stop wants length or refusal')
    return { type: 'stop', stop: word }
  },
  summary: () => ({ type: 'summary' }),
}
const CALLS = ['bash', 'read', 'write', 'edit', 'call']

/** The word a step begins with, and the rest without the one space between. */
function head(step: string): { word: string; rest: string } {
  const match = /^\s*(\S+)\s?([\s\S]*)$/.exec(step)
  return { word: match?.[1] ?? '', rest: match?.[2] ?? '' }
}

function parseStep(step: string): Step {
  const first = head(step)
  if (CALLS.includes(first.word)) {
    const calls = split(step, '&&&').map((piece) => {
      const { word, rest } = head(piece)
      if (!CALLS.includes(word)) throw new Problem(`'${word}' is no tool call; &&& joins tool calls only`)
      return parseCall(word, rest)
    })
    return { type: 'tools', calls }
  }
  const parser = Object.hasOwn(PARSERS, first.word) ? PARSERS[first.word] : undefined
  if (parser) return parser(first.rest)
  const known = [...Object.keys(PARSERS), ...CALLS].join(', ')
  throw new Problem(`I do not know the step '${first.word}'. Steps: ${known}`)
}

/** Parses the part of a directive after `MEOW:`. */
export function parseSteps(text: string): ParsedSteps {
  try {
    const steps = split(text, ';;').filter((step) => step.trim() !== '')
    return { steps: steps.map(parseStep) }
  } catch (error) {
    if (error instanceof Problem) return { problem: error.message }
    throw error
  }
}
