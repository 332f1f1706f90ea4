/** @module web/ui/SessionView - one session: header, conversation and terminal, what waits, composer. */
import { lazy, Suspense, useMemo } from 'react'
import type { SessionInfo } from '../../../protocol/session.js'
import { answerable } from '../model/asked.js'
import { unsettled } from '../model/receipts.js'
import { shown } from '../model/sessions.js'
import type { Conversation, InterruptEntry } from '../model/view.js'
import { Attention } from './Attention.js'
import { ConversationLog } from './ConversationLog.js'
import { Composer } from './composer/Composer.js'
import { ApprovalCard } from './delivery/ApprovalCard.js'
import { Presence } from './delivery/Presence.js'
import { QueuePanel } from './delivery/QueuePanel.js'
import { useAppState } from './hooks.js'
import { SessionHeader } from './SessionHeader.js'

// The terminal is the heaviest part and often not looked at.
const TerminalPane = lazy(() => import('./terminal/TerminalPane.js'))

const NONE: readonly never[] = []

/** States in which a turn may be open: a dialog in it, or a screen that no rule knows. */
const UNSURE: ReadonlySet<string> = new Set(['blocked', 'unknown'])

export function SessionView({ info, onMenu }: { info: SessionInfo; onMenu: () => void }) {
  const layout = useAppState((state) => state.layout)
  const view = useAppState((state) => state.views.get(info.id))
  const sent = useAppState((state) => state.sent.get(info.id) ?? NONE)
  const now = useMemo(() => shown(info, view), [info, view])
  const turnRuns = now.state === 'running' || (view?.openTurn != null && UNSURE.has(now.state))
  const { queued, underWay } = unsettled(view, sent, now.state === 'idle' && !turnRuns)
  const approval = now.state === 'ended' ? null : answerable(view)
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
              pending={underWay}
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
      <div className="session-foot">
        <div className="session-waits">
          {approval === null ? (
            <Attention shown={now} />
          ) : (
            <ApprovalCard key={approval.key} sessionId={info.id} approval={approval} />
          )}
          {now.state !== 'ended' && <QueuePanel sessionId={info.id} queue={queued} turnRuns={turnRuns} />}
          {now.state !== 'ended' && <Presence sessionId={info.id} view={view} />}
        </div>
        <Composer info={info} shown={now} turnRuns={turnRuns} interrupt={openInterrupt(view)} />
      </div>
    </div>
  )
}

function openInterrupt(view: Conversation | undefined): InterruptEntry | null {
  const place = view?.places.get(view.openInterrupt ?? '')
  const entry = place === undefined ? undefined : view?.entries[place]
  return entry?.type === 'interrupt' ? entry : null
}
