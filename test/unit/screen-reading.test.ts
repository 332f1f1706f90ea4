/** What a screen was taken for: by itself, and over the API. */
import { afterEach, describe, expect, it } from 'vitest'
import { expectedLines } from '../../src/hub/offline/expected.js'
import { blocksOf } from '../../src/session/explain.js'
import type { ReplayedEvent } from '../../src/session/replay.js'
import { AltPainter, InkPainter, layOut, painterReader } from '../replay/painter.js'
import { reading } from './cli-fakes.js'
import { startTestHub, type TestHub, TOKEN } from './hub-harness.js'

describe('the blocks of one screen', () => {
  it.each([
    ['main', new InkPainter(80, 24)],
    ['alternate', new AltPainter(80, 24)],
  ])('are read from its picture: %s screen', (_name, painter) => {
    const said = [
      { kind: 'user_message', text: 'where is it' },
      { kind: 'assistant_message', text: 'Over there.' },
    ] as const
    const screen = painter.draw(layOut(said, false, 80), false, 0)
    const read = { state: 'idle', rule: 'p.box', evidence: [], composer: null, dialog: null } as const
    const blocks = blocksOf(painterReader, read, { cols: 80, rows: 24, screen })
    expect(blocks.filter(({ kind }) => kind !== null)).toEqual([
      { rule: 'p.prompt', kind: 'user_message', rows: ['❯ where is it'] },
      { rule: 'p.text', kind: 'assistant_message', rows: ['● Over there.'] },
    ])
  })

  it('are none where no grammar was written', () => {
    const read = { state: 'unknown', rule: 'r', evidence: [], composer: null, dialog: null } as const
    expect(blocksOf({}, read, { cols: 80, rows: 24, screen: 'text' })).toEqual([])
  })
})

describe('GET /v1/sessions/{id}/reading', () => {
  let hub: TestHub
  afterEach(async () => await hub.close())
  const get = async (id: string) => {
    const headers = { authorization: `Bearer ${TOKEN}` }
    const answer = await fetch(`${hub.hub.url}/v1/sessions/${id}/reading`, { headers })
    return { status: answer.status, body: await answer.json() }
  }

  it('gives what the session says of its screen', async () => {
    hub = await startTestHub()
    const session = await hub.session()
    expect((await get(session.id)).body).toMatchObject({ error: { code: 'unsupported' } })
    Object.assign(session, { reading: () => reading() })
    expect(await get(session.id)).toEqual({ status: 200, body: { reading: reading() } })
    expect((await get('s_nope')).status).toBe(404)
  })
})

describe('expected events', () => {
  const at = (t: number) => ({ t, source: 'screen' as const })
  const started = (t: number, itemId: string, before?: string): ReplayedEvent => ({
    ...at(t),
    type: 'item.started',
    itemId,
    turnId: 'turn_1',
    kind: 'reasoning',
    item: { kind: 'reasoning', text: 'hm' },
    ...(before === undefined ? {} : { before }),
  })

  it('have no number that an item before them changes, and say how far back an item belongs', () => {
    const lines = expectedLines([
      started(1.004, 'item_7'),
      started(1.006, 'item_8'),
      started(2, 'item_9', 'item_7'),
      { ...at(3), type: 'session.activity', activity: 'thinks', detail: null },
      { ...at(4), type: 'approval.resolved', approvalId: 'approval_3', verdict: 'allow', by: 'page' },
    ])
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { ...at(1), type: 'item.started', kind: 'reasoning' },
      { ...at(1.01), type: 'item.started', kind: 'reasoning' },
      { ...at(2), type: 'item.started', kind: 'reasoning', before: 2 },
      { ...at(4), type: 'approval.resolved', verdict: 'allow', by: 'page' },
    ])
  })
})
