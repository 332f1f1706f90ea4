/** @module web/ui/delivery/QueueEditor - changes the text of a prompt that waits, where it stands. */
import type { KeyboardEvent } from 'react'
import { MAX_PROMPT } from '../../../../protocol/commands.js'

/** An edit that is not saved yet. */
export interface Editing {
  readonly messageId: string
  readonly text: string
  /** The text when the edit began: another page may change it meanwhile. */
  readonly base: string
}

export interface QueueEditorProps {
  editing: Editing
  /** The text of the prompt now. */
  present: string
  label: string
  busy: boolean
  onEditing: (editing: Editing | null) => void
  onSave: (editing: Editing) => void
}

export function QueueEditor({ editing, present, label, busy, onEditing, onSave }: QueueEditorProps) {
  const savable = !busy && editing.text.trim() !== ''
  const keyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') onEditing(null)
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && savable) onSave(editing)
    else return
    event.preventDefault()
  }
  return (
    <div className="queue-editor">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to edit it
        autoFocus
        aria-label={label}
        rows={3}
        maxLength={MAX_PROMPT}
        value={editing.text}
        onChange={(event) => onEditing({ ...editing, text: event.target.value })}
        onKeyDown={keyDown}
      />
      {present !== editing.base && (
        <p className="queue-note" role="status">
          It was changed in another page meanwhile; saving replaces that.
        </p>
      )}
      <div className="card-buttons">
        <button type="button" className="button small" onClick={() => onEditing(null)}>
          Cancel
        </button>
        <button
          type="button"
          className="button small primary"
          aria-keyshortcuts="Control+Enter"
          disabled={!savable}
          onClick={() => onSave(editing)}
        >
          Save
        </button>
      </div>
    </div>
  )
}

export interface LostEditProps {
  text: string
  onPutBack: () => void
  onDiscard: () => void
}

/** The prompt left the queue while it was edited: what was written is not lost. */
export function LostEdit({ text, onPutBack, onDiscard }: LostEditProps) {
  return (
    <div className="queue-lost" role="alert" data-testid="lost-edit">
      <p>The prompt that you were editing waits no longer: it is on its way already, without this change.</p>
      <p className="queue-text">{text}</p>
      <div className="card-buttons">
        <button type="button" className="button small" onClick={onDiscard}>
          Discard the change
        </button>
        <button type="button" className="button small" onClick={onPutBack}>
          Put it into the composer
        </button>
      </div>
    </div>
  )
}
