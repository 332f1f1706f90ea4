/** @module web/ui/TurnFooter - how a turn ended, and what it cost. */
import { describeTokens, formatCost, formatCount, formatDuration, tokenCount } from '../model/format.js'
import type { Turn } from '../model/view.js'
import { visible } from '../model/visible.js'

const WORDS = { completed: 'Done', interrupted: 'Interrupted', failed: 'Failed' } as const

export function TurnFooter({ turn }: { turn: Turn }) {
  const { outcome, usage, startedAt, endedAt } = turn
  if (outcome === null) return null
  return (
    <div className="turn-footer" data-testid="turn" data-outcome={outcome} data-turn-id={turn.turnId}>
      <span className="turn-outcome">{WORDS[outcome]}</span>
      {turn.detail !== null && <span>{visible(turn.detail)}</span>}
      {startedAt !== null && endedAt !== null && (
        <span>{formatDuration(Math.max(0, endedAt - startedAt))}</span>
      )}
      {usage !== null && (
        <>
          <span title={describeTokens(usage.tokens)}>{formatCount(tokenCount(usage.tokens))} tokens</span>
          <span data-testid="turn-cost">{formatCost(usage.tokens, usage.usd)}</span>
        </>
      )}
    </div>
  )
}
