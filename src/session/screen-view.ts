/** @module session/screen-view - a settled frame as adapters see it. */
import type { ScreenView } from '../adapter/index.js'
import type { Frame } from '../terminal/index.js'

/** A snapshot but for its scrollback, which is good within the frame's listener. */
export function screenView(frame: Frame): ScreenView {
  return {
    cols: frame.cols,
    rows: frame.rows,
    text: (y) => frame.text(y),
    style: (x, y) => frame.row(y).style(x),
    cursor: frame.cursor,
    title: frame.title,
    alternate: frame.modes.altScreen,
    bracketedPaste: frame.modes.bracketedPaste,
    signals: frame.signals,
    row: (y) => frame.row(y),
    base: frame.base,
    oldest: frame.oldest,
    history: (n) => frame.history(n),
  }
}
