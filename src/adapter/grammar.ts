/** @module adapter/grammar - how a vendor's transcript is drawn: the declarative part of an adapter that reads it. */
import type { CanonicalTool, ToolStatus } from '../protocol/items.js'
import type { Reading, Region, ScreenView } from './reading.js'
import type { Row } from './row.js'

/** What one block of the transcript says. */
export type ScreenItem = ScreenText | ScreenCall | ScreenNotice

interface ScreenItemBase {
  /** It ended the turn so: the mark of an interrupt, an error after which the program is idle. */
  readonly outcome?: 'interrupted' | 'failed'
}

export interface ScreenText extends ScreenItemBase {
  readonly kind: 'user_message' | 'assistant_message' | 'reasoning' | 'command' | 'compaction' | 'plan'
  readonly text: string
  /** What stands in the place of a text that is folded away; told if nothing of the text was seen. */
  readonly label?: string
}

export interface ScreenNotice extends ScreenItemBase {
  readonly kind: 'notice'
  readonly level: 'info' | 'warning' | 'error'
  readonly text: string
}

export interface ScreenCall extends ScreenItemBase {
  readonly kind: 'tool_call'
  readonly tool: CanonicalTool
  /** The vendor's name of the tool as drawn. */
  readonly name: string
  /** What the screen shows of the input: `{ command }`, `{ path }`, `{ query }`, or null. */
  readonly input: Readonly<Record<string, string>> | null
  readonly status: ToolStatus
  readonly output: string
}

/** Where a row stands. */
export interface RowPlace {
  readonly above: Row | null
  readonly below: Row | null
  /** The block that the row above belongs to; null after furniture, unknown rows and at the top. */
  readonly open: { readonly rule: BlockRule; readonly rows: readonly Row[] } | null
  readonly cols: number
}

/** What a rule may ask when it reads a whole block. */
export interface BlockContext {
  readonly cols: number
  /** The newest block of the transcript: what is drawn may go on. */
  readonly newest: boolean
  /** The whole screen's reading, where the block's end depends on it. */
  readonly reading: Reading
}

/** One kind of block. Rules are asked in order; the first that says yes has the row. */
export interface BlockRule {
  /** `claude.assistant`: shown as the evidence of what it read. */
  readonly id: string
  /** Whether a block begins with this row. A row that the terminal wrapped never begins one. */
  readonly starts: (row: Row, place: RowPlace) => boolean
  /** Whether the row goes on with the open block of this rule; asked after every `starts`, not for blank rows. */
  readonly continues: (row: Row, place: RowPlace) => boolean
  /** A blank row ends it; otherwise blank rows within it belong to it. */
  readonly endsAtBlank?: boolean
  /** The conversation is drawn from its start: what stands above is an old copy. */
  readonly restarts?: boolean
  /**
   * What it says, several items in their order where one row tells of them; null for furniture (banners, spinners, rules, tips)
   * and for what is not drawn enough to tell.
   */
  readonly item: (rows: readonly Row[], context: BlockContext) => ScreenItem | readonly ScreenItem[] | null
}

/** Where the conversation stands on a screen. */
export interface Transcript extends Region {
  /** A row as the rules shall see it (side bars and toasts cut); the screen's own unless told. Alternate screen only. */
  readonly row?: (y: number) => Row
}

/** How a vendor draws its conversation. */
export interface Grammar {
  readonly rules: readonly BlockRule[]
  /** What the program says by itself looks like an answer: between two turns such a text is its own. */
  readonly speaks?: boolean
  /** Rows of the viewport that belong to the conversation; null when this screen shows none of it. */
  transcript(screen: ScreenView, reading: Reading): Transcript | null
}

/** A rule whose rows say nothing: it keeps furniture out of the blocks around it. */
export function furniture(
  id: string,
  starts: BlockRule['starts'],
  continues: BlockRule['continues'] = () => false,
): BlockRule {
  return { id, starts, continues, item: () => null }
}
