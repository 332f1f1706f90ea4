/** @module hub/client - the hub as its callers see it; what the CLI may import of this room. */
export { HubClient } from './client/hub-client.js'
export type { HubStream, StreamFrame } from './client/hub-stream.js'
export { connectOrStart, type StartOptions, startHub, stopHub } from './client/lifecycle.js'
export { isLocked as isHubRunning } from './lock.js'
export { readHubFile, stateHome, statePaths } from './state.js'
export { environment, inspectVendors } from './vendors.js'
export { packageVersion } from './version.js'
