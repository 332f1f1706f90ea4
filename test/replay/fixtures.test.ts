/** Every fixture, replayed: the events that it must give, and what they are worth against what truly happened. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { adapters, readers } from '../../adapters/registry.js'
// @ts-expect-error a plain script without types
import * as gate from '../../scripts/accuracy/gate.mjs'
// @ts-expect-error a plain script without types
import * as scorer from '../../scripts/accuracy/score.mjs'
// @ts-expect-error a plain script without types
import * as table from '../../scripts/accuracy/table.mjs'
// @ts-expect-error a plain script without types
import * as differ from '../../scripts/fixtures/diff.mjs'
// @ts-expect-error a plain script without types
import * as list from '../../scripts/fixtures/list.mjs'
import { expectedLines } from '../../src/hub/offline/expected.js'
import { openOffline } from '../../src/hub/offline.js'

interface Fixture {
  name: string
  vendor: string
  version: string
  situation: string
  folder: string
  cast: string
}
interface Sum {
  vendor: string
  screen: string
}
const { listFixtures, linesOf } = list as {
  listFixtures(root: string): Fixture[]
  linesOf(path: string): string[] | null
}
const { diffEvents } = differ as {
  diffEvents(expected: readonly string[], told: readonly string[]): { what: string; text: string }[]
}
const { score } = scorer as { score(truth: unknown, events: readonly unknown[]): unknown }
const { sums } = table as { sums(scored: readonly unknown[]): Sum[] }
const { shortfalls, SITUATIONS, FEWER } = gate as {
  shortfalls(sum: Sum): string[]
  SITUATIONS: number
  FEWER: readonly string[]
}

const ROOT = fileURLToPath(new URL('../../fixtures', import.meta.url))
const ACCEPT = 'look at it with npm run fixtures, and take it with --accept'
const offline = openOffline({ adapters, readers })
const fixtures = listFixtures(ROOT)
const scored: unknown[] = []

/** What differs from a file of expected events, as a person reads it. */
function differences(path: string, told: readonly string[]): string[] {
  const expected = linesOf(path)
  if (expected === null) return [`there is no ${path}: ${ACCEPT}`]
  return diffEvents(expected, told).map(({ what, text }) => `${what} ${text}`)
}

describe('fixtures', () => {
  it.each(fixtures)(
    '$name gives the events that it gave',
    async ({ vendor, version, situation, folder, cast }) => {
      const recording = offline.open(cast, { vendor })
      expect(recording.cast.cut).toBe(false)
      const events = await offline.replay({ ...recording, side: null })
      const path = join(folder, 'truth.json')
      if (existsSync(path)) {
        const truth = JSON.parse(readFileSync(path, 'utf8')) as { alternateScreen?: boolean }
        const screen = truth.alternateScreen === true ? 'alternate' : 'main'
        scored.push({ vendor, version, situation, screen, score: score(truth, events) })
      }
      const found = differences(join(folder, 'expected.jsonl'), expectedLines(events))
      if (recording.side !== null) {
        const told = expectedLines(await offline.replay(recording))
        found.push(...differences(join(folder, 'expected.side.jsonl'), told))
      }
      expect(found).toEqual([])
    },
  )

  it.each(readers.map(({ vendor }) => vendor.id).filter((id) => !FEWER.includes(id)))(
    `%s has ${SITUATIONS} situations with their truth`,
    (id) => {
      const own = fixtures.filter(
        ({ vendor, folder }) => vendor === id && existsSync(join(folder, 'truth.json')),
      )
      expect(new Set(own.map(({ situation }) => situation)).size).toBeGreaterThanOrEqual(SITUATIONS)
    },
  )
})

describe('the gate of accuracy', () => {
  it.each(readers.map(({ vendor }) => vendor.id))('%s', (id) => {
    const own = sums(scored).filter(({ vendor }) => vendor === id)
    expect(
      own.flatMap((sum) => shortfalls(sum).map((text) => `${id} (${sum.screen} screen): ${text}`)),
    ).toEqual([])
  })
})
