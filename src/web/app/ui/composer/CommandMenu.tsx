/** @module web/ui/composer/CommandMenu - the commands of a session, to choose from; the composer keeps the focus. */
import { useEffect, useRef } from 'react'
import type { SessionCommand } from '../../../../protocol/commands.js'
import { SLASH } from '../../model/command-menu.js'
import { visible } from '../../model/visible.js'
import type { ApiFault } from '../../net/http.js'
import { FaultNote } from '../FaultNote.js'

export interface CommandMenuProps {
  id: string
  /** Null until the hub has told them. */
  rows: readonly SessionCommand[] | null
  fault: ApiFault | null
  /** Place of the marked row; null: none. */
  marked: number | null
  turnRuns: boolean
  onPick: (command: SessionCommand) => void
}

/** Id of a row, for `aria-activedescendant`. */
export const rowId = (menu: string, place: number): string => `${menu}-${place}`

/** Refused by the session while a turn runs. */
export function mustWait(command: SessionCommand, turnRuns: boolean): boolean {
  return turnRuns && !command.whileRunning
}

export function CommandMenu({ id, rows, fault, marked, turnRuns, onPick }: CommandMenuProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (marked !== null) list.current?.children[marked]?.scrollIntoView({ block: 'nearest' })
  }, [marked])
  return (
    <div className="command-menu" data-testid="command-menu">
      {fault !== null && <FaultNote fault={fault} />}
      {fault === null && rows === null && <p className="muted command-empty">Loading the commands…</p>}
      <div role="listbox" id={id} aria-label="Commands of the session" tabIndex={-1} ref={list}>
        {rows?.map((command, place) => (
          <button
            key={command.name}
            type="button"
            role="option"
            id={rowId(id, place)}
            className="command-row"
            tabIndex={-1}
            aria-selected={place === marked}
            disabled={mustWait(command, turnRuns)}
            // The composer keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPick(command)}
          >
            <span className="command-name">
              {command.name === SLASH ? '/…' : visible(command.name)}
              {command.argument !== 'none' && command.name !== SLASH && (
                <span className="muted"> {visible(command.argumentHint ?? 'argument')}</span>
              )}
            </span>
            <span className="muted command-description">
              {visible(command.description)}
              {mustWait(command, turnRuns) && ' (not while a turn runs)'}
            </span>
          </button>
        ))}
      </div>
    </div>
  )
}
