/** @module session/explain - why a screen was taken for what it was taken for, for people and programs. */
import { type Adapter, type Reading, TranscriptReader } from '../adapter/index.js'
import { MeowError } from '../protocol/errors.js'
import type { ScreenReading, SessionInfo } from '../protocol/session.js'
import { Screen } from '../terminal/index.js'
import { ReplayClock } from './replay.js'
import { screenView } from './screen-view.js'

/** Longer than any frame waits, in ms. */
const SETTLED_MS = 1000

type Shown = Pick<ScreenReading, 'state' | 'rule' | 'evidence' | 'composer' | 'dialog'>

/** A reading as the API tells it. */
export function shownReading({ state, rule, evidence, composer, dialog }: Reading): Shown {
  return {
    state,
    rule,
    evidence: [...evidence],
    composer: composer && { text: composer.text, ghost: composer.ghost },
    dialog: dialog && { ...dialog, options: dialog.options.map((option) => ({ ...option })) },
  }
}

/** What a live session's newest screen was taken for; `conflict` before there is one. */
export function readingOf(
  parts: {
    readonly id: string
    readonly adapter: Adapter
    readonly deps: { readonly now: () => number }
    readonly screen: Screen
    readonly terminal: { readonly size: { readonly cols: number; readonly rows: number } }
    readonly watch: { readonly reading: Reading | null }
  },
  info: SessionInfo,
  readAt: number,
): ScreenReading {
  const { adapter, deps, screen, terminal, watch } = parts
  if (watch.reading === null)
    throw new MeowError('conflict', `session ${parts.id} has drawn nothing yet`, { retryable: true })
  const now = deps.now()
  return {
    ...shownReading(watch.reading),
    ageMs: Math.max(0, now - readAt),
    told: { state: info.state, rule: info.stateRule, ageMs: Math.max(0, now - info.stateSince) },
    blocks: blocksOf(adapter, watch.reading, { ...terminal.size, screen: screen.serialize() }),
  }
}

/** The blocks of one screen (as escape sequences), read by themselves: without what was there before it. */
export function blocksOf(
  { grammar }: Pick<Adapter, 'grammar'>,
  reading: Reading,
  shot: { cols: number; rows: number; screen: string },
): ScreenReading['blocks'] {
  if (grammar === undefined) return []
  const reader = new TranscriptReader(grammar)
  const clock = new ReplayClock()
  const screen = new Screen({ cols: shot.cols, rows: shot.rows, clock })
  try {
    // Redrawn, the screen has lost its title and signals, which only the reading depends on.
    screen.onFrame((frame) => reader.frame(screenView(frame), reading))
    screen.write(Buffer.from(shot.screen))
    clock.advance(SETTLED_MS)
    return shownBlocks(reader.explain()?.blocks ?? [])
  } finally {
    screen.dispose()
  }
}

type Blocks = readonly { rule: string | null; kind: string | null; rows: readonly string[] }[]

export function shownBlocks(blocks: Blocks): ScreenReading['blocks'] {
  return blocks.map(({ rule, kind, rows }) => ({ rule, kind, rows: [...rows] }))
}
