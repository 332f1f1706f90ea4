/** @module web/ui/Dialog - a modal dialog; the browser keeps the focus inside and closes it with Escape. */
import { type ReactNode, useEffect, useId, useRef } from 'react'

export interface DialogProps {
  title: string
  children: ReactNode
  /** Also called for Escape. */
  onClose: () => void
  testId?: string
}

export function Dialog({ title, children, onClose, testId }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog
      ref={dialog}
      className="dialog"
      aria-labelledby={heading}
      data-testid={testId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  )
}
