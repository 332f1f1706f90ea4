/** @module web/ui/composer/CommandForm - the argument of a chosen command, and what went wrong with its run. */
import { type FormEvent, useId, useState } from 'react'
import type { SessionCommand } from '../../../../protocol/commands.js'
import { SLASH } from '../../model/command-menu.js'
import { visible } from '../../model/visible.js'
import { FaultNote } from '../FaultNote.js'
import type { Action } from '../useAction.js'

export interface CommandFormProps {
  command: SessionCommand
  action: Action
  onRun: (argument: string | undefined) => void
  onClose: () => void
}

export function CommandForm({ command, action, onRun, onClose }: CommandFormProps) {
  const heading = useId()
  const field = useId()
  const { busy, fault } = action
  const { choices, argument: wants } = command
  const first = wants === 'required' ? (choices?.[0] ?? '') : ''
  const [argument, setArgument] = useState(first)
  const ready = !busy && (wants !== 'required' || argument.trim() !== '')

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (ready) onRun(argument.trim() === '' ? undefined : argument.trim())
  }
  const hint = command.argumentHint ?? 'argument'
  return (
    <form
      className="card command-form"
      aria-labelledby={heading}
      data-testid="command-form"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || busy) return
        event.preventDefault()
        onClose()
      }}
    >
      <p id={heading}>
        <strong>{command.name === SLASH ? "The vendor's own command" : visible(command.name)}</strong>{' '}
        <span className="muted">{visible(command.description)}</span>
      </p>
      {wants !== 'none' && (
        <div className="command-argument">
          <label htmlFor={field}>
            {visible(hint)}
            {wants === 'optional' && ' (optional)'}
          </label>
          {choices === null ? (
            <input
              // biome-ignore lint/a11y/noAutofocus: the person has just chosen the command
              autoFocus
              id={field}
              name="argument"
              maxLength={10_000}
              value={argument}
              placeholder={visible(hint)}
              autoComplete="off"
              spellCheck={false}
              disabled={busy}
              onChange={(event) => setArgument(event.target.value)}
            />
          ) : (
            <select
              // biome-ignore lint/a11y/noAutofocus: the person has just chosen the command
              autoFocus
              id={field}
              name="argument"
              value={argument}
              disabled={busy}
              onChange={(event) => setArgument(event.target.value)}
            >
              {wants === 'optional' && <option value="">(none)</option>}
              {choices.map((choice) => (
                <option key={choice} value={choice}>
                  {visible(choice)}
                </option>
              ))}
            </select>
          )}
        </div>
      )}
      {fault !== null && (
        <>
          {fault.code === 'network' && (
            <p>Nobody knows whether it was run. Look at the conversation before you run it again.</p>
          )}
          <FaultNote fault={fault} />
        </>
      )}
      <div className="card-buttons">
        <button type="button" className="button small" onClick={onClose}>
          Close
        </button>
        <button type="submit" className="button small primary" disabled={!ready}>
          {busy ? 'Running…' : 'Run'}
        </button>
      </div>
    </form>
  )
}
