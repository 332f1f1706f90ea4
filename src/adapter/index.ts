/** @module adapter - the contract between one vendor's folder and the rest. */
export type {
  Adapter,
  AuthStatus,
  Capability,
  HostProbe,
  LaunchPlan,
  LaunchRequest,
  Prompt,
  SideChannel,
  SourceContext,
  VendorCommand,
  VendorFacts,
  VendorReader,
} from './contract.js'
export { readerOf } from './contract.js'
export { fingerprintOf, questionOf } from './dialog-text.js'
export { type Following, followFile } from './file-follow.js'
export {
  type BlockContext,
  type BlockRule,
  furniture,
  type Grammar,
  type RowPlace,
  type ScreenItem,
  type Transcript,
} from './grammar.js'
export { JsonlTail, type TailHandlers } from './jsonl-tail.js'
export { isNumberedCode, numberedText } from './numbered-code.js'
export type { Observation, ObservedFact } from './observation.js'
export { cutColumns, folded, proseOf, type TextShape } from './plain-text.js'
export type {
  Admission,
  CellStyle,
  Color,
  Composer,
  Dialog,
  Reading,
  Region,
  ScreenView,
  Signals,
} from './reading.js'
export {
  everyCell,
  firstStyle,
  hasBackground,
  indentOf,
  isBlank,
  isBold,
  isDim,
  partsWhere,
  type Row,
  styleAt,
} from './row.js'
export type { Condition, Seen, Step } from './steps.js'
export { type Explained, TranscriptReader } from './transcript/reader.js'
