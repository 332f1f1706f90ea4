/** @module web/ui/AccessPage - shown instead of everything else while the hub does not know this browser. */
import type { Access } from '../state/app-state.js'
import { useApp } from './hooks.js'

export function AccessPage({ access }: { access: Exclude<Access, { kind: 'paired' }> }) {
  return (
    <main className="access" data-testid="access" data-kind={access.kind}>
      <div className="access-card">
        <Body access={access} />
      </div>
    </main>
  )
}

function Body({ access }: { access: Exclude<Access, { kind: 'paired' }> }) {
  const app = useApp()
  if (access.kind === 'checking') return <p role="status">Connecting…</p>
  if (access.kind === 'unreachable') {
    return (
      <>
        <h1>The hub does not answer</h1>
        <p role="alert">{access.fault.message}</p>
        <p>Start it in a terminal on its machine:</p>
        <pre className="access-command">agent-meow up</pre>
        <button type="button" className="button primary" onClick={() => void app.checkAccess()}>
          Try again
        </button>
      </>
    )
  }
  return (
    <>
      <h1>This browser is not paired</h1>
      {access.fault === null ? (
        <p>A link with a one-time code lets it in. Get a fresh one in a terminal:</p>
      ) : (
        <>
          <p role="alert">The link did not work: {access.fault.message}</p>
          <p>Each link works once and for ten minutes. Get a fresh one in a terminal:</p>
        </>
      )}
      <pre className="access-command">agent-meow up</pre>
      <p className="muted">Then open the address that it prints.</p>
    </>
  )
}
