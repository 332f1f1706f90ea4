import { appendFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { JsonlTail } from '../../src/adapter/index.js'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tail-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

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
