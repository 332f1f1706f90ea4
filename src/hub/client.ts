/** @module hub/client - the hub as its callers see it; what the CLI may import of this room. */
export { type ConnectOptions, type HubAddress, HubClient } from './client/hub-client.js'
export type { HubStream, OutgoingFrame, StreamFrame } from './client/hub-stream.js'
export { connectOrStart, type StartOptions, startHub, stopHub } from './client/lifecycle.js'
export { isLocked as isHubRunning } from './lock.js'
export {
  type HubFile,
  prepareState,
  readHubFile,
  readToken,
  type StatePaths,
  stateHome,
  statePaths,
} from './state.js'
export { environment, inspectVendors, type VersionOf, versionReader } from './vendors.js'
export { packageRoot, packageVersion } from './version.js'
