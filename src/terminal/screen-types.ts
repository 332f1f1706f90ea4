/**
 * @module What a headless screen tells: cells, modes, and frames.
 */
import type { Disposable } from './disposable.js'
import type { OnFault } from './events.js'
import type { ScreenRow } from './screen-row.js'

/** A colour: the terminal's default, a palette index 0 to 255, or `#rrggbb`. */
export type Color = 'default' | number | `#${string}`

/** How one cell is drawn. */
export interface CellStyle {
  readonly fg: Color
  readonly bg: Color
  readonly bold: boolean
  readonly dim: boolean
  readonly italic: boolean
  readonly underline: boolean
  readonly inverse: boolean
  readonly invisible: boolean
  readonly strikethrough: boolean
}

export const PLAIN_STYLE: CellStyle = {
  fg: 'default',
  bg: 'default',
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
  invisible: false,
  strikethrough: false,
}

/** Neighbouring cells of one style. `x` is the first cell's column; wide characters take two columns. */
export interface StyledRun {
  readonly x: number
  readonly text: string
  readonly style: CellStyle
}

export interface Cursor {
  readonly x: number
  /** Row of the viewport, 0 at the top. */
  readonly y: number
  readonly visible: boolean
}

/** What the program switched on. */
export interface ScreenModes {
  readonly bracketedPaste: boolean
  readonly altScreen: boolean
  readonly applicationCursor: boolean
  readonly mouse: boolean
  /** A synchronized update (DEC 2026) is open: the screen is half drawn. */
  readonly sync2026: boolean
}

/** Rows joined over the emulator's own wrap flags. */
export interface LogicalLine {
  /** First viewport row of the line. */
  readonly row: number
  /** How many viewport rows it takes. */
  readonly rows: number
  readonly text: string
  /** The line began above the viewport: its head is in the scrollback. */
  readonly cut: boolean
}

/** What a program says beside its text, the newest of each kind. */
export interface ScreenSignals {
  /** OSC 9;4: state 0 none, 1 normal, 2 error, 3 indeterminate, 4 paused; `value` 0 to 100 where told. */
  readonly progress: { readonly state: number; readonly value: number | null } | null
  /** OSC 7501 program status, as sent. */
  readonly status: string | null
  /** OSC 9 or 777 notification. */
  readonly notification: string | null
  /** How many bells rang so far. */
  readonly bells: number
}

/** One settled screen. It is a snapshot: it stays true after the screen went on. */
export interface Frame {
  /** Grows by one with each frame of a screen, from 1. */
  readonly n: number
  /** Milliseconds of the injected clock. */
  readonly at: number
  readonly cols: number
  readonly rows: number
  /** Viewport rows that may differ from the frame before, sorted. All of them after a resize, buffer switch or erase. */
  readonly changedRows: readonly number[]
  readonly cursor: Cursor
  readonly title: string
  readonly modes: ScreenModes
  readonly signals: ScreenSignals
  /**
   * Number of the viewport's first row among all rows that the normal screen ever had (those that left the scrollback
   * count too); 0 on the alternate screen, which has no scrollback.
   */
  readonly base: number
  /** Number of the oldest row that is still in the scrollback; `base` where there is none. */
  readonly oldest: number
  /** A row of the viewport, 0 at the top. */
  row(y: number): ScreenRow
  /** A row of the scrollback or the viewport by its number; only within the frame's listener. */
  history(n: number): ScreenRow
  /** Text of a viewport row without trailing blanks; empty outside the viewport. */
  text(y: number): string
  /** Whether a row goes on with the line of the row above. */
  wrapped(y: number): boolean
  lines(): readonly LogicalLine[]
}

/** Time as the screen sees it; injected so that a test or a replay owns it. */
export interface ScreenClock {
  /** Milliseconds, monotonic. */
  now(): number
  /** Calls back once after `ms`; disposing calls it off. */
  after(ms: number, callback: () => void): Disposable
}

export interface ScreenOptions {
  readonly cols: number
  readonly rows: number
  /** Lines kept above the viewport; 600 unless told. */
  readonly scrollback?: number
  /** Shortest time between two frames while bytes keep coming, in ms; 33 unless told. */
  readonly minFrameMs?: number
  /** Longest that an open synchronized update can hold back a frame, in ms; 150 unless told. */
  readonly maxSyncMs?: number
  readonly clock?: ScreenClock
  /** Told what a frame's listener threw; a warning of the process unless told. */
  readonly onFault?: OnFault
}
