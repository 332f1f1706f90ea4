/** Every fixture is whole: its cast plays, its truth has the right shape, its moments are in it, nothing private is. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readCast } from '../../src/terminal/index.js'
import { unseen } from './seen.js'
import type { Truth } from './truth.js'

const FIXTURES = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'fixtures')
const MAX_BYTES = 400 * 1024
const LEAST_SITUATIONS = 15

const OnScreen = z.union([z.boolean(), z.literal('partial')])
const Item = z.object({
  kind: z.enum([
    'user_message',
    'assistant_message',
    'reasoning',
    'tool_call',
    'command',
    'notice',
    'compaction',
  ]),
  text: z.string().optional(),
  onScreen: OnScreen,
})
const Shape = z.object({
  vendor: z.string(),
  version: z.string(),
  cols: z.number(),
  rows: z.number(),
  alternateScreen: z.boolean(),
  items: z.array(Item).min(1),
  turns: z.array(z.object({ stop: z.enum(['end_turn', 'denied', 'interrupted', 'error']) })).min(1),
  dialogs: z.array(z.object({ question: z.string(), answer: z.string() })),
  states: z.array(z.object({ t: z.number(), state: z.enum(['idle', 'running', 'blocked']) })).min(1),
  usage: z.array(z.object({ input: z.number(), output: z.number() })),
})

const names = (path: string) => readdirSync(path, { withFileTypes: true }).filter((one) => one.isDirectory())
const vendors = names(FIXTURES).flatMap(({ name }) =>
  names(join(FIXTURES, name)).map((version) => ({ vendor: name, version: version.name })),
)

describe.each(vendors)('$vendor $version', ({ vendor, version }) => {
  const folder = join(FIXTURES, vendor, version)
  const situations = names(folder).map(({ name }) => name)

  it('has enough situations', () => {
    expect(situations.length).toBeGreaterThanOrEqual(LEAST_SITUATIONS)
  })

  it.each(situations)('%s', (name) => {
    const cast = join(folder, name, 'session.cast')
    const text = readFileSync(cast, 'utf8')
    expect(Buffer.byteLength(text)).toBeLessThan(MAX_BYTES)
    const recording = readCast(text)
    expect(recording).toMatchObject({
      cut: false,
      header: { version: 3, vendor: { id: vendor, version }, backend: 'tmux', fromStart: true },
    })
    expect(recording.header.tmux).toMatch(/^\d/)

    const written = readFileSync(join(folder, name, 'truth.json'), 'utf8')
    const truth = Shape.parse(JSON.parse(written))
    const { cols, rows } = recording.header
    expect(truth).toMatchObject({ vendor, version, cols, rows })
    const end = (recording.events.at(-1)?.at ?? 0) / 1000
    const times = truth.states.map(({ t }) => t)
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect(times.at(-1)).toBeLessThanOrEqual(end + 0.1)
    expect(unseen(recording, JSON.parse(written) as Truth)).toEqual([])
    // A home that was not replaced: the scratch folder's name goes on with the vendor's.
    const bare = /\/meow-\w+\/\w+-home\b/
    expect([bare.exec(text)?.[0], bare.exec(written)?.[0]]).toEqual([undefined, undefined])
    expect(existsSync(join(folder, name, 'session.side.jsonl'))).toBe(false)
  })
})
