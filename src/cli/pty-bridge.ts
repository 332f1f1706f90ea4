/** @module cli/pty-bridge - puts the person's terminal on a session that has no tmux: bytes over the hub's stream. */
import { MeowError } from '../protocol/errors.js'
import type { SessionInfo } from '../protocol/session.js'
import { splitInput, TERMINAL_ENTER, TERMINAL_RESET } from './detach-key.js'
import { streamError } from './follow-session.js'
import type { Hub } from './hub-access.js'
import type { Tty } from './shell.js'

/** Longest piece of input in one frame: its base64 stays below the protocol's limit. */
const INPUT_PIECE = 48 * 1024

/** Bridges until the session ends or the person detaches; the terminal is as before afterwards. */
export async function bridgePty(
  hub: Hub,
  session: SessionInfo,
  tty: Tty,
  signal: AbortSignal,
): Promise<void> {
  const leave = new AbortController()
  const stream = await hub.stream({ signal: AbortSignal.any([signal, leave.signal]) })
  const { id: sessionId, lastSeq } = session
  tty.write(TERMINAL_ENTER)
  try {
    tty.onInput((bytes) => {
      const { forward, detach } = splitInput(bytes)
      for (let at = 0; at < forward.length; at += INPUT_PIECE) {
        const data = Buffer.from(forward.subarray(at, at + INPUT_PIECE)).toString('base64')
        stream.send({ type: 'terminal.input', sessionId, data })
      }
      if (detach) leave.abort()
    })
    // A size that the hub refuses (too small, the session just ended) leaves the old one; the bridge goes on.
    tty.onResize((size) => void hub.resize(sessionId, size).catch(() => {}))
    stream.send({ type: 'terminal.subscribe', sessionId })
    stream.send({ type: 'session.subscribe', sessionId, since: lastSeq })
    let channel: number | null = null
    let next = 0
    for await (const frame of stream) {
      if (signal.aborted || leave.signal.aborted) return
      if (frame.type === 'error') throw streamError(frame.error)
      if (frame.type === 'terminal.snapshot') {
        channel = frame.channel
        next = frame.offset
        tty.write(`\u001b[2J\u001b[H${frame.screen}`)
      } else if (frame.type === 'terminal.data' && frame.channel === channel) {
        // Bytes that the snapshot already shows are not shown twice.
        const fresh = frame.bytes.subarray(Math.max(0, next - frame.offset))
        next = Math.max(next, frame.offset + frame.bytes.length)
        if (fresh.length > 0) tty.write(fresh)
      } else if (frame.type === 'events' || frame.type === 'session.snapshot') {
        if (frame.events.some((event) => event.type === 'session.ended')) return
      }
    }
    if (signal.aborted || leave.signal.aborted) return
    throw new MeowError('hub_unreachable', 'the hub closed the stream')
  } finally {
    stream.close()
    tty.write(TERMINAL_RESET)
    tty.close()
  }
}
