/** @module web/ui/Sidebar - every session, newest first. */
import { memo, useMemo } from 'react'
import type { SessionInfo } from '../../../protocol/session.js'
import { formatAge, formatCost, shortPath, tokenCount } from '../model/format.js'
import { newestFirst } from '../model/sessions.js'
import { visible } from '../model/visible.js'
import { ConnectionStatus } from './ConnectionStatus.js'
import { useAppState, useNow } from './hooks.js'
import { RecordingList } from './recordings/RecordingList.js'
import { StateBadge } from './StateBadge.js'

export interface SidebarProps {
  onSelect: (sessionId: string) => void
  onPlay: (recording: string) => void
  onCreate: () => void
}

export function Sidebar({ onSelect, onPlay, onCreate }: SidebarProps) {
  const sessions = useAppState((state) => state.sessions)
  const selected = useAppState((state) => (state.playing === null ? state.selected : null))
  const list = useMemo(() => newestFirst(sessions), [sessions])
  const now = useNow(30_000, true)
  return (
    <aside className="sidebar" aria-label="Sessions">
      <div className="sidebar-head">
        <span className="brand">agent-meow</span>
        <button type="button" className="button primary small" data-testid="new-session" onClick={onCreate}>
          New session
        </button>
      </div>
      <nav className="session-list" aria-label="Session list" data-testid="session-list">
        {list.map((info) => (
          <SessionRow
            key={info.id}
            info={info}
            current={info.id === selected}
            age={formatAge(now - info.createdAt)}
            onSelect={onSelect}
          />
        ))}
        {list.length === 0 && <p className="muted session-list-empty">No sessions.</p>}
      </nav>
      <RecordingList onPlay={onPlay} />
      <ConnectionStatus />
    </aside>
  )
}

interface RowProps {
  info: SessionInfo
  current: boolean
  age: string
  onSelect: (sessionId: string) => void
}

const SessionRow = memo(function SessionRow({ info, current, age, onSelect }: RowProps) {
  return (
    <button
      type="button"
      className="session-row"
      data-testid="session-item"
      data-session-id={info.id}
      data-state={info.state}
      aria-current={current ? 'page' : undefined}
      onClick={() => onSelect(info.id)}
    >
      <span className="session-row-line">
        <span className="session-name">{visible(info.name)}</span>
        <StateBadge state={info.state} />
      </span>
      <span className="session-row-line muted">
        <span className="session-cwd" title={visible(info.cwd)}>
          {visible(shortPath(info.cwd))}
        </span>
        <span>{age}</span>
      </span>
      <span className="session-row-line muted">
        <span className="session-model">
          {info.vendor}
          {info.model !== null && ` · ${visible(info.model)}`}
        </span>
        {tokenCount(info.tokens) > 0 && <span>{formatCost(info.tokens, info.usd)}</span>}
      </span>
    </button>
  )
})
