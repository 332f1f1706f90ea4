/** @module web/ui/delivery/Told - answered dialogs, commands and interrupts, as lines of the conversation. */

import { SLASH } from '../../model/command-menu.js'
import type { ApprovalEntry, CommandRunEntry, InterruptEntry, InterruptStage } from '../../model/view.js'
import { visible } from '../../model/visible.js'

const VERDICTS = {
  allow: 'allowed',
  deny: 'denied',
  dismissed: 'dismissed',
  answered: 'answered',
} as const

export function Approval({ entry }: { entry: ApprovalEntry }) {
  return (
    <div className="approval" data-testid="approval" data-verdict={entry.verdict ?? 'open'}>
      <strong>{visible(entry.title)}</strong>
      {entry.detail !== '' && (
        // While a card shows it in full, it is folded here.
        <details open={entry.verdict !== null || entry.options.length === 0}>
          <summary className="muted">What was asked</summary>
          <pre className="evidence">{visible(entry.detail)}</pre>
        </details>
      )}
      <span className="muted">{outcome(entry)}</span>
    </div>
  )
}

function outcome({ verdict, by, option, options }: ApprovalEntry): string {
  if (verdict === null)
    return options.length > 0 ? 'Waits for an answer.' : 'Waits for an answer in the terminal.'
  const who = by === 'terminal' ? 'in the terminal' : `by ${visible(by ?? 'somebody')}`
  const words = `${VERDICTS[verdict]} ${who}`
  return option === null ? words : `${words}: ${visible(option)}`
}

const STATES = { started: 'runs…', done: 'done', failed: 'failed' } as const

export function CommandRun({ entry }: { entry: CommandRunEntry }) {
  const { command, argument, state, detail } = entry
  const vendors = command === SLASH
  const name = vendors ? (argument ?? '') : argument === null ? command : `${command} ${argument}`
  return (
    <p className="told" data-testid="command-run" data-state={state}>
      <span>{vendors ? "The vendor's own command" : 'Command'} </span>
      <code>{visible(name)}</code>
      <span className="told-state" role={state === 'failed' ? 'alert' : 'status'}>
        {' '}
        {STATES[state]}
      </span>
      {detail !== null && detail !== '' && <span className="told-detail">: {visible(detail)}</span>}
    </p>
  )
}

const STAGES: Readonly<Record<InterruptStage, string>> = {
  asked: 'asked',
  again: 'asked again',
  seen: 'seen',
  failed: 'failed',
}

export function Interrupt({ entry }: { entry: InterruptEntry }) {
  const last = entry.stages.at(-1)
  return (
    <div className="told" data-testid="interrupt-stages" data-stage={last?.stage}>
      <span>Interrupt</span>
      <ol className="told-stages">
        {entry.stages.map(({ stage, detail }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: stages are only added at the end
          <li key={place} data-stage={stage}>
            <span className="told-state">{STAGES[stage]}</span>
            {detail !== '' && <span className="told-detail">: {visible(detail)}</span>}
          </li>
        ))}
      </ol>
    </div>
  )
}
