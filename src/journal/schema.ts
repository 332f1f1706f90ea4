/** @module journal/schema - the tables of the journal and the road from older ones. */
import type Database from 'better-sqlite3'
import { MeowError } from '../protocol/errors.js'

/** Each entry lifts the file by one version; entries are never changed once released, only added. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE events (
     session_id TEXT NOT NULL,
     seq INTEGER NOT NULL,
     id TEXT NOT NULL,
     ts INTEGER NOT NULL,
     type TEXT NOT NULL,
     source TEXT NOT NULL,
     body TEXT NOT NULL,
     PRIMARY KEY (session_id, seq),
     UNIQUE (session_id, id)
   );
   CREATE TABLE sessions (
     id TEXT PRIMARY KEY,
     info TEXT NOT NULL,
     created_at INTEGER NOT NULL
   );`,
]

/** The version that this program writes. */
export const SCHEMA_VERSION = MIGRATIONS.length

/** Brings the file to {@link SCHEMA_VERSION}; a file of a newer program is refused, never rewritten. */
export function migrate(db: Database.Database): void {
  db.transaction(() => {
    db.exec('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)')
    const found = db.prepare<[], number>('SELECT version FROM schema_version').pluck().get() ?? 0
    if (found > SCHEMA_VERSION) {
      throw new MeowError(
        'state_unwritable',
        `the journal has version ${found}, this program knows up to ${SCHEMA_VERSION}`,
        { hint: 'Install the newer agent-meow again, or move the journal away.' },
      )
    }
    if (found === SCHEMA_VERSION) return
    for (const step of MIGRATIONS.slice(found)) db.exec(step)
    db.exec('DELETE FROM schema_version')
    db.prepare('INSERT INTO schema_version (version) VALUES (?)').run(SCHEMA_VERSION)
  }).immediate()
}
