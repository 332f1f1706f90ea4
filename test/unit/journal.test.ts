/** @module test/unit/journal.test - the journal on SQLite: dense, once each, private, and honest about damage. */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Journal, UnplacedEvent } from '../../src/journal/journal.js'
import { openJournal } from '../../src/journal/sqlite-journal.js'
import { CreateSession } from '../../src/protocol/commands.js'
import { MeowError } from '../../src/protocol/errors.js'
import type { DurableEvent } from '../../src/protocol/events.js'
import { startingInfo } from '../../src/session/starting.js'

let folder: string
let file: string
const open: Journal[] = []
const journal = (path = file): Journal => {
  const made = openJournal(path)
  open.push(made)
  return made
}

beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'meow-journal-'))
  file = join(folder, 'state', 'journal.db')
})
afterEach(() => {
  for (const made of open.splice(0)) made.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

let n = 0
function notice(sessionId: string, text: string): UnplacedEvent {
  n += 1
  const envelope = { v: 1, sessionId, id: `e_${n}`, ts: n, source: 'screen' } as const
  return {
    ...envelope,
    type: 'item.completed',
    itemId: 'i',
    turnId: null,
    item: { kind: 'notice', level: 'info', text },
  }
}

function receipt(sessionId: string): UnplacedEvent {
  n += 1
  return {
    v: 1,
    sessionId,
    id: `e_${n}`,
    ts: n,
    source: 'bridge',
    type: 'delivery',
    messageId: 'm',
    state: 'typed',
    reason: null,
  }
}

function caught(work: () => unknown): MeowError {
  try {
    work()
  } catch (error) {
    if (error instanceof MeowError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

const info = (id: string, createdAt: number) =>
  startingInfo(id, CreateSession.parse({ vendor: 'x', cwd: '/' }), createdAt)

describe('events', () => {
  it('have a dense seq per session, each once and in order, whatever the batches and across reopening', () => {
    // A step: a batch for one of three sessions, or closing and opening the file again.
    const step = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          to: fc.constantFrom('a', 'b', 'c'),
          texts: fc.array(fc.string({ unit: 'binary' }), { maxLength: 6 }),
        }),
      },
      { weight: 1, arbitrary: fc.constant('reopen' as const) },
    )
    let run = 0
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.integer({ min: 1, max: 5 }), (steps, page) => {
        run += 1
        const path = join(folder, `run${run}`, 'journal.db')
        let current = openJournal(path)
        const told = new Map<string, DurableEvent[]>([
          ['a', []],
          ['b', []],
          ['c', []],
        ])
        try {
          for (const s of steps) {
            if (s === 'reopen') {
              current.close()
              current = openJournal(path)
            } else {
              const batch = s.texts.map((text, i) => (i % 3 === 2 ? receipt(s.to) : notice(s.to, text)))
              told.get(s.to)?.push(...current.append(s.to, batch))
            }
          }
          for (const [id, events] of told) {
            expect(events.map((event) => event.seq)).toEqual(events.map((_, i) => i + 1))
            expect(current.read(id, 0)).toEqual(events)
            expect(current.lastSeq(id)).toBe(events.length)
            const paged: DurableEvent[] = []
            for (
              let more = current.read(id, 0, page);
              more.length > 0;
              more = current.read(id, paged.length, page)
            ) {
              paged.push(...more)
            }
            expect(paged).toEqual(events)
          }
        } finally {
          current.close()
        }
      }),
      { numRuns: 40 },
    )
  })

  it('are all kept or none: a repeated id undoes its batch', () => {
    const j = journal()
    const first = notice('s', 'one')
    j.append('s', [first])
    expect(caught(() => j.append('s', [notice('s', 'two'), first])).code).toBe('conflict')
    expect(j.read('s', 0)).toHaveLength(1)
    expect(j.append('s', [notice('s', 'three')])[0]?.seq).toBe(2)
    // The id of another session's event is free.
    expect(j.append('t', [{ ...first, sessionId: 't' }])[0]?.seq).toBe(1)
  })

  it('that could not be read back are refused, with the batch', () => {
    const j = journal()
    const bad = notice('s', 'x')
    const broken = { ...bad, item: { kind: 'notice', text: 7 } } as unknown as UnplacedEvent
    expect(caught(() => j.append('s', [notice('s', 'ok'), broken])).detail).toContain('events(s, 2)')
    expect(j.lastSeq('s')).toBe(0)
    expect(caught(() => j.append('other', [bad])).code).toBe('internal')
  })

  it('are on the disk in full when they tell of a delivery', () => {
    const j = journal()
    const spied: string[] = []
    const pragma = Database.prototype.pragma
    Database.prototype.pragma = function (this: Database.Database, source: string, ...rest: []) {
      spied.push(source)
      return pragma.call(this, source, ...rest)
    }
    try {
      j.append('s', [notice('s', 'quick')])
      expect(spied).toEqual([])
      j.append('s', [notice('s', 'a'), receipt('s')])
      expect(spied).toEqual(['synchronous = FULL', 'synchronous = NORMAL'])
      expect(() =>
        j.append('s', [
          { ...receipt('s'), id: 'same' },
          { ...receipt('s'), id: 'same' },
        ]),
      ).toThrow()
      expect(spied.at(-1)).toBe('synchronous = NORMAL')
    } finally {
      Database.prototype.pragma = pragma
    }
  })
})

describe('sessions', () => {
  it('are replaced by id and listed newest first', () => {
    const j = journal()
    j.saveSession(info('old', 1))
    j.saveSession(info('new', 2))
    j.saveSession({ ...info('old', 1), name: 'renamed' })
    expect(j.sessions().map(({ id, name }) => [id, name])).toEqual([
      ['new', 'x in /'],
      ['old', 'renamed'],
    ])
    expect(j.sessions(1).map(({ id }) => id)).toEqual(['new'])
    expect(j.session('old')?.name).toBe('renamed')
    expect(j.session('none')).toBeNull()
  })
})

describe('the file', () => {
  it('is private, with its side files', () => {
    const mask = process.umask(0)
    try {
      journal().append('s', [notice('s', 'x')])
    } finally {
      process.umask(mask)
    }
    expect(fs.statSync(join(folder, 'state')).mode & 0o777).toBe(0o700)
    for (const name of ['journal.db', 'journal.db-wal', 'journal.db-shm']) {
      expect([name, fs.statSync(join(folder, 'state', name)).mode & 0o777]).toEqual([name, 0o600])
    }
  })

  it('is never followed through a link', () => {
    fs.mkdirSync(join(folder, 'state'), { mode: 0o700 })
    fs.writeFileSync(join(folder, 'victim'), '')
    fs.symlinkSync(join(folder, 'victim'), file)
    expect(caught(() => openJournal(file)).code).toBe('state_unwritable')
  })

  it('that is no journal is refused with a way out, and left as it is', () => {
    fs.mkdirSync(join(folder, 'state'), { mode: 0o700 })
    fs.writeFileSync(
      file,
      'this is a text, and long enough to be looked at as a header of a database file '.repeat(20),
    )
    const before = fs.readFileSync(file)
    const error = caught(() => openJournal(file))
    expect([error.code, error.hint]).toEqual(['state_unwritable', expect.stringContaining('mv ')])
    expect(fs.readFileSync(file)).toEqual(before)
  })

  it('of a newer program is refused', () => {
    journal().close()
    const db = new Database(file)
    db.exec('UPDATE schema_version SET version = 99')
    db.close()
    expect(caught(() => openJournal(file)).detail).toContain('99')
  })

  it('in a place that is no folder is refused', () => {
    fs.writeFileSync(join(folder, 'plain'), '')
    for (const path of [join(folder, 'plain', 'journal.db'), join(folder, 'plain', 'deep', 'journal.db')]) {
      const error = caught(() => openJournal(path))
      expect([error.code, error.hint]).toEqual([
        'state_unwritable',
        expect.stringContaining('AGENT_MEOW_HOME'),
      ])
    }
  })
})

describe('a damaged row', () => {
  beforeEach(() => {
    const j = journal()
    j.append('s', [notice('s', 'one'), notice('s', 'two')])
    j.saveSession(info('good', 1))
    j.saveSession(info('bad', 2))
    const db = new Database(file)
    db.exec(
      `UPDATE events SET body = '{"v":1}' WHERE seq = 2; UPDATE sessions SET info = 'no' WHERE id = 'bad'`,
    )
    db.close()
  })

  it('is named, and the others are read', () => {
    const j = journal()
    expect(caught(() => j.read('s', 0)).detail).toContain('events(s, 2)')
    expect(j.read('s', 0, 1)).toHaveLength(1)
    expect(caught(() => j.session('bad')).detail).toContain('sessions(bad)')
    expect(caught(() => j.sessions()).detail).toContain('sessions(bad)')
  })

  it('of a session is left out of the list when somebody is told', () => {
    const told: string[] = []
    const j = openJournal(file, { onBadRow: (error) => told.push(error.detail) })
    open.push(j)
    expect(j.sessions().map(({ id }) => id)).toEqual(['good'])
    expect(told).toHaveLength(1)
  })
})
