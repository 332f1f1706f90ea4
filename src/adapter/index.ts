/** @module adapter - the contract between one vendor's folder and the rest. */
export type {
  Adapter,
  AuthStatus,
  Capability,
  HostProbe,
  LaunchPlan,
  LaunchRequest,
  SideChannel,
  SourceContext,
  VendorFacts,
} from './contract.js'
export { type Following, followFile } from './file-follow.js'
export { JsonlTail, type TailHandlers } from './jsonl-tail.js'
export type { Observation, ObservedFact } from './observation.js'
export type { Admission, CellStyle, Color, Composer, Dialog, Reading, ScreenView } from './reading.js'
export type { Condition, Seen, Step } from './steps.js'
