/** A recording that begins in the middle of a session tells nothing that the whole one does not. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { adapters, readers } from '../../adapters/registry.js'
// @ts-expect-error a plain script without types
import * as list from '../../scripts/fixtures/list.mjs'
import { openOffline } from '../../src/hub/offline.js'
import { type ReplayedEvent, replayAtOnce } from '../../src/session/replay.js'
import { type Cast, castSize, Screen } from '../../src/terminal/index.js'

interface Fixture {
  name: string
  vendor: string
  cast: string
}
const { listFixtures } = list as { listFixtures(root: string): Fixture[] }
const fixtures = listFixtures(join(fileURLToPath(new URL('../..', import.meta.url)), 'fixtures'))
const offline = openOffline({ adapters, readers })
const CUTS = [0.5, 0.75]
/** What stands for a thought that is folded away changes with time. */
const LABEL = /^Thought/

/** The rest of a recording from a moment on, with the screen as it was then: as the recorder begins in mid-session. */
function from(cast: Cast, share: number): Cast {
  const at = (cast.events.at(-1)?.at ?? 0) * share
  const clock = { now: () => 0, after: () => ({ dispose: () => undefined }) }
  const { cols, rows } = cast.header
  const screen = new Screen({ cols, rows, clock })
  for (const event of cast.events.filter((e) => e.at <= at)) {
    if (event.kind === 'o') screen.write(Buffer.from(event.data))
    const size = event.kind === 'r' ? castSize(event.data) : null
    if (size) screen.resize(size.cols, size.rows)
  }
  const begin = { at, kind: 'o' as const, data: screen.serialize() }
  const header = { ...cast.header, cols: screen.cols, rows: screen.rows }
  screen.dispose()
  return { header, events: [begin, ...cast.events.filter((e) => e.at > at)], cut: false }
}

/** The messages and calls that were told, without white space; of a call its name. */
function said(events: readonly ReplayedEvent[]): { kind: string; text: string }[] {
  return events.flatMap((event) => {
    if (event.type !== 'item.completed') return []
    const { item } = event
    const text = (item.kind === 'tool_call' ? item.name : item.text).replace(/\s+/gu, '')
    return LABEL.test(text) || text === '' ? [] : [{ kind: item.kind, text }]
  })
}

describe.each(readers)('$vendor.id', (reader) => {
  const own = fixtures.filter(({ vendor }) => vendor === reader.vendor.id)

  it.each(own)('$name', ({ cast: path }) => {
    const { cast } = offline.open(path, { vendor: reader.vendor.id })
    const whole = said(replayAtOnce(cast, reader).events)
    for (const cut of CUTS) {
      const others = said(replayAtOnce(from(cast, cut), reader).events).filter(
        ({ kind, text }) =>
          // The head of what the screen did not show any more is not told, and a prompt may be cut, too.
          !whole.some(
            (one) =>
              one.kind === kind &&
              (one.text.includes(text) || (one.text.length > 8 && text.includes(one.text))),
          ),
      )
      expect(others).toEqual([])
    }
  })
})
