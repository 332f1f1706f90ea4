/** @module test/web/page-recording - the player's pure parts: the cast, its two times, its pace, markers, conversation. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CastFault, readCast } from '../../src/web/app/model/recording/cast.js'
import { ConversationAt, readReplay } from '../../src/web/app/model/recording/events.js'
import { markersOf, nextMarker, previousMarker } from '../../src/web/app/model/recording/markers.js'
import { atSpeed, goTo, position, run, STANDING, stand } from '../../src/web/app/model/recording/pace.js'
import { atOnce, inSlices } from '../../src/web/app/model/recording/slices.js'
import { Timeline } from '../../src/web/app/model/recording/timeline.js'
import { parseHash, recordingHash } from '../../src/web/app/state/route.js'

const cast = (...lines: unknown[]) => lines.map((line) => JSON.stringify(line)).join('\n')
const V3 = { version: 3, term: { cols: 80, rows: 24 }, timestamp: 1700 }

describe('a cast', () => {
  it('is read in both versions, with times from its start', () => {
    const events = [
      [0.5, 'o', 'a'],
      [0.25, 'r', '100x30'],
      [0.25, 'i', 'typed'],
      [1, 'm', 'turn.started t'],
    ]
    const three = atOnce(readCast(`${cast(V3, ...events)}\n# a comment\n`))
    expect(three).toEqual({
      cols: 80,
      rows: 24,
      startedAt: 1_700_000,
      frames: [
        { at: 0.5, kind: 'output', text: 'a' },
        { at: 0.75, kind: 'size', cols: 100, rows: 30 },
      ],
      marks: [{ at: 2, label: 'turn.started t' }],
      length: 2,
      cut: false,
    })
    const two = atOnce(readCast(cast({ version: 2, width: 9, height: 2 }, [3, 'o', 'x'], [2, 'o', 'y'])))
    expect(two.frames.map(({ at }) => at)).toEqual([3, 3])
  })

  it('may end in half a line, and nowhere else', () => {
    const half = `${cast(V3, [1, 'o', 'a'])}\n[0.5, "o", "b`
    expect(atOnce(readCast(half))).toMatchObject({ cut: true, length: 1 })
    expect(() => atOnce(readCast(`${half}\n[1,"o","c"]\n`))).toThrow(CastFault)
    for (const wrong of ['', '{}', 'null', '[1]', '{"version":1,"width":1,"height":1}'])
      expect(() => atOnce(readCast(wrong))).toThrow(CastFault)
  })

  it('is hostile: sizes are bounded, long output comes in pieces, what is no text is none', () => {
    const made = cast(
      { version: 3, term: { cols: 1e9, rows: -4 } },
      [0, 'o', 'x'.repeat(600_000)],
      [0, 'r', '99999x0'],
      [0, 'o', { evil: 1 }],
      [0, 'zz', 'unknown'],
    )
    const { cols, rows, frames } = atOnce(readCast(made))
    expect([cols, rows]).toEqual([1000, 1])
    expect(frames.at(-1)).toEqual({ at: 0, kind: 'size', cols: 1000, rows: 1 })
    const text = frames.map((frame) => (frame.kind === 'output' ? frame.text : '')).join('')
    expect(text).toBe('x'.repeat(600_000))
    for (const frame of frames) if (frame.kind === 'output') expect(frame.text.length).toBeLessThan(300_000)
  })

  it('is read in slices that others may come between, and can be given up', async () => {
    const lines = Array.from({ length: 9000 }, () => [0.001, 'o', 'a'])
    let now = 0
    let rests = 0
    const slices = {
      // Every look at the clock finds it later: each piece is too long.
      now: () => (now += 20),
      rest: async () => {
        rests += 1
      },
      signal: new AbortController().signal,
    }
    const read = await inSlices(readCast(cast(V3, ...lines)), slices)
    expect([read.frames.length, read.length]).toEqual([9000, 9])
    expect(rests).toBeGreaterThan(2)
    const gone = AbortSignal.abort(new Error('gone'))
    await expect(inSlices(readCast(cast(V3, ...lines)), { ...slices, signal: gone })).rejects.toThrow('gone')
  })
})

describe('the two times of a recording', () => {
  it('are one while pauses stay', () => {
    const line = new Timeline([1, 50], 60, null)
    expect(line.watchedLength).toBe(60)
    for (const t of [0, 0.5, 1, 33, 50, 60]) expect(line.watched(t)).toBe(t)
  })

  it('differ by what is cut of long pauses, also of the last one', () => {
    const line = new Timeline([1, 2, 12, 13], 113, 2)
    expect(line.watchedLength).toBe(1 + 1 + 2 + 1 + 2)
    expect([0, 1, 2, 7, 12, 13, 63, 113].map((t) => line.watched(t))).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
    expect(line.recorded(3)).toBe(7)
    expect([line.recorded(-1), line.recorded(99), line.watched(999)]).toEqual([0, 113, 7])
  })

  it('are never out of order, and lead back to each other', () => {
    const pauses = fc.array(fc.double({ min: 0, max: 30, noNaN: true }), { maxLength: 30 })
    const limit = fc.option(fc.double({ min: 0.1, max: 5, noNaN: true }), { nil: null })
    fc.assert(
      fc.property(pauses, limit, (gaps, most) => {
        let at = 0
        const times = gaps.map((gap) => (at += gap))
        const line = new Timeline(times, at, most)
        expect(line.watchedLength).toBeLessThanOrEqual(at + 1e-9)
        let before = -1
        for (const time of [0, ...times]) {
          const watched = line.watched(time)
          expect(watched).toBeGreaterThanOrEqual(before)
          expect(line.recorded(watched)).toBeCloseTo(time, 6)
          before = watched
        }
        expect(line.watched(at)).toBeCloseTo(line.watchedLength, 9)
      }),
    )
  })
})

describe('the pace', () => {
  it('runs, stands, changes its speed and its place without a leap', () => {
    let pace = run(STANDING, 1000, 100)
    expect(position(pace, 3000, 100)).toBe(2)
    pace = atSpeed(pace, 4, 3000, 100)
    expect(position(pace, 3000, 100)).toBe(2)
    expect(position(pace, 5000, 100)).toBe(10)
    pace = goTo(pace, 50, 5000, 100)
    expect(position(pace, 6000, 100)).toBe(54)
    pace = stand(pace, 6000, 100)
    expect(position(pace, 99_000, 100)).toBe(54)
    pace = goTo(pace, 7, 99_000, 100)
    expect([pace.since, position(pace, 100_000, 100)]).toEqual([null, 7])
  })

  it('ends at the end, and begins anew from there', () => {
    const pace = run(STANDING, 0, 10)
    expect(position(pace, 60_000, 10)).toBe(10)
    const ended = stand(pace, 60_000, 10)
    expect(position(run(ended, 70_000, 10), 71_000, 10)).toBe(1)
    expect(position(goTo(ended, -5, 0, 10), 0, 10)).toBe(0)
  })
})

describe('markers', () => {
  const marks = [
    { at: 1, label: 'turn.started t1' },
    { at: 2, label: 'state running (r)' },
    { at: 5, label: 'approval.requested a1 Allow?' },
    { at: 5.2, label: 'state blocked (r)' },
    { at: 9, label: 'turn.started t2' },
  ]

  it('are turns and dialogs, as the session marked them', () => {
    expect(markersOf(marks, [])).toEqual([
      { at: 1, kind: 'turn', label: 'Turn 1' },
      { at: 5, kind: 'blocked', label: 'A dialog opens' },
      { at: 9, kind: 'turn', label: 'Turn 2' },
    ])
  })

  it('come from the conversation where the session marked nothing', () => {
    const { events } = atOnce(readReplay(REPLAY))
    expect(markersOf([{ at: 0, label: 'a chapter of somebody else' }], events)).toEqual([
      { at: 1, kind: 'turn', label: 'Turn 1' },
      { at: 6, kind: 'blocked', label: 'A dialog opens' },
    ])
  })

  it('are gone to one by one, both ways', () => {
    const all = markersOf(marks, [])
    expect([0, 1, 5, 9].map((at) => nextMarker(all, at)?.at)).toEqual([1, 5, 9, undefined])
    // One that was only just passed is passed over, unless there is no other.
    expect([99, 9, 5.5, 1.5, 1].map((at) => previousMarker(all, at)?.at)).toEqual([9, 5, 1, 1, undefined])
  })
})

const said = (t: number, id: string, text: string) => [
  {
    t,
    type: 'item.started',
    source: 'screen',
    itemId: id,
    turnId: null,
    kind: 'assistant_message',
    item: { kind: 'assistant_message', text: '' },
  },
  {
    t,
    type: 'item.delta',
    source: 'screen',
    itemId: id,
    turnId: null,
    kind: 'assistant_message',
    offset: 0,
    delta: text.slice(0, 3),
  },
  {
    t: t + 1,
    type: 'item.completed',
    source: 'screen',
    itemId: id,
    turnId: null,
    item: { kind: 'assistant_message', text },
  },
]
const SUMMARY = {
  recording: 's-1',
  vendor: 'x',
  vendorVersion: null,
  told: 'screen',
  events: 0,
  complete: true,
  detail: null,
}
const REPLAY = cast(
  SUMMARY,
  { t: 1, type: 'turn.started', source: 'screen', turnId: 't1' },
  ...said(2, 'a', 'first answer'),
  ...said(4, 'b', 'second answer'),
  { t: 6, type: 'session.state', source: 'screen', state: 'blocked', rule: 'r', evidence: [] },
)

describe('the conversation of a recording', () => {
  const texts = (at: ConversationAt, time: number) =>
    at.at(time).entries.map((entry) => (entry.type === 'item' ? entry.live || entry.item?.kind : entry.type))

  it('is shown as far as the time goes, in any order of times', () => {
    const { events } = atOnce(readReplay(REPLAY))
    const at = new ConversationAt('s-1', events)
    expect(texts(at, 0)).toEqual([])
    expect(texts(at, 6)).toEqual(['assistant_message', 'assistant_message'])
    expect(texts(at, 4.5)).toEqual(['assistant_message', 'sec'])
    expect(texts(at, 2)).toEqual(['fir'])
    expect(at.at(2.2)).toBe(at.at(2.9))
    expect(at.at(7).state?.state).toBe('blocked')
  })

  it('is the same whether it is reached forward, back or at once', () => {
    const many = Array.from({ length: 400 }, (_, n) => said(n, `i${n}`, `text ${n}`)).flat()
    const { events } = atOnce(readReplay(cast(SUMMARY, ...many.sort((a, b) => a.t - b.t))))
    const moved = new ConversationAt('s-1', events)
    fc.assert(
      fc.property(fc.double({ min: -1, max: 402, noNaN: true }), (time) => {
        expect(moved.at(time)).toEqual(new ConversationAt('s-1', events).at(time))
      }),
      { numRuns: 60 },
    )
  })

  it('is checked: what is no event is left out, and said', () => {
    const text = `${REPLAY}\nnonsense\n${cast({ t: 7, type: 'item.completed', item: '<img>' }, { t: 8, type: 'mode', source: 'screen', mode: 'plan' })}\n`
    const { summary, events } = atOnce(readReplay(text))
    expect(summary).toMatchObject({ complete: false, detail: '2 events are not understood by this page' })
    // Nothing after them is lost.
    expect(new ConversationAt('s-1', events).at(9).mode).toBe('plan')
    expect(() => atOnce(readReplay('{"recording":1}\n'))).toThrow()
  })
})

describe('the address of a recording', () => {
  it('carries its name and a time', () => {
    expect(parseHash('#/recordings/s_1-2?t=12.5')).toEqual({ kind: 'recording', name: 's_1-2', at: 12.5 })
    expect(parseHash(recordingHash('a b/c', 3.06))).toEqual({ kind: 'recording', name: 'a b/c', at: 3.1 })
    expect(parseHash(recordingHash('x'))).toEqual({ kind: 'recording', name: 'x', at: null })
    for (const t of ['', '-1', 'NaN', 'Infinity', 'x'])
      expect(parseHash(`#/recordings/x?t=${t}`)).toMatchObject({ name: 'x', at: null })
    expect(parseHash('#/recordings/')).toEqual({ kind: 'none' })
  })
})
