/** @module web/ui/delivery/ApprovalCard - a dialog of the vendor's program, with its answers as buttons. */
import { type KeyboardEvent, useId, useState } from 'react'
import type { ApprovalEntry } from '../../model/view.js'
import { visible } from '../../model/visible.js'
import { FaultNote } from '../FaultNote.js'
import { useApp, useAppState } from '../hooks.js'
import { useAction } from '../useAction.js'

const LEADS: Readonly<Record<string, string>> = {
  conflict: 'The dialog has changed: nothing was answered.',
  delivery_failed: 'The key was pressed, and the dialog did not go. Look at the terminal.',
  network: 'Nobody knows whether it was answered. Look at the terminal.',
}

/** Remounted (by `key`) for each dialog: what was said of one is never shown for another. */
export function ApprovalCard({ sessionId, approval }: { sessionId: string; approval: ApprovalEntry }) {
  const app = useApp()
  const heading = useId()
  const note = useId()
  const { busy, fault, run } = useAction()
  const [answered, setAnswered] = useState<string | null>(null)
  const denied = useAppState((state) => state.denied.has('approve'))
  const layout = useAppState((state) => state.layout)
  const closed = busy || denied || answered !== null

  const answer = async (key: string, label: string) => {
    if (closed) return
    const went = await run(() => app.delivery.answer(sessionId, approval.approvalId, key))
    if (went) setAnswered(label)
  }
  const keyDown = (event: KeyboardEvent) => {
    // A held key, or one of the browser's own, is no answer.
    if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
    const option = approval.options.find(({ key }) => key.toLowerCase() === event.key.toLowerCase())
    // Enter and space press the focused button.
    if (option === undefined || event.key === 'Enter' || event.key === ' ') return
    event.preventDefault()
    void answer(option.key, option.label)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset scrolls badly
    <div
      className="card approval-card"
      role="group"
      aria-labelledby={heading}
      tabIndex={-1}
      data-testid="approval-card"
      data-approval-id={approval.approvalId}
      onKeyDown={keyDown}
    >
      <div className="card-head">
        <strong id={heading} role="alert">
          {visible(approval.title)}
        </strong>
        {approval.kind !== null && <span className="card-kind">{visible(approval.kind)}</span>}
        {layout === 'conversation' && (
          <button type="button" className="link-button" onClick={() => app.setLayout('split')}>
            Show the terminal
          </button>
        )}
      </div>
      {approval.detail !== '' && (
        <section
          className="approval-detail"
          aria-label="What is asked"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          data-testid="approval-detail"
        >
          <pre>{visible(approval.detail)}</pre>
        </section>
      )}
      {fault !== null && (
        <div data-testid="approval-fault">
          {LEADS[fault.code] !== undefined && <p className="card-lead">{LEADS[fault.code]}</p>}
          <FaultNote fault={fault} />
        </div>
      )}
      <div className="card-buttons approval-options">
        {approval.options.map(({ key, label }) => (
          <button
            key={key}
            type="button"
            className="button small"
            data-testid="approval-option"
            data-key={key}
            aria-keyshortcuts={key}
            aria-describedby={denied ? note : undefined}
            disabled={closed}
            onClick={() => void answer(key, label)}
          >
            <kbd>{visible(key)}</kbd> {visible(label)}
          </button>
        ))}
      </div>
      <p className="muted card-note" id={note} role="status" data-testid="approval-note">
        {denied && 'This page has no right to approve. Answer it in the terminal.'}
        {!denied && busy && 'Answering…'}
        {answered !== null && `Answered: ${visible(answered)}`}
      </p>
    </div>
  )
}
