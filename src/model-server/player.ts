/**
 * Sends a prepared reply: chunk by chunk with its timing and gates, or at once when the client wants no
 * stream. Headers go out with the first content, so that an error before it is a plain HTTP error and a
 * gate before it is a model that has not begun to answer.
 *
 * @module model-server/player
 */

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { GateBoard } from './gates.js'
import type { PreparedPart, PreparedReply } from './prepare.js'
import type { ErrorPart } from './reply.js'
import type { Finished, LoggedRequest, RequestLog } from './request-log.js'
import { type AnswerHead, argumentText, type ContentBlock, type StreamEncoder, type Wire } from './wire.js'

/** Timing of chunks; `chunkSize` 0 cuts at words. */
export interface Pace {
  delayMs: number
  chunkSize: number
}

/** What the player works with. */
export interface PlayOptions {
  wire: Wire
  head: AnswerHead
  reply: PreparedReply
  response: ServerResponse
  gates: GateBoard
  pace: Pace
  /** Aborts with 'client_closed' or 'server_closed' as its reason. */
  signal: AbortSignal
  record: LoggedRequest
  log: RequestLog
  now: () => number
}

/** Cuts a text: at words, or into pieces of so many characters (never inside one). */
export function cutText(text: string, chunkSize: number): string[] {
  if (chunkSize === 0) return text.match(/\s*\S+\s*|\s+/gu) ?? []
  const characters = Array.from(text)
  const pieces: string[] = []
  for (let at = 0; at < characters.length; at += chunkSize) {
    pieces.push(characters.slice(at, at + chunkSize).join(''))
  }
  return pieces
}

function piecesOf(block: ContentBlock, part: PreparedPart, chunkSize: number, wire: Wire): string[] {
  if (part.type === 'text' && part.chunks && part.chunks.join('') === part.text) return part.chunks
  if (block.type === 'tool') return cutText(argumentText(block.call), chunkSize || 24)
  if (block.type === 'reasoning' && wire.wholeThoughts) return block.text === '' ? [] : [block.text]
  return cutText(block.text, chunkSize)
}

/** Status, headers and body of an error. */
export function sendError(response: ServerResponse, wire: Wire, error: ErrorPart, requestId: string): void {
  const retryAfter = error.retryAfterSeconds ?? (error.status === 429 ? 1 : null)
  response.writeHead(error.status, {
    'content-type': 'application/json',
    'request-id': requestId,
    ...(retryAfter === null ? {} : { 'retry-after': String(retryAfter) }),
  })
  response.end(JSON.stringify(wire.errorBody(error, requestId)))
}

class Player {
  private readonly encoder: StreamEncoder
  private readonly blocks: ContentBlock[] = []
  private open: ContentBlock | null = null
  private started = false
  private pace: Pace

  constructor(private readonly options: PlayOptions) {
    this.encoder = options.wire.stream(options.head)
    this.pace = options.pace
  }

  async run(): Promise<Finished> {
    for (const part of this.options.reply.parts) {
      if (part.type === 'gate') await this.options.gates.gate(part.name).pass(this.options.signal)
      else if (part.type === 'pace') {
        this.pace = {
          delayMs: part.delayMs ?? this.pace.delayMs,
          chunkSize: part.chunkSize ?? this.pace.chunkSize,
        }
      } else if (part.type === 'break') await this.closeBlock()
      else if (part.type === 'cut') return this.cut()
      else if (part.type === 'error') return await this.fail(part)
      else await this.content(part)
    }
    await this.closeBlock()
    return await this.finish()
  }

  private get streaming(): boolean {
    return this.options.head.request.stream
  }

  private async start(): Promise<void> {
    if (this.started) return
    this.started = true
    if (!this.streaming) return
    const { response, record, head } = this.options
    record.response.status = 200
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'request-id': head.id,
    })
    response.flushHeaders()
    await this.write(this.encoder.open())
  }

  private async content(part: Exclude<PreparedPart, { type: 'gate' | 'pace' | 'break' | 'cut' | 'error' }>) {
    const block: ContentBlock =
      part.type === 'tool' ? { type: 'tool', call: part.call } : { type: part.type, text: part.text }
    await this.start()
    const continues = this.open !== null && this.open.type === block.type && block.type !== 'tool'
    if (!continues) await this.openBlock(block)
    for (const piece of piecesOf(block, part, this.pace.chunkSize, this.options.wire)) await this.chunk(piece)
    if (block.type === 'tool') this.options.record.response.toolCalls.push(block.call)
  }

  private async openBlock(block: ContentBlock): Promise<void> {
    await this.closeBlock()
    this.open = block.type === 'tool' ? block : { ...block, text: '' }
    this.blocks.push(this.open)
    await this.write(this.encoder.begin(block))
  }

  private async closeBlock(): Promise<void> {
    if (this.open === null) return
    this.open = null
    await this.write(this.encoder.end())
  }

  private async chunk(piece: string): Promise<void> {
    const { response } = this.options.record
    if (response.chunksSent > 0) await this.pause()
    await this.write(this.encoder.delta(piece))
    if (this.open?.type === 'text' || this.open?.type === 'reasoning') {
      this.open.text += piece
      response[this.open.type] += piece
    }
    response.chunksSent += 1
    if (response.firstChunkAt === null) {
      response.firstChunkAt = this.options.now()
      this.options.log.changed(this.options.record)
    }
  }

  private async pause(): Promise<void> {
    const { signal } = this.options
    // Even without a delay the loop turns once a chunk, so that a client that left is noticed.
    if (this.pace.delayMs === 0 || !this.streaming) await setImmediate()
    else await setTimeout(this.pace.delayMs, undefined, { signal })
    signal.throwIfAborted()
  }

  private async write(text: string): Promise<void> {
    const { response, signal } = this.options
    signal.throwIfAborted()
    if (text === '' || !this.streaming) return
    if (!response.write(text)) await once(response, 'drain', { signal })
  }

  private cut(): Finished {
    const { response } = this.options
    const socket = response.socket
    // Lets what was written reach the client, then ends the connection without ending the answer.
    if (response.headersSent && socket) socket.destroySoon()
    else response.destroy()
    return 'cut'
  }

  private async fail(error: ErrorPart): Promise<Finished> {
    const { response, record, wire, head } = this.options
    if (this.started && this.streaming) {
      await this.write(this.encoder.error(error))
      response.end()
    } else {
      record.response.status = error.status
      sendError(response, wire, error, head.id)
    }
    return 'error'
  }

  private async finish(): Promise<Finished> {
    const { response, record, wire, head, reply } = this.options
    await this.start()
    record.response.usage = reply.usage
    if (this.streaming) {
      await this.write(this.encoder.close(reply.stop))
      response.end()
    } else {
      record.response.status = 200
      response.writeHead(200, { 'content-type': 'application/json', 'request-id': head.id })
      response.end(JSON.stringify(wire.json(head, this.blocks, reply.stop)))
    }
    return 'completed'
  }
}

/** Sends the reply; the answer's end is in the log when this resolves. */
export async function play(options: PlayOptions): Promise<void> {
  let finished: Finished
  try {
    finished = await new Player(options).run()
  } catch (error) {
    if (!options.signal.aborted) throw error
    finished = options.signal.reason === 'server_closed' ? 'server_closed' : 'client_closed'
    options.response.destroy()
  }
  options.log.end(options.record, finished)
}
