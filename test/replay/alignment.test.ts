/** Whatever a program scrolls, redraws, resizes or repeats: every message once, in order, whole. */
import { describe, expect, it } from 'vitest'
import { conversation, flat, random, record, told } from './recorded.js'

const SEEDS = Array.from({ length: 12 }, (_, n) => 7 + n * 131)

describe.each(['ink', 'alt'] as const)('%s', (kind) => {
  it.each(SEEDS)('tells everything once, in order (seed %d)', (seed) => {
    const next = random(seed)
    const list = conversation(next)
    const cast = record(kind, list, next, { resizes: false, cut: true })
    expect(told(cast)).toEqual(list.map((s) => ({ kind: s.kind, text: flat(s.text) })))
  })

  it.each(SEEDS)('through resizes, too (seed %d)', (seed) => {
    const next = random(seed)
    const list = conversation(next)
    const cast = record(kind, list, next, { resizes: true, cut: false })
    expect(told(cast)).toEqual(list.map((s) => ({ kind: s.kind, text: flat(s.text) })))
  })
})
