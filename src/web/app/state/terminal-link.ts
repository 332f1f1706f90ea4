/** @module web/state/terminal-link - one live terminal: its snapshot, then exactly the bytes that follow it. */
import type { ClientFrame, ServerFrame } from '../../../protocol/stream.js'
import { feed, type TerminalPosition } from '../model/terminal-feed.js'

export interface TerminalListener {
  /** Start over with this screen. */
  snapshot(cols: number, rows: number, screen: string): void
  bytes(bytes: Uint8Array): void
  resize(cols: number, rows: number): void
}

type SnapshotFrame = Extract<ServerFrame, { type: 'terminal.snapshot' }>
type ResizeFrame = Extract<ServerFrame, { type: 'terminal.resize' }>

/** Longest input in one frame, in bytes; more goes in several. */
const INPUT_CHUNK = 30_000

export class TerminalLink {
  readonly #send: (frame: ClientFrame) => boolean
  #watched: { readonly sessionId: string; readonly listener: TerminalListener } | null = null
  #at: TerminalPosition | null = null

  constructor(send: (frame: ClientFrame) => boolean) {
    this.#send = send
  }

  /** Watches a session's terminal until the returned function is called. */
  watch(sessionId: string, listener: TerminalListener): () => void {
    const watched = { sessionId, listener }
    this.#watched = watched
    this.#subscribe()
    return () => {
      if (this.#watched !== watched) return
      this.#watched = null
      this.#at = null
      this.#send({ type: 'terminal.unsubscribe', sessionId })
    }
  }

  /** Keystrokes of a person, to the program. False when there is no connection. */
  input(sessionId: string, bytes: Uint8Array): boolean {
    for (let at = 0; at < bytes.length; at += INPUT_CHUNK) {
      const data = base64(bytes.subarray(at, at + INPUT_CHUNK))
      if (!this.#send({ type: 'terminal.input', sessionId, data })) return false
    }
    return true
  }

  connected(): void {
    this.#subscribe()
  }

  snapshot(frame: SnapshotFrame): void {
    if (frame.sessionId !== this.#watched?.sessionId) return
    this.#at = { channel: frame.channel, offset: frame.offset }
    this.#watched.listener.snapshot(frame.cols, frame.rows, frame.screen)
  }

  resized(frame: ResizeFrame): void {
    if (frame.sessionId !== this.#watched?.sessionId || frame.channel !== this.#at?.channel) return
    this.#watched.listener.resize(frame.cols, frame.rows)
  }

  bytes(frame: { channel: number; offset: number; bytes: Uint8Array }): void {
    if (this.#watched === null || this.#at === null) return
    const fed = feed(this.#at, frame)
    if (fed.kind === 'write') {
      this.#at = fed.at
      this.#watched.listener.bytes(fed.bytes)
    } else if (fed.kind === 'hole') {
      this.#subscribe()
    }
  }

  #subscribe(): void {
    this.#at = null
    if (this.#watched !== null) {
      this.#send({ type: 'terminal.subscribe', sessionId: this.#watched.sessionId })
    }
  }
}

function base64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}
