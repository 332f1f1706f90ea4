/** @module test/unit/hub-registry.test - the registry when something goes wrong: kills, journals, listeners. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Registry, type RegistryOptions } from '../../src/hub/registry.js'
import type { Journal } from '../../src/journal/journal.js'
import { openJournal } from '../../src/journal/sqlite-journal.js'
import { CreateSession } from '../../src/protocol/commands.js'
import { MeowError } from '../../src/protocol/errors.js'
import { randomId } from '../../src/protocol/ids.js'
import type { SessionInfo } from '../../src/protocol/session.js'
import type { LaunchSession } from '../../src/session/handle.js'
import { startingInfo } from '../../src/session/starting.js'
import { FakeSession } from './hub-fake-session.js'
import { eventually } from './hub-harness.js'

let journal: Journal
const logged: string[] = []
beforeEach(() => {
  journal = openJournal(':memory:')
  logged.length = 0
})
afterEach(() => journal.close())

const request = CreateSession.parse({ vendor: 'fake', cwd: '/' })

function registryOf(launch: LaunchSession, more: Partial<RegistryOptions> = {}): Registry {
  return new Registry({
    journal,
    launch,
    hostFor: () => Promise.reject(new Error('no terminals here')),
    home: '/',
    socketDir: '/',
    env: {},
    hookUrl: (id) => id,
    newId: randomId,
    now: () => 1_000,
    log: (line) => logged.push(line),
    ...more,
  })
}

/** A session whose end comes with `over`, and whose journal then takes nothing more of it. */
class Ending extends FakeSession {
  over = (): void => undefined
  readonly ended = new Promise<void>((resolve) => {
    this.over = resolve
  })
}

function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

describe('a kill', () => {
  it('before there is a terminal is done when there is one, not when the vendor is ready', async () => {
    const terminal = gate()
    const ready = gate()
    let session: FakeSession | undefined
    const registry = registryOf(async (id, wish, deps) => {
      await terminal.opened
      session = new FakeSession(id, wish, deps)
      const gone = new Promise<void>((resolve) => {
        session?.onInfo(({ state }) => state === 'ended' && resolve())
      })
      deps.adopt?.(session)
      await Promise.race([ready.opened, gone])
      return session
    })
    const created = registry.create(request).catch((error: unknown) => error)
    const killed = registry.kill(registry.list()[0]?.id ?? '')
    terminal.open()
    try {
      await eventually('the session to be killed', () => (session?.killed ?? 0) > 0, 2_000)
    } finally {
      ready.open()
    }
    expect(await created).toMatchObject({ code: 'vendor_start_failed' })
    expect((await killed).state).toBe('ended')
  })

  it('that fails for a caller who left is told to the log', async () => {
    const left = new AbortController()
    const ready = gate()
    const registry = registryOf(async (id, wish, deps) => {
      const session = new FakeSession(id, wish, deps)
      session.kill = () => Promise.reject(new MeowError('timeout', 'waited for its end'))
      deps.adopt?.(session)
      await ready.opened
      return session
    })
    const created = registry.create(request, left.signal)
    left.abort()
    await eventually('the line', () => logged.some((line) => line.includes('timeout')))
    ready.open()
    await expect(created).rejects.toThrow()
  })

  it('comes too late to begin for a caller who has left', async () => {
    let launched = 0
    const registry = registryOf(async () => {
      launched += 1
      throw new Error('not wanted')
    })
    await expect(registry.create(request, AbortSignal.abort())).rejects.toMatchObject({ code: 'conflict' })
    expect([launched, registry.list()]).toEqual([0, []])
  })
})

describe('a session whose end was not journalled', () => {
  const start = async (more: Partial<RegistryOptions> = {}) => {
    let session: Ending | undefined
    const registry = registryOf(async (id, wish, deps) => {
      session = new Ending(id, wish, deps)
      return session
    }, more)
    const { id } = await registry.create(request)
    const infos: SessionInfo[] = []
    registry.onInfo((info) => infos.push(info))
    return { registry, id, infos, over: () => session?.over() }
  }

  it('is ended by its own end, and closed in the journal when that is possible again', async () => {
    const { registry, id, infos, over } = await start()
    over()
    await eventually('the entry to go', () => !registry.isLive(id))
    expect(registry.info(id)).toMatchObject({ state: 'ended', endedAt: 1_000 })
    expect(journal.read(id, 0)).toMatchObject([{ type: 'session.ended', reason: 'exited' }])
    await eventually('the summary', () => infos.at(-1)?.state === 'ended')
  })

  it('does not stay alive when the journal takes nothing, and the log says so', async () => {
    const { registry, id, over } = await start()
    journal.append = () => {
      throw new MeowError('state_unwritable', 'the disk is full')
    }
    over()
    await eventually('the entry to go', () => !registry.isLive(id))
    expect(logged.join()).toContain(`the end of ${id} is not in the journal: state_unwritable`)
  })
})

it('a list has every living session and the newest 500 ended ones', async () => {
  const registry = registryOf(async (id, wish, deps) => new FakeSession(id, wish, deps))
  const { id } = await registry.create(request)
  for (let i = 1; i <= 600; i += 1)
    journal.saveSession({ ...startingInfo(`s_${i}`, request, 1_000 + i), state: 'ended', endedAt: 2_000 })
  const ids = registry.list().map((info) => info.id)
  expect(ids).toHaveLength(501)
  expect([ids[0], ids[499], ids[500]]).toEqual(['s_600', 's_101', id])
})
