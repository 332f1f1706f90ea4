/** @module test/unit/hub-state.test - the state home, its files, the lock and the log. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isLocked, takeLock } from '../../src/hub/lock.js'
import { describeError, openLog } from '../../src/hub/log.js'
import {
  ensureToken,
  prepareSocketDir,
  prepareState,
  readHubFile,
  readLastPort,
  readToken,
  stateHome,
  statePaths,
  writeHubFile,
} from '../../src/hub/state.js'
import { asMeowError, MeowError } from '../../src/protocol/errors.js'
import { tempFolder } from './hub-harness.js'

let folder: string
beforeEach(() => {
  folder = tempFolder()
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

const mode = (path: string): number => fs.statSync(path).mode & 0o777

function refusal(work: () => unknown): { code: string; hint: string | undefined } {
  try {
    work()
  } catch (error) {
    if (error instanceof MeowError) return { code: error.code, hint: error.hint }
    throw error
  }
  throw new Error('nothing was refused')
}

describe('the home', () => {
  it('is the named one, the one of XDG, or the usual one', () => {
    expect(stateHome({ AGENT_MEOW_HOME: '/x/y', XDG_STATE_HOME: '/z', HOME: '/h' })).toBe('/x/y')
    expect(stateHome({ XDG_STATE_HOME: '/z', HOME: '/h' })).toBe('/z/agent-meow')
    expect(stateHome({ XDG_STATE_HOME: 'relative', HOME: '/h' })).toBe('/h/.local/state/agent-meow')
    expect(stateHome({ AGENT_MEOW_HOME: '', HOME: '/h' })).toBe('/h/.local/state/agent-meow')
  })

  it('is made private whatever the umask', () => {
    const mask = process.umask(0)
    try {
      const paths = prepareState(join(folder, 'a', 'home'))
      ensureToken(paths)
      writeHubFile(paths, { pid: 1, port: 2, startedAt: 3, version: '4' })
      openLog(paths.log, Date.now).close()
      expect([mode(paths.home), mode(paths.sessions)]).toEqual([0o700, 0o700])
      expect([paths.token, paths.hubFile, paths.log, paths.lastPort].map(mode)).toEqual([
        0o600, 0o600, 0o600, 0o600,
      ])
    } finally {
      process.umask(mask)
    }
  })

  it('that cannot be is an error with a way out', () => {
    fs.writeFileSync(join(folder, 'file'), '')
    for (const home of [join(folder, 'file'), join(folder, 'file', 'below'), '/proc/agent-meow']) {
      expect([home, refusal(() => prepareState(home))]).toEqual([
        home,
        { code: 'state_unwritable', hint: expect.stringContaining('AGENT_MEOW_HOME') },
      ])
    }
  })

  it('that others may look into is refused, unless it is empty', () => {
    const home = join(folder, 'home')
    fs.mkdirSync(home)
    fs.chmodSync(home, 0o755)
    prepareState(home)
    expect(mode(home)).toBe(0o700)
    fs.chmodSync(home, 0o750)
    expect(refusal(() => prepareState(home))).toEqual({ code: 'state_unwritable', hint: `chmod 700 ${home}` })
  })

  it.runIf(process.getuid?.() === 0)('of somebody else is refused', () => {
    const home = join(folder, 'home')
    fs.mkdirSync(home, { mode: 0o700 })
    fs.chownSync(home, 12_345, 12_345)
    expect(refusal(() => prepareState(home)).code).toBe('state_unwritable')
  })
})

describe('the token', () => {
  it('is made once, of 32 random bytes', () => {
    const paths = prepareState(join(folder, 'home'))
    expect(readToken(paths)).toBeNull()
    const token = ensureToken(paths)
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    expect([ensureToken(paths), readToken(paths)]).toEqual([token, token])
    expect(fs.readdirSync(paths.home).sort()).toEqual(['sessions', 'token'])
  })

  it('is tightened, and never read through a link or from a file of something else', () => {
    const paths = prepareState(join(folder, 'home'))
    const token = ensureToken(paths)
    fs.chmodSync(paths.token, 0o644)
    expect(readToken(paths)).toBe(token)
    expect(mode(paths.token)).toBe(0o600)
    fs.writeFileSync(paths.token, 'short')
    expect(refusal(() => readToken(paths)).hint).toBe(`rm ${paths.token}`)
    fs.renameSync(paths.token, join(folder, 'elsewhere'))
    fs.symlinkSync(join(folder, 'elsewhere'), paths.token)
    expect(refusal(() => readToken(paths)).code).toBe('state_unwritable')
  })
})

describe('the socket folder', () => {
  it('is short, private, and the same for one home', () => {
    const env = { XDG_RUNTIME_DIR: folder }
    const path = prepareSocketDir('/a/home', env)
    expect(path).toMatch(new RegExp(`^${folder}/agent-meow-[0-9a-f]{8}$`))
    expect(mode(path)).toBe(0o700)
    expect(prepareSocketDir('/a/home', env)).toBe(path)
    expect(prepareSocketDir('/b/home', env)).not.toBe(path)
  })

  it('goes to /tmp when the runtime folder is missing or too long', () => {
    const long = join(folder, 'x'.repeat(60))
    fs.mkdirSync(long)
    for (const env of [
      {},
      { XDG_RUNTIME_DIR: '/nowhere/at/all' },
      { XDG_RUNTIME_DIR: long },
      { XDG_RUNTIME_DIR: 'relative' },
    ]) {
      const path = prepareSocketDir(folder, env)
      try {
        expect(path).toMatch(/^\/tmp\/agent-meow-\d+-[0-9a-f]{8}$/)
        expect(path.length).toBeLessThanOrEqual(60)
      } finally {
        fs.rmdirSync(path)
      }
    }
  })

  it('that somebody has prepared for us is refused', () => {
    const env = { XDG_RUNTIME_DIR: folder }
    const path = prepareSocketDir('/a/home', env)
    fs.rmdirSync(path)
    fs.mkdirSync(join(folder, 'trap'), { mode: 0o700 })
    fs.symlinkSync(join(folder, 'trap'), path)
    expect(refusal(() => prepareSocketDir('/a/home', env)).code).toBe('state_unwritable')
    fs.rmSync(path)
    if (process.getuid?.() !== 0) return
    fs.mkdirSync(path, { mode: 0o700 })
    fs.chownSync(path, 12_345, 12_345)
    expect(refusal(() => prepareSocketDir('/a/home', env)).code).toBe('state_unwritable')
  })
})

describe('the hub file', () => {
  it('is read back, and null when it is anything else', () => {
    const paths = prepareState(join(folder, 'home'))
    expect([readHubFile(paths), readLastPort(paths)]).toEqual([null, null])
    const file = { pid: 1, port: 7717, startedAt: 3, version: '0.1.0' }
    writeHubFile(paths, file)
    expect([readHubFile(paths), readLastPort(paths)]).toEqual([file, 7717])
    fs.writeFileSync(paths.hubFile, '{"pid":')
    fs.writeFileSync(paths.lastPort, '99999999')
    expect([readHubFile(paths), readLastPort(paths)]).toEqual([null, null])
  })
})

describe('the lock', () => {
  it('is held by one, seen by others, and leaves no file but itself', () => {
    const { lock, home } = prepareState(join(folder, 'home'))
    expect(isLocked(lock)).toBe(false)
    const held = takeLock(lock)
    expect([held === null, isLocked(lock)]).toEqual([false, true])
    expect(takeLock(lock)).toBeNull()
    held?.dispose()
    expect(isLocked(lock)).toBe(false)
    takeLock(lock)?.dispose()
    expect(fs.readdirSync(home).sort()).toEqual(['hub.lock', 'sessions'])
    expect(mode(lock)).toBe(0o600)
  })

  it('of a process that is killed is free at once', async () => {
    const { lock } = prepareState(join(folder, 'home'))
    const program = `
      const Database = require('better-sqlite3')
      const db = new Database(process.argv[1]); db.exec('BEGIN EXCLUSIVE'); console.log('held'); setInterval(() => db, 1000)`
    const child = spawn(process.execPath, ['-e', program, lock], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    expect([isLocked(lock), takeLock(lock)]).toEqual([true, null])
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(isLocked(lock)).toBe(false)
    takeLock(lock)?.dispose()
  })
})

describe('the log', () => {
  it('keeps two files of a bounded size', () => {
    const file = join(folder, 'hub.log')
    const log = openLog(file, () => 0, 1_000)
    for (let i = 0; i < 200; i += 1) log.line(`line ${i}\nand more`)
    log.close()
    log.line('after the end')
    expect(fs.readdirSync(folder).sort()).toEqual(['hub.log', 'hub.log.1'])
    for (const name of ['hub.log', 'hub.log.1']) {
      expect(fs.statSync(join(folder, name)).size).toBeLessThanOrEqual(1_000)
      expect(mode(join(folder, name))).toBe(0o600)
    }
    expect(fs.readFileSync(file, 'utf8')).toMatch(/line 199\n {2}and more\n$/)
  })

  it('says where a fault was, not what it quoted', () => {
    const quoting = (() => {
      try {
        return JSON.parse('my secret') as unknown
      } catch (error) {
        return error
      }
    })()
    const text = describeError(quoting)
    expect(text).toContain('SyntaxError')
    expect(text).toContain('hub-state.test.ts')
    expect(text).not.toContain('secret')
    expect(describeError(new MeowError('internal', 'wrapped', { cause: quoting }))).not.toContain('secret')
    expect(describeError(new MeowError('conflict', 'ours'))).toBe('conflict: ours')
  })

  it.each([
    ['a vendor that failed', new MeowError('vendor_start_failed', 'Its last lines: > my secret')],
    ['a delivery', new MeowError('delivery_failed', 'the box shows my secret')],
    ['a thrown text', asMeowError('my secret')],
    ['a thrown object', asMeowError({ toString: () => 'my secret' })],
  ])('says of %s only that it was', (_what, error) => {
    expect(describeError(error)).toBe(error.code)
  })
})

it('paths are all below the home', () => {
  for (const path of Object.values(statePaths('/h'))) expect(path.startsWith('/h')).toBe(true)
})
