import type { FSWatcher } from 'node:fs'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { followFile, JsonlTail } from '../../src/adapter/index.js'

const system = vi.hoisted(() => ({
  refuse: (_folder: string): string | null => null,
  watchers: [] as FSWatcher[],
}))
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>()
  const watch = ((...args: Parameters<typeof fs.watch>) => {
    const code = system.refuse(String(args[0]))
    if (code !== null) throw Object.assign(new Error(code), { code })
    const watcher = fs.watch(...args)
    system.watchers.push(watcher)
    return watcher
  }) as typeof fs.watch
  return { ...fs, watch }
})

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tail-'))
})
afterEach(() => {
  system.refuse = () => null
  system.watchers.length = 0
  rmSync(dir, { recursive: true, force: true })
})

function follow(file: string) {
  const records: unknown[] = []
  const faults: string[] = []
  const tail = new JsonlTail(file, { onRecord: (r) => records.push(r), onFault: (f) => faults.push(f) })
  return { tail, records, faults }
}

describe('jsonl tail', () => {
  it('reads a file whose folders appear later, without being asked to look', async () => {
    const file = join(dir, 'a', 'b', 'c.jsonl')
    const { tail, records } = follow(file)
    mkdirSync(join(dir, 'a'))
    await new Promise(setImmediate)
    mkdirSync(join(dir, 'a', 'b'))
    writeFileSync(file, '{"n":1}\n')
    await expect.poll(() => records, { timeout: 5000 }).toEqual([{ n: 1 }])
    appendFileSync(file, '{"n":2}\n{"n"')
    await expect.poll(() => records.length, { timeout: 5000 }).toBe(2)
    appendFileSync(file, ':3}\n')
    await expect.poll(() => records, { timeout: 5000 }).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
    tail.stop()
  })

  it('tells a bad line and goes on; says so when the file was cut', () => {
    const file = join(dir, 'x.jsonl')
    writeFileSync(file, '{"n":1}\nnot json\n{"n":2}\n')
    const { tail, records, faults } = follow(file)
    expect(records).toEqual([{ n: 1 }, { n: 2 }])
    expect(faults).toHaveLength(1)
    truncateSync(file, 0)
    appendFileSync(file, '{"n":9}\n')
    tail.drain()
    expect(records.at(-1)).toEqual({ n: 9 })
    tail.stop()
  })

  it('goes on behind a record that nobody could take, and quotes nothing of it', () => {
    const file = join(dir, 'x.jsonl')
    writeFileSync(file, '{"n":1}\n{"n":2}\n{"n":3}\n')
    const taken: unknown[] = []
    const faults: string[] = []
    const onRecord = (record: unknown) => {
      if (taken.push(record) === 2) throw new TypeError(`a prompt: ${JSON.stringify(record)}`)
    }
    const tail = new JsonlTail(file, { onRecord, onFault: (f) => faults.push(f) })
    tail.stop()
    expect(taken).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }])
    expect(faults).toEqual([`a record of ${file} was not taken (TypeError)`])
  })

  it('tells once what cannot be read, and reads it when it can', () => {
    const file = join(dir, 'x.jsonl')
    mkdirSync(file)
    const { tail, records, faults } = follow(file)
    tail.drain()
    tail.drain()
    expect(faults).toEqual([`${file} cannot be read (EISDIR)`])
    rmSync(file, { recursive: true })
    writeFileSync(file, '{"n":1}\n')
    tail.stop()
    expect(records).toEqual([{ n: 1 }])
  })

  it.each(['ENOSPC', 'EMFILE'])('without a watch (%s): told once, and read when asked', (code) => {
    system.refuse = () => code
    const file = join(dir, 'a', 'x.jsonl')
    const { tail, records, faults } = follow(file)
    expect(faults).toEqual([`changes of ${file} cannot be watched (${code})`])
    mkdirSync(join(dir, 'a'))
    writeFileSync(file, '{"n":1}\n')
    tail.drain()
    expect(records).toEqual([{ n: 1 }])
    appendFileSync(file, '{"n":2}\n')
    tail.stop()
    expect(records).toEqual([{ n: 1 }, { n: 2 }])
    expect(faults).toHaveLength(1)
  })

  it('a watch that fails later is told once and not taken again', () => {
    const file = join(dir, 'x.jsonl')
    const { tail, records, faults } = follow(file)
    system.watchers[0]?.emit('error', Object.assign(new Error('no more'), { code: 'EMFILE' }))
    expect(faults).toEqual([`changes of ${file} cannot be watched (EMFILE)`])
    expect(system.watchers).toHaveLength(1)
    writeFileSync(file, '{"n":1}\n')
    tail.stop()
    expect(records).toEqual([{ n: 1 }])
  })

  it('a folder that goes before it is watched is looked for one level up', async () => {
    const file = join(dir, 'a', 'x.jsonl')
    mkdirSync(join(dir, 'a'))
    system.refuse = (folder) => (folder === join(dir, 'a') ? 'ENOENT' : null)
    const changes: string[] = []
    const faults: string[] = []
    const following = followFile(
      file,
      () => changes.push('change'),
      (detail) => faults.push(detail),
    )
    // It is there and yet cannot be watched: that ends, too.
    expect(faults).toHaveLength(1)
    following.stop()
    rmSync(join(dir, 'a'), { recursive: true })
    system.refuse = () => null
    const tail = follow(file)
    system.refuse = (folder) => {
      if (folder !== join(dir, 'a')) return null
      rmSync(folder, { recursive: true })
      system.refuse = () => null
      return 'ENOENT'
    }
    mkdirSync(join(dir, 'a'))
    await expect.poll(() => existsSync(join(dir, 'a')), { timeout: 5000 }).toBe(false)
    mkdirSync(join(dir, 'a'))
    writeFileSync(file, '{"n":1}\n')
    await expect.poll(() => tail.records, { timeout: 5000 }).toEqual([{ n: 1 }])
    expect(tail.faults).toEqual([])
    tail.tail.stop()
  })

  it('what the listener of a change throws is told', () => {
    const faults: string[] = []
    const change = () => {
      throw new RangeError('a prompt')
    }
    followFile(join(dir, 'x'), change, (detail) => faults.push(detail)).stop()
    expect(faults).toEqual([`a change of ${join(dir, 'x')} was not taken (RangeError)`])
  })

  it('property: however the bytes arrive, every record comes once and in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 10 }),
        fc.array(fc.nat(200), { maxLength: 10 }),
        (values, cuts) => {
          const file = join(dir, `p${Math.random()}.jsonl`)
          const bytes = Buffer.from(values.map((v) => `${JSON.stringify({ v })}\n`).join(''))
          const { tail, records } = follow(file)
          const at = [...new Set(cuts.map((c) => c % bytes.length))].sort((a, b) => a - b)
          let from = 0
          for (const to of [...at, bytes.length]) {
            appendFileSync(file, bytes.subarray(from, to))
            tail.drain()
            from = to
          }
          tail.stop()
          expect(records).toEqual(values.map((v) => ({ v })))
        },
      ),
      { numRuns: 50 },
    )
  })
})
