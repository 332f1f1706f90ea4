/**
 * @module What a program says beside its text: OSC 9 and 777 notifications, OSC 9;4 progress, OSC 7501 status, bells.
 * It is hostile input like the text: bounded, never interpreted.
 */
import type { Terminal } from '@xterm/headless'
import type { ScreenSignals } from './screen-types.js'

/** Longest notification or status that is kept, in UTF-16 units. */
const BOUND = 500

/** Listens to a terminal; the returned function tells the newest signals. */
export function watchSignals(terminal: Terminal): () => ScreenSignals {
  let signals: ScreenSignals = { progress: null, status: null, notification: null, bells: 0 }
  const change = (part: Partial<ScreenSignals>) => {
    signals = { ...signals, ...part }
    return false
  }
  terminal.parser.registerOscHandler(9, (data) => {
    const progress = /^4;(\d)(?:;(\d{1,3}))?/.exec(data)
    if (progress === null) return change({ notification: data.slice(0, BOUND) })
    const value = progress[2] === undefined ? null : Number(progress[2])
    return change({ progress: { state: Number(progress[1]), value } })
  })
  terminal.parser.registerOscHandler(777, (data) => change({ notification: data.slice(0, BOUND) }))
  terminal.parser.registerOscHandler(7501, (data) => change({ status: data.slice(0, BOUND) }))
  terminal.onBell(() => change({ bells: signals.bells + 1 }))
  return () => signals
}
