/** @module web/ui/composer/useCommands - the command menu's state: what is listed, what is marked, what runs. */
import { type KeyboardEvent, useState } from 'react'
import type { SessionCommand } from '../../../../protocol/commands.js'
import { matching, menuFilter, SLASH_COMMAND } from '../../model/command-menu.js'
import { useApp } from '../hooks.js'
import { type Action, useAction } from '../useAction.js'
import { mustWait } from './CommandMenu.js'

export interface Commands {
  readonly open: boolean
  readonly rows: readonly SessionCommand[] | null
  readonly marked: number | null
  readonly loading: Action
  /** The command whose argument is asked for, or that runs. */
  readonly picked: SessionCommand | null
  readonly running: Action
  readonly show: () => void
  readonly hide: () => void
  /** A person changed the composer's text. */
  readonly textChanged: (before: string, after: string) => void
  /** True when the menu took the key. */
  readonly keyDown: (event: KeyboardEvent) => boolean
  readonly pick: (command: SessionCommand) => void
  readonly run: (argument: string | undefined) => void
  readonly close: () => void
}

export interface UseCommands {
  readonly sessionId: string
  readonly text: string
  readonly turnRuns: boolean
  /** The typed `/` was a choice in the menu, no text. */
  readonly onTaken: () => void
  /** The composer is to have the focus again. */
  readonly onDone: () => void
}

export function useCommands({ sessionId, text, turnRuns, onTaken, onDone }: UseCommands): Commands {
  const app = useApp()
  const loading = useAction()
  const running = useAction()
  /** `typed`: by a `/`, whose further letters filter; `asked`: by the button, whatever stands in the composer. */
  const [open, setOpen] = useState<'typed' | 'asked' | null>(null)
  const [list, setList] = useState<readonly SessionCommand[] | null>(null)
  const [moved, setMoved] = useState<number | null>(null)
  const [picked, setPicked] = useState<SessionCommand | null>(null)

  const filter = open === 'typed' ? (menuFilter(text) ?? '') : ''
  const found = list === null ? null : matching(list, filter)
  const rows = found === null ? null : [...found, SLASH_COMMAND]
  // Without a person's own move only a command of the list is marked: any other text stays text.
  const marked = rows === null ? null : (moved ?? (found !== null && found.length > 0 ? 0 : null))

  const begin = (how: 'typed' | 'asked') => {
    setOpen(how)
    setMoved(null)
    // Asked for anew each time: what a vendor takes may change with its state.
    void loading.run(async () => setList(await app.delivery.commands(sessionId)))
  }
  const run = async (command: SessionCommand, argument: string | undefined) => {
    const body = { command: command.name, ...(argument === undefined ? {} : { argument }) }
    if (!(await running.run(() => app.delivery.runCommand(sessionId, body)))) return
    setPicked(null)
    onDone()
  }
  const pick = (command: SessionCommand) => {
    if (mustWait(command, turnRuns)) return
    if (open === 'typed') onTaken()
    setOpen(null)
    running.clear()
    setPicked(command)
    if (command.argument === 'none') void run(command, undefined)
  }
  const move = (to: number) => {
    if (rows !== null && rows.length > 0) setMoved((to + rows.length) % rows.length)
  }
  return {
    open: open !== null,
    rows,
    marked,
    loading,
    picked,
    running,
    pick,
    show: () => begin('asked'),
    hide: () => setOpen(null),
    textChanged: (before, after) => {
      setMoved(null)
      if (before === '' && after === '/') begin('typed')
      else if (open !== null && (open === 'asked' || menuFilter(after) === null)) setOpen(null)
    },
    keyDown: (event) => {
      if (open === null || event.nativeEvent.isComposing) return false
      if (event.key === 'Escape') setOpen(null)
      else if (event.key === 'ArrowDown') move((marked ?? -1) + 1)
      else if (event.key === 'ArrowUp') move((marked ?? 0) - 1)
      else if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
        const command = marked === null ? undefined : rows?.[marked]
        if (command === undefined) return false
        pick(command)
      } else return false
      event.preventDefault()
      return true
    },
    run: (argument) => {
      if (picked !== null) void run(picked, argument)
    },
    close: () => {
      setPicked(null)
      running.clear()
      onDone()
    },
  }
}
