/** @module hub/offline - what works on recordings and needs no daemon; open to the CLI beside the client. */
import type { Adapter, VendorReader } from '../adapter/index.js'
import type { ScreenReading } from '../protocol/session.js'
import type { ReplayedEvent } from '../session/replay.js'
import { explainRecording } from './offline/explain-recording.js'
import { explainSide, type ToldBySide } from './offline/explain-side.js'
import { type AddedFixture, addFixture, expectedOf, type NewFixture } from './offline/fixture.js'
import { type OpenedRecording, type OpenOptions, openRecording } from './offline/recording-file.js'
import { type ReplayHow, replayRecording } from './offline/replay-recording.js'

export type { ToldBySide, ToldItem } from './offline/explain-side.js'
export type { NewFixture } from './offline/fixture.js'
export type { OpenedRecording, OpenOptions } from './offline/recording-file.js'
export type { ReplayHow } from './offline/replay-recording.js'
export type { ReplayedEvent, ScreenReading }

/** Recordings, replayed and explained by the vendors that are known. */
export interface Offline {
  /** Opens a recording and finds whose it is. See {@link openRecording} for the errors. */
  open(file: string, options?: OpenOptions): OpenedRecording
  /** Tells its events, in order. Rejects with the signal's reason when that fires. */
  replay(recording: OpenedRecording, how?: ReplayHow): Promise<readonly ReplayedEvent[]>
  /** What its screen was taken for at a moment (ms from its start; its end unless told). */
  explain(recording: OpenedRecording, atMs?: number): Promise<ScreenReading | null>
  /** What its side channels had told by then; null where their log is not there, or was left out. */
  explainSide(recording: OpenedRecording, atMs?: number): Promise<ToldBySide | null>
  /** The lines of each file of events that a fixture of it expects. */
  expected(recording: OpenedRecording): Promise<Record<string, string[]>>
  /** Makes a fixture of it. See {@link addFixture} for the errors. */
  addFixture(fixture: NewFixture): Promise<AddedFixture>
}

export interface OfflineParts {
  /** The vendors whose screens can be read. */
  readonly readers: readonly VendorReader[]
  /** The vendors whose side channels can be replayed. */
  readonly adapters: readonly Adapter[]
}

export function openOffline(parts: OfflineParts): Offline {
  return {
    open: (file, options) => openRecording(file, parts, options),
    replay: replayRecording,
    explain: explainRecording,
    explainSide,
    expected: expectedOf,
    addFixture: (fixture) => addFixture(fixture, parts),
  }
}
