/** @module web/ui/LayoutSwitch - conversation, terminal, or both. */
import type { Layout } from '../state/app-state.js'
import { useApp, useAppState } from './hooks.js'

const CHOICES: readonly { layout: Layout; label: string }[] = [
  { layout: 'conversation', label: 'Chat' },
  { layout: 'split', label: 'Both' },
  { layout: 'terminal', label: 'Terminal' },
]

export function LayoutSwitch() {
  const app = useApp()
  const current = useAppState((state) => state.layout)
  return (
    <fieldset className="segments" aria-label="View">
      {CHOICES.map(({ layout, label }) => (
        <button
          key={layout}
          type="button"
          aria-pressed={layout === current}
          data-testid={`view-${layout}`}
          onClick={() => app.setLayout(layout)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}
