/** @module web/ui/composer/Composer - where a person writes: Enter sends, Shift+Enter breaks the line. */
import { type ClipboardEvent, type KeyboardEvent, useCallback, useId, useLayoutEffect, useRef } from 'react'
import { MAX_PROMPT } from '../../../../protocol/commands.js'
import type { SessionInfo } from '../../../../protocol/session.js'
import { IMAGE_MIMES } from '../../model/images.js'
import type { Shown } from '../../model/sessions.js'
import type { InterruptEntry } from '../../model/view.js'
import { otherWay, wayToSend } from '../../model/ways.js'
import { EMPTY_DRAFT } from '../../state/drafts.js'
import { FaultNote } from '../FaultNote.js'
import { useApp, useAppState } from '../hooks.js'
import { CommandForm } from './CommandForm.js'
import { CommandMenu, rowId } from './CommandMenu.js'
import { ImageTray } from './ImageTray.js'
import { InterruptButton } from './InterruptButton.js'
import { SendButton } from './SendButton.js'
import { useCommands } from './useCommands.js'
import { useImageDrop } from './useImageDrop.js'

export interface ComposerProps {
  info: SessionInfo
  shown: Shown
  /** A turn runs, as far as it is known. */
  turnRuns: boolean
  interrupt: InterruptEntry | null
}

/** A touch keyboard has no Shift+Enter: there Enter breaks the line, and the button sends. */
const TOUCH = matchMedia('(pointer: coarse)')

/** Highest box, in pixels; beyond it the text scrolls. */
const MAX_HEIGHT = 220

export function Composer({ info, shown, turnRuns, interrupt }: ComposerProps) {
  const app = useApp()
  const menu = useId()
  const { id } = info
  const draft = useAppState((state) => state.drafts.get(id) ?? EMPTY_DRAFT)
  const way = useAppState((state) => state.ways.get(id) ?? 'queue')
  const box = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const ended = shown.state === 'ended'
  const sendable = !ended && !draft.sending && draft.reading === 0 && draft.text.trim() !== ''
  const focus = () => box.current?.focus()
  const commands = useCommands({
    sessionId: id,
    text: draft.text,
    turnRuns,
    onTaken: () => app.messages.edit(id, ''),
    onDone: focus,
  })
  const addFiles = useCallback((files: readonly File[]) => void app.messages.addImages(id, files), [app, id])
  useImageDrop(!ended, addFiles)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the height follows the text
  useLayoutEffect(() => {
    const area = box.current
    if (area === null) return
    area.style.height = 'auto'
    area.style.height = `${Math.min(area.scrollHeight + 2, MAX_HEIGHT)}px`
  }, [draft.text])

  const send = (chosen = way) => {
    if (!sendable) return
    commands.hide()
    app.presence.rest()
    void app.messages.send(id, wayToSend(chosen, turnRuns))
  }
  const changed = (text: string) => {
    commands.textChanged(draft.text, text)
    app.messages.edit(id, text)
    if (text === '') app.presence.rest()
    else app.presence.typed(id)
  }
  const keyDown = (event: KeyboardEvent) => {
    if (commands.keyDown(event)) return
    // While an input method composes, Enter belongs to it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || TOUCH.matches) return
    event.preventDefault()
    send(event.altKey ? otherWay(way) : way)
  }
  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    // Programs that copy a text put a picture of it beside.
    if (files.length === 0 || event.clipboardData.getData('text/plain') !== '') return
    event.preventDefault()
    addFiles(files)
  }
  const open = commands.open && !ended
  return (
    <div className="composer">
      {commands.picked !== null && (
        <CommandForm
          key={commands.picked.name}
          command={commands.picked}
          action={commands.running}
          onRun={commands.run}
          onClose={commands.close}
        />
      )}
      {open && (
        <CommandMenu
          id={menu}
          rows={commands.rows}
          fault={commands.loading.fault}
          marked={commands.marked}
          turnRuns={turnRuns}
          onPick={commands.pick}
        />
      )}
      <form
        className="composer-form"
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
      >
        {draft.fault !== null && <FaultNote fault={draft.fault} />}
        <ImageTray sessionId={id} draft={draft} />
        <div className="composer-box">
          <textarea
            ref={box}
            data-testid="composer"
            aria-label="Message"
            aria-autocomplete={open ? 'list' : undefined}
            aria-controls={open ? menu : undefined}
            aria-activedescendant={
              open && commands.marked !== null ? rowId(menu, commands.marked) : undefined
            }
            placeholder={ended ? 'This session has ended.' : placeholder(shown.state)}
            rows={1}
            maxLength={MAX_PROMPT}
            value={draft.text}
            disabled={ended}
            readOnly={draft.sending}
            onChange={(event) => changed(event.target.value)}
            onKeyDown={keyDown}
            onPaste={paste}
            onBlur={commands.hide}
          />
          <div className="composer-buttons">
            <button
              type="button"
              className="icon-button"
              aria-label="Commands"
              aria-expanded={open}
              title="Commands"
              data-testid="commands"
              disabled={ended}
              // Pressing it must not close what it opens.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                if (open) commands.hide()
                else commands.show()
                focus()
              }}
            >
              /
            </button>
            <button
              type="button"
              className="icon-button"
              aria-label="Add images"
              title="Add images (or paste or drop them)"
              data-testid="add-images"
              disabled={ended || draft.sending}
              onClick={() => picker.current?.click()}
            >
              +
            </button>
            <input
              ref={picker}
              type="file"
              hidden
              multiple
              accept={IMAGE_MIMES.join(',')}
              data-testid="image-picker"
              onChange={(event) => {
                addFiles([...(event.target.files ?? [])])
                // The same file may be chosen again.
                event.target.value = ''
              }}
            />
            <InterruptButton sessionId={id} active={turnRuns} underWay={interrupt} />
            <SendButton
              way={way}
              turnRuns={turnRuns}
              sendable={sendable}
              sending={draft.sending}
              disabled={ended}
              onWay={(chosen) => app.delivery.chooseWay(id, chosen)}
            />
          </div>
        </div>
      </form>
    </div>
  )
}

function placeholder(state: Shown['state']): string {
  if (state === 'running') return 'Write the next message…'
  if (state === 'starting') return 'Write a message; it goes out when the program is ready…'
  return 'Write a message…'
}
