/**
 * @module hub/lock - one hub a home.
 *
 * The lock is SQLite's own exclusive lock on an empty file: the kernel holds it for the process and lets go of it
 * when the process ends, however it ends. A pid in a file would need a guess about who has that pid today.
 */
import Database from 'better-sqlite3'
import { ensurePrivateFile } from '../journal/private-files.js'
import type { Disposable } from '../session/handle.js'

/** A reader that looks whether the lock is held has it for an instant; the taker waits that long. */
const TAKE_MS = 1_000

/** Takes the lock, or answers null when another process has it. */
export function takeLock(file: string): Disposable | null {
  ensurePrivateFile(file)
  const db = new Database(file, { timeout: TAKE_MS })
  try {
    // Nothing is ever written, so no journal file appears beside it.
    db.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (isBusy(error)) return null
    throw error
  }
  return { dispose: () => void db.close() }
}

/** Whether a process holds the lock at this moment. */
export function isLocked(file: string): boolean {
  let db: Database.Database
  try {
    db = new Database(file, { fileMustExist: true, readonly: true, timeout: 0 })
  } catch {
    return false
  }
  try {
    db.prepare('SELECT count(*) FROM sqlite_master').get()
    return false
  } catch (error) {
    return isBusy(error)
  } finally {
    db.close()
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')
}
