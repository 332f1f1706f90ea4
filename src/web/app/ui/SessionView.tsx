/** @module web/ui/SessionView - one session: header, conversation and terminal, composer. */
import { lazy, Suspense, useMemo } from 'react'
import type { SessionInfo } from '../../../protocol/session.js'
import { waiting } from '../model/receipts.js'
import { shown } from '../model/sessions.js'
import { Attention } from './Attention.js'
import { Composer } from './Composer.js'
import { ConversationLog } from './ConversationLog.js'
import { useAppState } from './hooks.js'
import { SessionHeader } from './SessionHeader.js'

// The terminal is the heaviest part and often not looked at.
const TerminalPane = lazy(() => import('./terminal/TerminalPane.js'))

const NONE: readonly never[] = []

export function SessionView({ info, onMenu }: { info: SessionInfo; onMenu: () => void }) {
  const layout = useAppState((state) => state.layout)
  const view = useAppState((state) => state.views.get(info.id))
  const sent = useAppState((state) => state.sent.get(info.id) ?? NONE)
  const now = useMemo(() => shown(info, view), [info, view])
  return (
    <div className="session" data-layout={layout}>
      <SessionHeader info={info} shown={now} onMenu={onMenu} />
      <div className="session-body">
        {layout !== 'terminal' && (
          <div className="pane-conversation">
            <ConversationLog
              view={view}
              running={now.state === 'running'}
              ended={info.state === 'ended'}
              pending={waiting(view, sent)}
            />
          </div>
        )}
        {layout !== 'conversation' && (
          <div className="pane-terminal">
            <Suspense fallback={<p className="pane-loading">Loading the terminal…</p>}>
              <TerminalPane sessionId={info.id} ended={now.state === 'ended'} />
            </Suspense>
          </div>
        )}
      </div>
      <Attention shown={now} />
      <Composer info={info} shown={now} openTurn={view?.openTurn ?? null} />
    </div>
  )
}
