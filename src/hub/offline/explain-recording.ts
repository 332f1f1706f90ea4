/** @module hub/offline/explain-recording - what a recording's screen was taken for at one moment of it. */
import type { Reading } from '../../adapter/index.js'
import type { ScreenReading } from '../../protocol/session.js'
import { shownBlocks, shownReading } from '../../session/explain.js'
import { replay } from '../../session/replay.js'
import type { OpenedRecording } from './recording-file.js'
import { cutAt } from './replay-recording.js'

/** Null when nothing had been drawn yet. The screen alone is asked; what side channels told is `explainSide`'s. */
export async function explainRecording(
  { cast, vendor }: OpenedRecording,
  atMs?: number,
): Promise<ScreenReading | null> {
  const moment = atMs ?? cast.events.at(-1)?.at ?? 0
  let newest: Reading | null = null
  let seen: { reading: Reading; at: number } | null = null
  let told: { state: Reading['state']; rule: string; at: number } | null = null
  const watched = {
    ...vendor,
    read: (screen: Parameters<typeof vendor.read>[0]) => {
      newest = vendor.read(screen)
      return newest
    },
  }
  const { explained } = await replay(cutAt(cast, moment), watched, {
    // Without a moment the last bytes have a little longer to become a frame.
    onFrame: (at) => {
      if (newest !== null && (atMs === undefined || at <= moment)) seen = { reading: newest, at }
    },
    onEvent: (event) => {
      if (event.type !== 'session.state' || event.t * 1000 > moment) return
      told = { state: event.state, rule: event.rule, at: event.t * 1000 }
    },
  })
  return reading(seen, told, moment, explained?.blocks ?? [])
}

function reading(
  seen: { reading: Reading; at: number } | null,
  told: { state: Reading['state']; rule: string; at: number } | null,
  moment: number,
  blocks: Parameters<typeof shownBlocks>[0],
): ScreenReading | null {
  if (seen === null) return null
  return {
    ...shownReading(seen.reading),
    ageMs: Math.max(0, moment - seen.at),
    told: told && { state: told.state, rule: told.rule, ageMs: Math.max(0, moment - told.at) },
    blocks: shownBlocks(blocks),
  }
}
