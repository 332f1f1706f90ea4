/** @module session/screen-view - a settled frame as adapters see it. */
import type { ScreenView } from '../adapter/index.js'
import type { Frame, Screen } from '../terminal/index.js'

/** Text is the frame's own; style is the screen's, so the view is good within the frame's listener. */
export function screenView(frame: Frame, screen: Screen): ScreenView {
  return {
    cols: frame.cols,
    rows: frame.rows,
    text: (y) => frame.text(y),
    style: (x, y) => screen.style(x, y),
    cursor: frame.cursor,
    title: frame.title,
  }
}
