/**
 * @module session/recording - the recorder of one session: terminal, input, sizes and markers on one clock, and the side
 * channels' facts beside them. Nothing here may disturb the session: a recording that fails ends, and is told.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import type { Observation } from '../adapter/index.js'
import { ensurePrivateFolder } from '../journal/private-files.js'
import type { RecordOptions } from '../protocol/commands.js'
import { MeowError } from '../protocol/errors.js'
import type { MeowEvent } from '../protocol/events.js'
import type { RecordingInfo } from '../protocol/session.js'
import {
  checkTmux,
  type NewCastHeader,
  openTail,
  redactText,
  type Secrets,
  type TerminalExit,
} from '../terminal/index.js'
import { faultName } from './fault-name.js'
import type { Recorder } from './handle.js'
import { forgetRecording, newRecording, saveRecording } from './recording-catalog.js'
import { checkRecording } from './recording-check.js'
import { markerOf } from './recording-markers.js'
import { type EndState, RecordingWriter } from './recording-writer.js'

/** What a recording may take on disk unless told, in bytes. */
const MAX_BYTES = 100 * 1024 * 1024
/** So far back the beginning of an open escape sequence is looked for, in bytes. */
const LOOK_BACK = 4096

export interface RecorderParts {
  readonly sessionId: string
  /** The session's folder, and the state home that lists all recordings. */
  readonly sessionDir: string
  readonly home: string
  readonly vendor: { readonly id: string; readonly version: string | null }
  readonly backend: 'tmux' | 'pty'
  readonly size: { readonly cols: number; readonly rows: number }
  /** The kind of terminal that the program sees on a bare pty. */
  readonly term: string | undefined
  readonly command: string
  readonly title: string
  readonly secrets: Secrets
  /** The terminal's raw bytes from 0. */
  readonly rawFile: string
  /** Milliseconds. */
  readonly now: () => number
  readonly log: (line: string) => void
}

/** What a running session lends its recorder. */
export interface RecorderSource {
  snapshot(): { cols: number; rows: number; offset: number; screen: string }
  gap(what: string, detail: string): void
}

interface Running {
  info: RecordingInfo
  readonly writer: RecordingWriter
  /** Settles when the files are closed and looked through. */
  readonly finished: Promise<RecordingInfo>
}

export class SessionRecorder implements Recorder {
  #running: Running | null = null
  #starting = false
  #source: RecorderSource | null = null
  #ended = false

  constructor(private readonly parts: RecorderParts) {}

  /** The session has its terminal: from now on a recording can begin in the middle. */
  attach(source: RecorderSource): void {
    this.#source = source
  }

  current(): RecordingInfo | null {
    const running = this.#running
    return running && { ...running.info, bytes: running.writer.bytes }
  }

  async start(options: RecordOptions = {}): Promise<RecordingInfo> {
    if (this.#running !== null || this.#starting) {
      throw new MeowError('conflict', `session ${this.parts.sessionId} is being recorded already`, {
        hint: `end that one first: agent-meow record stop ${this.parts.sessionId}`,
      })
    }
    this.#starting = true
    try {
      const tmux = this.parts.backend === 'tmux' ? await checkTmux('tmux').catch(() => null) : null
      return this.#begin(options, tmux)
    } finally {
      this.#starting = false
    }
  }

  async stop(): Promise<RecordingInfo> {
    const running = this.#running
    if (running === null) {
      throw new MeowError('conflict', `session ${this.parts.sessionId} is not being recorded`, {
        hint: `begin with: agent-meow record start ${this.parts.sessionId}`,
      })
    }
    running.writer.finish('stopped', null)
    return await running.finished
  }

  output(bytes: Uint8Array): void {
    this.#running?.writer.output(bytes)
  }

  /** What the bridge types: text, a paste, keys as their bytes. */
  input(data: string | Uint8Array): void {
    this.#running?.writer.input(data)
  }

  resized({ cols, rows }: { cols: number; rows: number }): void {
    this.#running?.writer.event('r', `${cols}x${rows}`)
  }

  observed(observation: Observation): void {
    this.#running?.writer.observed(observation)
  }

  /** Turns, states, receipts and gaps become markers. */
  told(events: readonly MeowEvent[]): void {
    if (this.#running === null) return
    for (const event of events) {
      const label = markerOf(event)
      if (label !== null) this.#running?.writer.event('m', label)
    }
  }

  /** The program has ended: its exit is the last event. Resolves when the files are whole. */
  async close(exit: TerminalExit | null): Promise<void> {
    this.#ended = true
    const running = this.#running
    if (running === null) return
    const status = exit === null ? null : exitStatus(exit)
    if (status !== null) running.writer.event('x', String(status))
    running.writer.finish('ended', null)
    await running.writer.closed
  }

  /** Synchronous: no byte comes between the screen and what follows it. */
  #begin(options: RecordOptions, tmux: string | null): RecordingInfo {
    const { parts } = this
    if (this.#ended) throw new MeowError('conflict', `session ${parts.sessionId} has ended`)
    if (options.file !== undefined && !options.file.endsWith('.cast')) {
      throw new MeowError('invalid_argument', `a recording's file ends in .cast: ${options.file}`, {
        hint: 'name it something.cast',
      })
    }
    const shot = this.#source?.snapshot() ?? null
    const { cols, rows } = shot ?? parts.size
    const startedAt = parts.now()
    const fromStart = shot === null
    const folder = join(parts.home, 'recordings')
    ensurePrivateFolder(folder)
    const info = newRecording(folder, parts.sessionId, (name) => {
      const file = options.file ?? join(parts.sessionDir, `${name}.cast`)
      return {
        name,
        sessionId: parts.sessionId,
        vendor: parts.vendor.id,
        vendorVersion: parts.vendor.version,
        file,
        sideFile: file.replace(/\.cast$/, '.side.jsonl'),
        bytes: 0,
        startedAt,
        endedAt: null,
        state: 'recording',
        check: 'unchecked',
        detail: null,
      }
    })
    const term = parts.backend === 'tmux' ? 'tmux-256color' : parts.term
    const header: NewCastHeader = {
      cols,
      rows,
      ...(term === undefined ? {} : { term }),
      timestamp: startedAt / 1000,
      command: redactText(parts.secrets, parts.command),
      title: redactText(parts.secrets, parts.title),
      vendor: parts.vendor,
      backend: parts.backend,
      tmux,
      fromStart,
      redacted: parts.secrets.rules,
    }
    let writer: RecordingWriter
    try {
      writer = RecordingWriter.create({
        info,
        header,
        secrets: parts.secrets,
        maxBytes: options.maxBytes ?? MAX_BYTES,
        clock: () => parts.now() - startedAt,
        onFault: (error) => this.#fault(info.name, error),
      })
    } catch (error) {
      forgetRecording(folder, info.name)
      throw error
    }
    if (shot !== null) {
      writer.output(Buffer.from(shot.screen))
      writer.output(openBytes(parts.rawFile, shot.offset))
    }
    const finished = writer.closed.then((end) => this.#finish(end))
    this.#running = { info, writer, finished }
    // Told by `stop`, where somebody waits.
    finished.catch(() => undefined)
    return info
  }

  #fault(name: string, error: unknown): void {
    const detail = `recording ${name} could not be written: ${faultName(error)}`
    this.parts.log(`session ${this.parts.sessionId}: ${detail}`)
    this.#source?.gap('recording', detail)
  }

  /** The files are closed: the list says so at once, and again when they were looked through. */
  async #finish(end: { state: EndState; detail: string | null }): Promise<RecordingInfo> {
    const running = this.#running
    if (running === null) throw new MeowError('internal', 'a recording ended twice')
    this.#running = null
    const { parts } = this
    const folder = join(parts.home, 'recordings')
    let info: RecordingInfo = { ...running.info, ...end, bytes: running.writer.bytes, endedAt: parts.now() }
    try {
      saveRecording(folder, info)
      if (end.state !== 'failed') {
        const { check, detail } = await checkRecording(info.file, parts.secrets)
        info = {
          ...info,
          check,
          detail: [end.detail, detail].filter((text) => text !== null).join('; ') || null,
        }
        saveRecording(folder, info)
      }
    } catch (error) {
      const detail = `it could not be looked through: ${faultName(error)}`
      parts.log(`session ${parts.sessionId}: recording ${info.name}: ${detail}`)
      info = { ...info, detail }
    }
    return info
  }
}

/** The beginning of what the program has half told: a screen knows it, its picture does not show it. */
function openBytes(rawFile: string, offset: number): Uint8Array {
  const from = Math.max(0, offset - LOOK_BACK)
  const buffer = Buffer.alloc(offset - from)
  const fd = openSync(rawFile, 'r')
  try {
    const bytes = buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, from))
    return bytes.subarray(openTail(bytes))
  } finally {
    closeSync(fd)
  }
}

/** As shells tell it; null when nobody knows. */
function exitStatus({ code, signal }: TerminalExit): number | null {
  if (code !== null) return code
  const number = signal === null ? undefined : constants.signals[signal as NodeJS.Signals]
  return number === undefined ? null : 128 + number
}
