/** @module web/ui/Composer - where a person writes: Enter sends, Shift+Enter breaks the line. */
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { MAX_PROMPT } from '../../../protocol/commands.js'
import type { SessionInfo } from '../../../protocol/session.js'
import type { Shown } from '../model/sessions.js'
import { EMPTY_DRAFT } from '../state/drafts.js'
import { FaultNote } from './FaultNote.js'
import { useApp, useAppState } from './hooks.js'
import { InterruptButton } from './InterruptButton.js'

export interface ComposerProps {
  info: SessionInfo
  shown: Shown
  openTurn: string | null
}

/** A touch keyboard has no Shift+Enter: there Enter breaks the line, and the button sends. */
const TOUCH = matchMedia('(pointer: coarse)')

/** Highest box, in pixels; beyond it the text scrolls. */
const MAX_HEIGHT = 220

/** States in which a turn may be open: a dialog in it, or a screen that no rule knows. */
const UNSURE: ReadonlySet<string> = new Set(['blocked', 'unknown'])

export function Composer({ info, shown, openTurn }: ComposerProps) {
  const app = useApp()
  const draft = useAppState((state) => state.drafts.get(info.id) ?? EMPTY_DRAFT)
  const box = useRef<HTMLTextAreaElement>(null)
  const ended = shown.state === 'ended'
  const sendable = !ended && !draft.sending && draft.text.trim() !== ''

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const area = box.current
    if (area === null) return
    area.style.height = 'auto'
    area.style.height = `${Math.min(area.scrollHeight + 2, MAX_HEIGHT)}px`
  }, [draft.text])

  const send = () => {
    if (sendable) void app.messages.send(info.id)
  }
  const keyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter belongs to it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || TOUCH.matches) return
    event.preventDefault()
    send()
  }
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {draft.fault !== null && <FaultNote fault={draft.fault} />}
      <div className="composer-box">
        <textarea
          ref={box}
          data-testid="composer"
          aria-label="Message"
          placeholder={ended ? 'This session has ended.' : placeholder(shown.state)}
          rows={1}
          maxLength={MAX_PROMPT}
          value={draft.text}
          disabled={ended}
          readOnly={draft.sending}
          onChange={(event) => app.messages.edit(info.id, event.target.value)}
          onKeyDown={keyDown}
        />
        <div className="composer-buttons">
          <InterruptButton
            sessionId={info.id}
            active={shown.state === 'running' || (openTurn !== null && UNSURE.has(shown.state))}
          />
          <button type="submit" className="button primary" data-testid="send" disabled={!sendable}>
            {draft.sending ? 'Sending…' : 'Send'}
          </button>
        </div>
      </div>
    </form>
  )
}

function placeholder(state: Shown['state']): string {
  if (state === 'running') return 'Write the next message…'
  if (state === 'starting') return 'Write a message; it goes out when the program is ready…'
  return 'Write a message…'
}
