/** @module hub/log - the hub's own log: a private file with a cap. Never a token, an environment or a prompt. */
import * as fs from 'node:fs'
import { ensurePrivateFile } from '../journal/private-files.js'
import { type ErrorCode, MeowError } from '../protocol/errors.js'

export interface Log {
  line(text: string): void
  close(): void
}

const CAP_BYTES = 2 * 1024 * 1024

/** Appends to `file`; past the cap the file becomes `<file>.1` (the older one is dropped) and a new one begins. */
export function openLog(file: string, now: () => number, cap: number = CAP_BYTES): Log {
  ensurePrivateFile(file)
  let fd = fs.openSync(file, 'a', 0o600)
  let size = fs.fstatSync(fd).size
  let open = true
  return {
    line(text) {
      if (!open) return
      const bytes = Buffer.from(`${new Date(now()).toISOString()} ${text.replaceAll('\n', '\n  ')}\n`)
      try {
        if (size > 0 && size + bytes.length > cap) {
          fs.closeSync(fd)
          fs.renameSync(file, `${file}.1`)
          fd = fs.openSync(file, 'a', 0o600)
          size = 0
        }
        fs.writeSync(fd, bytes)
        size += bytes.length
      } catch {
        // A full disk must not end the sessions that the log is about.
      }
    },
    close() {
      if (open) fs.closeSync(fd)
      open = false
    },
  }
}

/** Their details hold what stood on a vendor's screen, which may be a prompt. */
const QUOTING: ReadonlySet<ErrorCode> = new Set([
  'vendor_start_failed',
  'delivery_failed',
  'draft_present',
  'blocked',
])

/**
 * An error for the log. The message of a foreign error may quote what was being read (JSON.parse does), so only
 * its name and the places in our code are kept; a {@link MeowError} says what happened in
 * words of ours, unless it quotes a screen.
 */
export function describeError(error: unknown): string {
  const wrapped = error instanceof MeowError && error.cause !== undefined
  if (error instanceof MeowError && (error.code !== 'internal' || !wrapped)) {
    return QUOTING.has(error.code) ? error.code : `${error.code}: ${error.detail}`
  }
  const cause = wrapped ? error.cause : error
  if (!(cause instanceof Error)) return 'internal'
  const frames = (cause.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '))
  const code = 'code' in cause && typeof cause.code === 'string' ? ` ${cause.code}` : ''
  return [`internal: ${cause.name}${code}`, ...frames.slice(0, 12)].join('\n')
}
