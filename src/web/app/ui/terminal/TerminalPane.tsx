/** @module web/ui/terminal/TerminalPane - the live terminal; read-only until a person switches typing on. */
import '@xterm/xterm/css/xterm.css'
import { useEffect, useRef, useState } from 'react'
import { useApp } from '../hooks.js'
import { Screen } from './screen.js'

export default function TerminalPane({ sessionId, ended }: { sessionId: string; ended: boolean }) {
  const { terminal: link } = useApp()
  const pane = useRef<HTMLDivElement>(null)
  const host = useRef<HTMLDivElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)
  const screen = useRef<Screen | null>(null)
  const [wanted, setTyping] = useState(false)
  const typing = wanted && !ended

  useEffect(() => {
    if (pane.current === null || host.current === null) return
    const made = new Screen(pane.current, host.current, {
      sessionId,
      link,
      leave: () => toggle.current?.focus(),
    })
    screen.current = made
    return () => {
      screen.current = null
      made.dispose()
    }
  }, [sessionId, link])

  useEffect(() => screen.current?.setTyping(typing), [typing])

  return (
    <section className="terminal" aria-label="Live terminal" data-testid="terminal" data-typing={typing}>
      <div className="terminal-bar">
        <button
          ref={toggle}
          type="button"
          role="switch"
          className="switch"
          aria-checked={typing}
          data-testid="terminal-typing"
          disabled={ended}
          onClick={() => setTyping(!typing)}
        >
          <span className="switch-knob" aria-hidden="true" />
          Type into the terminal
        </button>
        <span className="terminal-hint">
          {typing ? 'Keys go to the program. Shift+Esc leaves.' : 'Only shown; keys do nothing.'}
        </span>
      </div>
      <div className="terminal-pane" ref={pane}>
        <div className="terminal-host" ref={host} />
      </div>
    </section>
  )
}
