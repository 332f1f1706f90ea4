/** @module test/support/screen-rows - a screen as adapters see it, made from bytes by the real emulator. */
import type { ScreenView } from '../../src/adapter/index.js'
import { screenView } from '../../src/session/screen-view.js'
import { type Frame, Screen } from '../../src/terminal/index.js'

/** The settled screen after these bytes (`\n` is a new row). Escape sequences are obeyed; `alternate` switches first. */
export function screenOf(
  text: string,
  size: { cols?: number; rows?: number; alternate?: boolean } = {},
): ScreenView {
  const screen = new Screen({
    cols: size.cols ?? 100,
    rows: size.rows ?? 30,
    minFrameMs: 0,
    clock: { now: () => 0, after: () => ({ dispose: () => undefined }) },
  })
  let last: Frame | null = null
  screen.onFrame((frame) => {
    last = frame
  })
  const bytes = (size.alternate ? '\x1b[?1049h' : '') + text.replace(/\r?\n/g, '\r\n')
  screen.write(Buffer.from(bytes, 'utf8'))
  if (last === null) throw new Error('no frame was drawn')
  return screenView(last)
}
