/** @module cli/killed-hub - a hub that was killed leaves a tmux server with programs on it; who can end them. */
import { isHubRunning, readHubFile, statePaths } from '../hub/client.js'
import type { HubAccess } from './hub-access.js'

/** No hub runs, and the last one did not end by itself: its file is still there, and nobody holds its lock. */
export function wasKilled({ home }: Pick<HubAccess, 'home'>): boolean {
  const paths = statePaths(home)
  return !isHubRunning(paths.lock) && readHubFile(paths) !== null
}

/** Ends the hub of a home, and what a killed one left: the next hub takes its programs over, and ends them with itself. */
export async function endHub(hubs: HubAccess): Promise<void> {
  if (wasKilled(hubs)) await hubs.ensure()
  await hubs.stop()
}
