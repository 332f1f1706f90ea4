import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { adapters } from '../../adapters/registry.js'
// @ts-expect-error a plain script without types
import * as script from '../../scripts/capabilities.mjs'

const { capabilityTable, withTable } = script as {
  capabilityTable(from: typeof adapters): string
  withTable(readme: string, table: string): string
}

const ids = (group: string, count: number) => Array.from({ length: count }, (_, i) => `${group}.${i + 1}`)
/** Every row of the requirements that is about a vendor. */
const ROWS = [...ids('N0', 10), ...ids('N1', 6), ...ids('N2', 4)]

describe.each(adapters.map((a) => [a.vendor.id, a] as const))('capabilities of %s', (_, adapter) => {
  it.each([null, ...adapter.vendor.testedVersions])('has every row once, with a note (%s)', (version) => {
    const cells = adapter.capabilities(version)
    expect(cells.map(({ row }) => row)).toEqual(ROWS)
    expect(cells.filter(({ note }) => note.trim() === '')).toEqual([])
  })
})

it('README.md shows what the adapters declare (node scripts/capabilities.mjs writes it)', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const table = capabilityTable(adapters)
  // A line per row, a head and its rule; a row without words for a reader would be missing.
  expect(table.split('\n')).toHaveLength(ROWS.length + 2)
  expect(withTable(readme, table)).toBe(readme)
})
