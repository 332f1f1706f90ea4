/** @module adapter/reading - a settled screen as adapters see it, and what they read there. */
import type { SessionState } from '../protocol/events.js'
import type { Row } from './row.js'

/** A colour: the terminal's default, a palette index 0 to 255, or `#rrggbb`. */
export type Color = 'default' | number | `#${string}`

export interface CellStyle {
  readonly bold: boolean
  readonly dim: boolean
  readonly italic: boolean
  readonly inverse: boolean
  readonly underline: boolean
  readonly strikethrough: boolean
  readonly fg: Color
  readonly bg: Color
}

/** A settled screen. Rows count from 0 at the top of the viewport. */
export interface ScreenView {
  readonly cols: number
  readonly rows: number
  /** A row's text, trailing blanks cut. */
  text(y: number): string
  style(x: number, y: number): CellStyle
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean }
  /** OSC 0/2 title. */
  readonly title: string
  /** The alternate screen is shown: it has no scrollback, history is ours to put together. */
  readonly alternate: boolean
  /** The program takes bracketed pastes; it is off in many full-screen pickers and shells. */
  readonly bracketedPaste: boolean
  readonly signals: Signals
  row(y: number): Row
  /** Number of the viewport's first row among all rows that the normal screen ever had; 0 on the alternate screen. */
  readonly base: number
  /** Number of the oldest row that is still known. */
  readonly oldest: number
  /** A row of the scrollback or viewport by its number. */
  history(n: number): Row
}

/** What a program says beside its text, the newest of each kind. */
export interface Signals {
  /** OSC 9;4: state 0 none, 1 normal, 2 error, 3 indeterminate, 4 paused. */
  readonly progress: { readonly state: number; readonly value: number | null } | null
  /** OSC 7501 program status. */
  readonly status: string | null
  /** OSC 9 or 777 notification. */
  readonly notification: string | null
  readonly bells: number
}

/** Rows of the viewport: `top` is the first, `bottom` the first below. */
export interface Region {
  readonly top: number
  readonly bottom: number
}

export interface Composer {
  /** What a person or we have typed; ghost suggestions are not part of it. */
  readonly text: string
  readonly ghost: string | null
}

export interface Dialog {
  readonly kind: 'permission' | 'question' | 'trust' | 'plan' | 'login' | 'other'
  readonly title: string
  readonly options: readonly { readonly key: string; readonly label: string; readonly selected: boolean }[]
  /** Same dialog, same fingerprint; re-read before any key is pressed. */
  readonly fingerprint: string
}

/** What an adapter saw on one frame: pure, with the rule that decided and its evidence. */
export interface Reading {
  readonly state: SessionState
  readonly rule: string
  readonly evidence: readonly string[]
  readonly composer: Composer | null
  readonly dialog: Dialog | null
  /**
   * How long this idle screen must not change before what it shows counts as whole, in ms; the usual unless told. For
   * programs that paint late, and for screens that look half drawn.
   */
  readonly quietMs?: number
}

/** Whether a prompt may be brought to the vendor now; `reason` says what it waits for. */
export type Admission = { readonly ok: true } | { readonly ok: false; readonly reason: string }
