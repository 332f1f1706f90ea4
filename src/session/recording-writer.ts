/** @module session/recording-writer - the two files of one recording, from its header to its end. */
import { rmSync } from 'node:fs'
import type { Observation } from '../adapter/index.js'
import type { RecordingInfo } from '../protocol/session.js'
import {
  CAPPED,
  type CastEvent,
  type CastEventKind,
  CastLines,
  type NewCastHeader,
  type Redactions,
  Redactor,
  redactText,
  redactValue,
  type Secrets,
  Utf8Text,
} from '../terminal/index.js'
import { LineFile } from './line-file.js'

export type EndState = Exclude<RecordingInfo['state'], 'recording' | 'lost'>

export interface WriterParts {
  readonly info: RecordingInfo
  readonly header: NewCastHeader
  readonly secrets: Secrets
  readonly maxBytes: number
  /** Milliseconds since the start. */
  readonly clock: () => number
  readonly onFault: (error: unknown) => void
}

interface Fact {
  readonly at: number
  readonly observation: Observation
}

/** Room that the last lines always have, beside what the names of the rules take there twice, in bytes. */
const LAST_LINES = 2048
/** A rule's name in the last line has quotes, a colon, a comma and a number. */
const A_COUNT = 16

/** Methods never throw and never wait: what goes wrong ends the recording, and `closed` tells how. */
export class RecordingWriter {
  /** Resolves when both files are closed. */
  readonly closed: Promise<{ state: EndState; detail: string | null }>
  readonly #parts: WriterParts
  readonly #cast: LineFile
  readonly #side: LineFile
  readonly #lines = new CastLines()
  readonly #utf8 = new Utf8Text()
  readonly #events: Redactor<CastEvent>
  readonly #facts: Redactor<Fact>
  /** How often each rule replaced something in text that is told whole: markers, and facts of the side channels. */
  readonly #inMarkers: Record<string, number> = {}
  readonly #inFacts: Record<string, number> = {}
  readonly #lastLines: number
  #end: { state: EndState; detail: string | null } | null = null
  #faulted = false
  #close: (end: { state: EndState; detail: string | null }) => void = () => undefined

  private constructor(parts: WriterParts) {
    this.#parts = parts
    this.#lastLines =
      LAST_LINES + 2 * parts.secrets.rules.reduce((sum, rule) => sum + Buffer.byteLength(rule) + A_COUNT, 0)
    const fault = (error: unknown): void => this.#failed(error)
    this.#cast = LineFile.create(parts.info.file, fault)
    try {
      this.#side = LineFile.create(parts.info.sideFile, fault)
    } catch (error) {
      rmSync(parts.info.file, { force: true })
      throw error
    }
    this.#events = new Redactor(parts.secrets, (event, text) =>
      this.#write(this.#cast, () => this.#lines.event({ ...event, data: text ?? event.data })),
    )
    this.#facts = new Redactor(parts.secrets, ({ at, observation }, delta) => {
      // A delta is a piece of a longer text: it was redacted as that, and counted there.
      const bare = delta === null ? observation : { ...observation, delta: '' }
      const told = redactValue(parts.secrets, bare, this.#inFacts) as object
      const whole = { at, observation: delta === null ? told : { ...told, delta } }
      this.#write(this.#side, () => `${JSON.stringify(whole)}\n`)
    })
    this.closed = new Promise((resolve) => {
      this.#close = resolve
    })
    this.#cast.write(this.#lines.header(parts.header))
  }

  /** Makes the files; see {@link LineFile.create} for the errors. */
  static create(parts: WriterParts): RecordingWriter {
    return new RecordingWriter(parts)
  }

  get bytes(): number {
    return this.#cast.bytes + this.#side.bytes
  }

  output(bytes: Uint8Array): void {
    this.#guarded(() => this.#text('o', this.#utf8.take(bytes)))
  }

  input(data: string | Uint8Array): void {
    // A person's raw input comes in whole characters; what does not becomes U+FFFD, as it would on any screen.
    const text = typeof data === 'string' ? data : Buffer.from(data).toString('utf8')
    this.#guarded(() => this.#text('i', text))
  }

  /** An event whose text is told whole: a size, a marker, an exit. */
  event(kind: Exclude<CastEventKind, 'o' | 'i'>, data: string): void {
    this.#guarded(() => {
      const text = redactText(this.#parts.secrets, data, this.#inMarkers)
      this.#events.push({ at: this.#parts.clock(), kind, data: text }, kind, null)
    })
  }

  observed(observation: Observation): void {
    this.#guarded(() => {
      const fact = { at: this.#parts.clock(), observation }
      if (observation.type === 'text.delta') {
        this.#facts.push(fact, `${observation.kind} ${observation.key}`, observation.delta)
        return
      }
      if (observation.type === 'text.completed') this.#facts.end(`${observation.kind} ${observation.key}`)
      if (observation.type === 'turn.ended') this.#facts.endAll()
      this.#facts.push(fact, '', null)
    })
  }

  /** No more comes; the first call says how it ended. */
  finish(state: EndState, detail: string | null): void {
    if (this.#end !== null) return
    this.#guarded(() => {
      const rest = this.#utf8.end()
      if (rest !== '') this.#text('o', rest)
      this.#events.endAll()
      this.#facts.endAll()
    })
    // It may have come to its end in there.
    if (this.#end !== null) return
    this.#cast.write(this.#lines.comment(this.#summary(state)))
    this.#ended(state, detail)
  }

  #summary(ended: EndState) {
    return {
      ended,
      replaced: sum(this.#events.counts, this.#inMarkers),
      side: sum(this.#facts.counts, this.#inFacts),
      invalidUtf8: this.#utf8.replaced,
    }
  }

  #text(kind: 'o' | 'i', data: string): void {
    if (data !== '') this.#events.push({ at: this.#parts.clock(), kind, data }, kind, data)
  }

  #write(file: LineFile, make: () => string): void {
    if (this.#end !== null) return
    const line = make()
    const room = this.#parts.maxBytes - this.#lastLines - this.bytes
    if (Buffer.byteLength(line) <= room) {
      file.write(line)
      return
    }
    const at = this.#parts.clock()
    const why = `it reached its greatest size of ${this.#parts.maxBytes} bytes`
    this.#cast.write(this.#lines.event({ at, kind: 'm', data: `${CAPPED}: ${why}` }))
    this.#cast.write(this.#lines.comment(this.#summary('capped')))
    this.#ended('capped', why)
  }

  #ended(state: EndState, detail: string | null): void {
    this.#end = { state, detail }
    void Promise.all([this.#cast.close(), this.#side.close()]).then(() =>
      this.#close(this.#end ?? { state, detail }),
    )
  }

  #failed(error: unknown): void {
    const closing = this.#end !== null
    const end = { state: 'failed', detail: 'it could not be written to its end' } as const
    if (closing) this.#end = end
    else this.#ended(end.state, end.detail)
    // A full disk fails both files: it is told once.
    if (this.#faulted) return
    this.#faulted = true
    this.#parts.onFault(error)
  }

  #guarded(work: () => void): void {
    if (this.#end !== null) return
    try {
      work()
    } catch (error) {
      this.#failed(error)
    }
  }
}

function sum(one: Redactions, other: Redactions): Redactions {
  const all: Record<string, number> = { ...one }
  for (const [rule, count] of Object.entries(other)) all[rule] = (all[rule] ?? 0) + count
  return all
}
