/** @module journal/sqlite-journal - the journal on SQLite: one commit a batch, dense `seq`, checked on the way back. */
import * as fs from 'node:fs'
import { dirname } from 'node:path'
import Database from 'better-sqlite3'
import { asMeowError, MeowError } from '../protocol/errors.js'
import type { DurableEvent } from '../protocol/events.js'
import type { SessionInfo } from '../protocol/session.js'
import type { Journal, UnplacedEvent } from './journal.js'
import { assertPrivateFile, ensurePrivateFile, ensurePrivateFolder } from './private-files.js'
import { type EventRow, eventOf, eventRow, type SessionRow, sessionOf } from './rows.js'
import { migrate } from './schema.js'

export interface JournalOptions {
  /**
   * Told of summaries that cannot be read when sessions are listed; they are then left out of the list.
   * Without it the list throws. One damaged row must not keep a person from every other session.
   */
  readonly onBadRow?: (error: MeowError) => void
}

const READ_LIMIT = 10_000
/** SQLite's own word for it. */
const NO_LIMIT = -1
const BUSY_MS = 5_000

/**
 * Opens (or makes) a journal; `':memory:'` keeps nothing.
 *
 * The file is made 0600 before SQLite sees it: SQLite gives its `-wal` and `-shm` files the mode of the main file.
 * Errors: `state_unwritable` when the place cannot be written, or the file is no journal of ours.
 */
export function openJournal(file: string, options: JournalOptions = {}): Journal {
  const inMemory = file === ':memory:'
  if (!inMemory) {
    ensurePrivateFolder(dirname(file))
    ensurePrivateFile(file)
    for (const side of [`${file}-wal`, `${file}-shm`]) if (fs.existsSync(side)) assertPrivateFile(side)
  }
  let db: Database.Database | undefined
  try {
    db = new Database(file, { timeout: BUSY_MS })
    db.pragma('journal_mode = WAL')
    db.pragma('synchronous = NORMAL')
    migrate(db)
    return new SqliteJournal(db, options)
  } catch (error) {
    db?.close()
    throw storageError(file, error)
  }
}

class SqliteJournal implements Journal {
  readonly #db: Database.Database
  readonly #options: JournalOptions
  readonly #insert: Database.Statement<EventRow>
  readonly #read: Database.Statement<[string, number, number], EventRow>
  readonly #save: Database.Statement<[string, string, number]>
  readonly #last: Database.Statement<[string], number>
  readonly #write: Database.Transaction<Journal['append']>

  constructor(db: Database.Database, options: JournalOptions) {
    this.#db = db
    this.#options = options
    this.#insert = db.prepare<EventRow>(
      `INSERT INTO events (session_id, seq, id, ts, type, source, body)
       VALUES (@session_id, @seq, @id, @ts, @type, @source, @body)`,
    )
    this.#read = db.prepare<[string, number, number], EventRow>(
      'SELECT * FROM events WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?',
    )
    this.#save = db.prepare<[string, string, number]>(
      `INSERT INTO sessions (id, info, created_at) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET info = excluded.info, created_at = excluded.created_at`,
    )
    this.#last = db
      .prepare<[string], number>('SELECT coalesce(max(seq), 0) FROM events WHERE session_id = ?')
      .pluck()
    const write: Journal['append'] = (sessionId, events, summary) => {
      let seq = this.#last.get(sessionId) ?? 0
      const all = events.map((event) => {
        seq += 1
        const row = eventRow(event, seq)
        // What is told live is what a later read gives: the row is read back before it is kept.
        const placed = eventOf(row)
        this.#insert.run(row)
        return placed
      })
      if (summary) this.#saveRow(summary(all))
      return all
    }
    this.#write = db.transaction(write)
  }

  append(...[sessionId, events, summary]: Parameters<Journal['append']>): DurableEvent[] {
    if (events.length === 0) return []
    const foreign = events.find((event) => event.sessionId !== sessionId)
    if (foreign !== undefined) {
      throw new MeowError('internal', `event ${foreign.id} is of another session than ${sessionId}`)
    }
    // A receipt that was told must survive a power cut: typing is not idempotent.
    const full = events.some(mustBeOnDisk)
    return this.#guard(() => {
      if (full) this.#db.pragma('synchronous = FULL')
      try {
        return this.#write.immediate(sessionId, events, summary)
      } finally {
        if (full) this.#db.pragma('synchronous = NORMAL')
      }
    })
  }

  read(sessionId: string, since: number, limit: number = READ_LIMIT): DurableEvent[] {
    return this.#guard(() => this.#read.all(sessionId, since, limit)).map(eventOf)
  }

  lastSeq(sessionId: string): number {
    return this.#guard(() => this.#last.get(sessionId) ?? 0)
  }

  saveSession(info: SessionInfo): void {
    this.#guard(() => this.#saveRow(info))
  }

  #saveRow(info: SessionInfo): void {
    this.#save.run(info.id, JSON.stringify(info), info.createdAt)
  }

  sessions(limit: number = NO_LIMIT): SessionInfo[] {
    const rows = this.#guard(() =>
      this.#db
        .prepare<[number], SessionRow>(
          'SELECT id, info FROM sessions ORDER BY created_at DESC, rowid DESC LIMIT ?',
        )
        .all(limit),
    )
    return rows.flatMap((row) => {
      try {
        return [sessionOf(row)]
      } catch (error) {
        if (this.#options.onBadRow === undefined) throw error
        this.#options.onBadRow(asMeowError(error))
        return []
      }
    })
  }

  session(id: string): SessionInfo | null {
    const row = this.#guard(() =>
      this.#db.prepare<[string], SessionRow>('SELECT id, info FROM sessions WHERE id = ?').get(id),
    )
    return row === undefined ? null : sessionOf(row)
  }

  close(): void {
    this.#db.close()
  }

  #guard<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      throw storageError(this.#db.name, error)
    }
  }
}

function mustBeOnDisk(event: UnplacedEvent): boolean {
  if (event.type === 'delivery') return true
  if (event.type !== 'item.started' && event.type !== 'item.completed') return false
  // What was only read on a screen is no receipt, and can be read again.
  return event.item.kind === 'user_message' && event.item.origin === 'bridge'
}

/** SQLite's own errors as ours; others pass through. */
function storageError(file: string, error: unknown): MeowError {
  if (!(error instanceof Database.SqliteError)) return asMeowError(error)
  if (error.code.startsWith('SQLITE_CONSTRAINT')) {
    return new MeowError('conflict', `the journal has an event with that id already (${error.code})`, {
      cause: error,
    })
  }
  const damaged = error.code === 'SQLITE_NOTADB' || error.code.startsWith('SQLITE_CORRUPT')
  return new MeowError('state_unwritable', `the journal cannot be used: ${file} (${error.code})`, {
    cause: error,
    retryable: error.code.startsWith('SQLITE_BUSY') || error.code === 'SQLITE_FULL',
    hint: damaged
      ? `The file is not a journal or is damaged: mv ${file} ${file}.damaged`
      : 'See that the disk has room and that the folder can be written.',
  })
}
