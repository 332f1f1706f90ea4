/** @module The page of a run that measured some ratios alone: the rows of the others stay, and say of when they are. */
import { expect, test } from 'vitest'
import type { Row } from '../../bench/ratio.js'
import { earlier, table } from '../../bench/report.js'

const row = (id: string, on: string, value: number): Row => ({
  id,
  on,
  value,
  unit: 'x',
  aim: 2,
  detail: 'd',
})

test('what was not measured again stays, in its place, and is marked once', () => {
  const old = table([row('R1', 'ink', 1.5), row('R3', 'tmux', 3.5), row('flat', 'stream', 1.25)])
  const now = [row('R1', 'ink', 1.75), row('R2', 'ink', 2.5)]
  const page = table(now, earlier(old, now))
  expect(page.split('\n').slice(2)).toEqual([
    '| R1 | ink | 1.75 x | <= 2 x | met | d |',
    '| R2 | ink | 2.50 x | <= 2 x | **missed** | d |',
    '| R3 | tmux | 3.50 x | <= 2 x | **missed** | d (earlier run) |',
    '| flat | stream | 1.25 x | <= 2 x | met | d (earlier run) |',
  ])
  expect(table(now, earlier(page, now))).toBe(page)
})
