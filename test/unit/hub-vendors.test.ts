/** @module test/unit/hub-vendors.test - finding real programs: where, which version, within what time. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Adapter } from '../../src/adapter/index.js'
import { inspectVendors, versionReader } from '../../src/hub/vendors.js'
import { tempFolder } from './hub-harness.js'

let folder: string
beforeEach(() => {
  folder = tempFolder()
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

/** Only what `inspectVendors` asks of an adapter. */
function adapter(id: string, auth: Adapter['auth'] = () => ({ status: 'ok', detail: 'a key' })): Adapter {
  const vendor = {
    id,
    name: id.toUpperCase(),
    binaries: [id],
    binaryVariable: `${id.toUpperCase()}_BINARY`,
    testedVersions: ['1.0.0'],
    installHint: `install ${id}`,
    loginHint: `log in to ${id}`,
    versionArgs: ['--version'],
  }
  const capabilities = (version: string | null) =>
    [{ row: 'N0.1', level: 'supported', note: version ?? 'none' }] as const
  return { vendor, auth, capabilities } as unknown as Adapter
}

function program(name: string, script: string, at = folder): string {
  const path = join(at, name)
  fs.writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}

const path = (): Record<string, string> => ({ PATH: `${folder}:/usr/bin:/bin` })

it('tells what is there, what is not, and whether it is logged in', async () => {
  const cat = program('cat1', 'echo "Cat 2.3.4-beta.1 (build 9)"')
  const found = await inspectVendors(
    [adapter('cat1'), adapter('dog1', () => ({ status: 'missing', detail: 'no key' }))],
    path(),
  )
  expect(found).toEqual([
    {
      id: 'cat1',
      name: 'CAT1',
      binary: cat,
      version: '2.3.4-beta.1',
      testedVersions: ['1.0.0'],
      auth: { status: 'ok', detail: 'a key' },
      installHint: 'install cat1',
      loginHint: 'log in to cat1',
      capabilities: [{ row: 'N0.1', level: 'supported', note: '2.3.4-beta.1' }],
    },
    expect.objectContaining({
      id: 'dog1',
      binary: null,
      version: null,
      auth: { status: 'missing', detail: 'no key' },
    }),
  ])
})

it('takes the program that the variable names', async () => {
  program('cat1', 'echo 1.0.0')
  fs.mkdirSync(join(folder, 'own'))
  const own = program('other', 'echo 9.0.0 >&2', join(folder, 'own'))
  const [info] = await inspectVendors([adapter('cat1')], { ...path(), CAT1_BINARY: own })
  expect(info).toMatchObject({ binary: own, version: '9.0.0' })
})

it('asks a program once, and again when its file or the target of its link changed', async () => {
  const count = join(folder, 'count')
  const real = program('real', `echo x >> ${count}; echo 1.0.0`)
  const link = join(folder, 'cat1')
  fs.symlinkSync(real, link)
  const versionOf = versionReader(path())
  const asked = (): number => fs.readFileSync(count, 'utf8').split('\n').length - 1
  expect(await Promise.all([versionOf(adapter('cat1'), link), versionOf(adapter('cat1'), link)])).toEqual([
    '1.0.0',
    '1.0.0',
  ])
  expect(await versionOf(adapter('cat1'), link)).toBe('1.0.0')
  expect(asked()).toBe(1)
  program('real', `echo x >> ${count}; echo now 2.0.0`)
  expect(await versionOf(adapter('cat1'), link)).toBe('2.0.0')
  expect(asked()).toBe(2)
})

it('waits no longer than it must for one that hangs, and ends it with its children', async () => {
  const pids = join(folder, 'pids')
  const hangs = program('cat1', `echo $$ > ${pids}; sleep 600 & echo $! >> ${pids}; echo 1.0.0; wait`)
  const versionOf = versionReader(path(), 300)
  expect(await versionOf(adapter('cat1'), hangs)).toBeNull()
  for (const pid of fs.readFileSync(pids, 'utf8').trim().split('\n')) {
    const state = (): string => {
      try {
        return fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] ?? ''
      } catch {
        return 'gone'
      }
    }
    const end = Date.now() + 5_000
    // A zombie that nobody has waited for yet has ended too.
    while (!['gone', 'Z'].includes(state()) && Date.now() < end)
      await new Promise((resolve) => setTimeout(resolve, 10))
    expect(['gone', 'Z']).toContain(state())
  }
})

it('knows no version where the program fails, says none, or is no program', async () => {
  const versionOf = versionReader(path())
  expect(await versionOf(adapter('a'), program('a', 'echo 1.2.3; exit 3'))).toBeNull()
  expect(await versionOf(adapter('b'), program('b', 'echo hello'))).toBeNull()
  fs.writeFileSync(join(folder, 'c'), '\u007fELF nonsense', { mode: 0o755 })
  expect(await versionOf(adapter('c'), join(folder, 'c'))).toBeNull()
})

it('an adapter that fails to look does not hide the others', async () => {
  const bad = adapter('bad', () => {
    throw new Error('boom')
  })
  const found = await inspectVendors([bad, adapter('cat1')], path())
  expect(found.map(({ id, auth }) => [id, auth.status])).toEqual([
    ['bad', 'unknown'],
    ['cat1', 'ok'],
  ])
})
