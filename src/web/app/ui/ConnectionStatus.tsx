/** @module web/ui/ConnectionStatus - how the connection to the hub stands. */
import { useApp, useAppState, useNow } from './hooks.js'

export function ConnectionStatus() {
  const app = useApp()
  const connection = useAppState((state) => state.connection)
  const waiting = connection.status === 'reconnecting'
  const now = useNow(500, waiting)
  const seconds = waiting ? Math.max(0, Math.ceil((connection.retryAt - now) / 1000)) : 0
  return (
    <div className="connection" data-testid="connection" data-status={connection.status}>
      <span className="connection-dot" aria-hidden="true" />
      <span role="status">
        {connection.status === 'open' && 'connected'}
        {connection.status === 'connecting' && 'connecting…'}
        {waiting && 'reconnecting…'}
      </span>
      {waiting && (
        <button type="button" className="link-button" onClick={() => app.retryNow()}>
          {seconds > 0 ? `in ${seconds} s · now` : 'now'}
        </button>
      )}
    </div>
  )
}
