import { describe, expect, it } from 'vitest'
import { Correlator } from '../../adapters/claude/correlate.js'
import { Lineage } from '../../adapters/claude/lineage.js'
import { Hook, Status, TranscriptRecord } from '../../adapters/claude/records.js'
import type { Observation } from '../../src/adapter/index.js'

const hook = (name: string, fields: Record<string, unknown> = {}) =>
  Hook.parse({ hook_event_name: name, session_id: 's', ...fields })
const record = (uuid: string, parentUuid: string | null, fields: Record<string, unknown> = {}) =>
  TranscriptRecord.parse({ type: 'attachment', uuid, parentUuid, ...fields })
const status = (name: string) => Status.parse({ status: name })
const prompt = record('u', null, {
  type: 'user',
  promptId: 'p',
  message: { role: 'user', content: 'hi' },
})
const answer = record('a', 'u', {
  type: 'assistant',
  message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'hello' }] },
})
const end = record('e', 's', { type: 'system', subtype: 'turn_duration' })
/** As the program wrote the first turn of a session on a busy machine: its end before its prompt and answer. */
const late = [record('h', 'a'), record('s', 'h', { type: 'system' }), end, prompt, record('l', 'u'), answer]

const kinds = (told: readonly Observation[]) =>
  told.flatMap((o) =>
    o.type === 'state' ? [] : [o.type === 'turn.ended' ? `${o.type}:${o.outcome}` : o.type],
  )
const opening = (c: Correlator) => [
  ...c.status(status('idle')),
  ...c.hook(hook('UserPromptSubmit', { prompt: 'hi', prompt_id: 'p' })),
  ...c.status(status('busy')),
  ...c.hook(hook('MessageDisplay', { message_id: 'd', index: 0, delta: 'hello', final: true })),
  ...c.hook(hook('Stop')),
]

describe('the order of the transcript', () => {
  it('is that of the parents, in whatever order the records were written', () => {
    for (const order of [
      late,
      late.toReversed(),
      late.toSorted((a, b) => String(a.uuid).localeCompare(String(b.uuid))),
    ]) {
      const lineage = new Lineage()
      const told = order.flatMap((one) => lineage.next(one)).map((one) => one.uuid ?? '')
      expect(told).toHaveLength(late.length)
      for (const one of late) {
        if (typeof one.parentUuid === 'string')
          expect(told.indexOf(one.parentUuid)).toBeLessThan(told.indexOf(one.uuid ?? ''))
      }
    }
  })

  it('ends a turn once, behind its answer, when the end was written first', () => {
    const c = new Correlator('')
    opening(c)
    c.status(status('idle'))
    const told = kinds(late.flatMap((one) => c.record(one)))
    expect(told).toEqual(['text.completed', 'turn.ended:completed'])
    expect(c.openTurn).toBeNull()
  })

  it('does not wait for ever for a record that never comes', () => {
    const c = new Correlator('')
    opening(c)
    expect(kinds(c.record(end))).toEqual([])
    expect(c.openTurn).not.toBeNull()
    c.status(status('idle'))
    expect(kinds(c.idleWithoutEnd())).toEqual(['turn.ended:completed'])
    const lineage = new Lineage()
    const orphans = Array.from({ length: 501 }, (_, n) => record(`o${n}`, 'never'))
    expect(orphans.flatMap((one) => lineage.next(one))).toEqual(orphans)
    expect(lineage.next(record('child', 'o7'))).toHaveLength(1)
  })

  it('opens no turn for an answer that comes when the program is idle again: nothing would end it', () => {
    const c = new Correlator('')
    opening(c)
    c.status(status('idle'))
    c.record(prompt)
    expect(kinds(c.idleWithoutEnd())).toEqual(['gap', 'turn.ended:completed'])
    expect(kinds(c.record(answer))).toEqual(['text.completed'])
    expect(c.openTurn).toBeNull()
    c.status(status('busy'))
    expect(kinds(c.record(record('b', 'a', { ...answer, uuid: 'b', parentUuid: 'a' })))).toContain(
      'turn.started',
    )
  })
})
