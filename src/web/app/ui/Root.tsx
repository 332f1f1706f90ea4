/** @module web/ui/Root - the page for a browser that is paired, or what to do when it is not. */
import { AccessPage } from './AccessPage.js'
import { useAppState } from './hooks.js'
import { Workspace } from './Workspace.js'

export function Root() {
  const access = useAppState((state) => state.access)
  return access.kind === 'paired' ? <Workspace /> : <AccessPage access={access} />
}
