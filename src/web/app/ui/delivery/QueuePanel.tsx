/** @module web/ui/delivery/QueuePanel - the prompts that wait, in order; every page shows and changes the same ones. */
import { useLayoutEffect, useRef, useState } from 'react'
import type { EditQueued } from '../../../../protocol/commands.js'
import type { Delivery } from '../../model/view.js'
import { FaultNote } from '../FaultNote.js'
import { useApp } from '../hooks.js'
import { useAction } from '../useAction.js'
import { type Editing, LostEdit } from './QueueEditor.js'
import { QueueRow } from './QueueRow.js'

export interface QueuePanelProps {
  sessionId: string
  queue: readonly Delivery[]
  turnRuns: boolean
}

export function QueuePanel({ sessionId, queue, turnRuns }: QueuePanelProps) {
  const app = useApp()
  const { busy, fault, run, clear } = useAction()
  const [editing, setEditing] = useState<Editing | null>(null)
  const list = useRef<HTMLOListElement>(null)
  /** The button that moved its row, which takes the focus along. */
  const pressed = useRef<{ messageId: string; direction: string } | null>(null)
  const order = queue.map(({ messageId }) => messageId).join('\n')

  // biome-ignore lint/correctness/useExhaustiveDependencies: a row that moves in the page loses the focus
  useLayoutEffect(() => {
    const { messageId, direction } = pressed.current ?? {}
    pressed.current = null
    if (messageId === undefined) return
    const row = [...(list.current?.children ?? [])].find(
      (one) => one.getAttribute('data-message-id') === messageId,
    )
    const buttons = row?.querySelectorAll<HTMLButtonElement>('[data-move]:not(:disabled)') ?? []
    const same = [...buttons].find((button) => button.dataset.move === direction)
    const target = same ?? buttons[0]
    target?.focus()
  }, [order])

  const lost = editing !== null && !queue.some(({ messageId }) => messageId === editing.messageId)
  if (queue.length === 0 && !lost && fault === null) return null

  // One at a time. The buttons stay enabled meanwhile: a disabled one would lose the focus.
  const act = (what: () => Promise<unknown>) => (busy ? Promise.resolve(false) : run(what))
  const change = (messageId: string, how: EditQueued) =>
    act(() => app.delivery.edit(sessionId, messageId, how))
  const move = (place: number, direction: 'up' | 'down') => {
    const messageId = queue[place]?.messageId
    const before = queue[direction === 'up' ? place - 1 : place + 2]?.messageId ?? null
    if (messageId === undefined || busy) return
    pressed.current = { messageId, direction }
    void change(messageId, { before }).then((went) => {
      if (!went) pressed.current = null
    })
  }
  const save = async ({ messageId, text }: Editing) => {
    if (await change(messageId, { text })) setEditing(null)
  }
  return (
    <section className="queue" aria-label="Prompts that wait" data-testid="queue">
      {queue.length > 0 && (
        <h2 className="queue-title">
          {queue.length === 1 ? '1 prompt waits' : `${queue.length} prompts wait`}
        </h2>
      )}
      <ol className="queue-list" ref={list}>
        {queue.map((delivery, place) => (
          <QueueRow
            key={delivery.messageId}
            delivery={delivery}
            place={place}
            last={place === queue.length - 1}
            busy={busy}
            turnRuns={turnRuns}
            editing={editing?.messageId === delivery.messageId ? editing : null}
            onEditing={setEditing}
            onSave={(edited) => void save(edited)}
            onMove={(direction) => move(place, direction)}
            onSteer={() => void change(delivery.messageId, { how: 'steer' })}
            onRemove={() => void act(() => app.delivery.withdraw(sessionId, delivery.messageId))}
          />
        ))}
      </ol>
      {lost && editing !== null && (
        <LostEdit
          text={editing.text}
          onPutBack={() => {
            app.messages.putBack(sessionId, editing.text)
            setEditing(null)
            clear()
          }}
          onDiscard={() => {
            setEditing(null)
            clear()
          }}
        />
      )}
      {fault !== null && (
        <div className="queue-fault">
          <FaultNote fault={fault} />
          <button type="button" className="link-button" onClick={clear}>
            Dismiss
          </button>
        </div>
      )}
    </section>
  )
}
