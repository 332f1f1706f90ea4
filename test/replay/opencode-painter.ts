/** @module test/replay/opencode-painter - screens as OpenCode draws them in its own dark theme, row by row. */
import type { ScreenView } from '../../src/adapter/index.js'
import { screenOf } from '../support/screen-rows.js'

export const PAGE = '0a0a0a'
export const PANEL = '141414'
export const INPUT = '1e1e1e'
export const TEXT = 'eeeeee'
export const MUTED = '808080'
export const AGENT = '5c9cf5'
export const ORANGE = 'f5a742'
export const RED = 'e06c75'
export const WIDE = 80

const rgb = (kind: 38 | 48, hex: string) =>
  `\x1b[${kind};2;${[0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(';')}m`
/** A piece of a row. */
export const piece = (text: string, fg: string, bg = PAGE, extra = '') =>
  `${extra}${rgb(38, fg)}${rgb(48, bg)}${text}\x1b[0m`
/** A row of the width, the rest filled with a background. */
export const line = (bg: string, ...pieces: [text: string, fg: string, bg?: string, extra?: string][]) => {
  const used = pieces.reduce((sum, [text]) => sum + text.length, 0)
  return (
    pieces.map(([t, fg, b, x]) => piece(t, fg, b ?? bg, x)).join('') +
    piece(' '.repeat(WIDE - used), TEXT, bg)
  )
}
export const blank = line(PAGE)
export const say = (text: string, fg = TEXT, extra = '') =>
  line(PAGE, ['     ', TEXT], [text, fg, PAGE, extra])
/** A row of a block: its bar and, on the block's background, its text. */
export const bar = (color: string, text = '', fg = TEXT, bg = PANEL) =>
  piece('  ', TEXT) +
  piece('┃', color, bg === PAGE ? PAGE : bg) +
  piece(`  ${text}`, fg, bg) +
  piece(' ', TEXT, bg)
export const block = (color: string, texts: readonly string[], fg = TEXT) => [
  bar(color),
  ...texts.map((text) => bar(color, text, fg)),
  bar(color),
]
const footer = (left: string) =>
  line(PAGE, [`   ${left}`.padEnd(60), MUTED], ['ctrl+p', TEXT], [' commands', MUTED])
export const box = (text: string, fg = TEXT) => [
  bar(AGENT, '', TEXT, INPUT),
  bar(AGENT, text, fg, INPUT),
  bar(AGENT, '', TEXT, INPUT),
  bar(AGENT, 'Build · Mock Model Mock', TEXT, INPUT),
  piece('  ', TEXT) + piece('╹', AGENT) + piece('▀'.repeat(75), INPUT),
]
export const BUSY = '⬝⬝⬝⬝■■■■  esc interrupt'
const IDLE = '/home/dev/work'

/** A session's screen: the conversation at the top, the box and the footer at the bottom. */
export function screen(
  rows: readonly string[],
  options: { below?: string; input?: readonly string[] } = {},
): ScreenView {
  const bottom = [...(options.input ?? box('')), footer(options.below ?? IDLE), blank]
  const space = Array.from({ length: 30 - rows.length - bottom.length }, () => blank)
  return screenOf([...rows, ...space, ...bottom].join('\n'), { cols: WIDE, rows: 30, alternate: true })
}
export const panel = (rows: readonly string[]) => {
  const said = [blank, ...block(AGENT, ['do it']), blank]
  const space = Array.from({ length: 30 - said.length - rows.length - 1 }, () => blank)
  return screenOf([...said, ...space, ...rows, blank].join('\n'), { cols: WIDE, rows: 30, alternate: true })
}

const buttons = (selected: string) =>
  piece('  ', TEXT) +
  piece('┃', ORANGE, PANEL) +
  piece('  ', TEXT, INPUT) +
  ['Allow once', 'Reject']
    .map((b) => (b === selected ? piece(` ${b} `, PAGE, ORANGE) : piece(` ${b} `, MUTED, INPUT)))
    .join(piece(' ', TEXT, INPUT)) +
  piece('      ⇆', TEXT, INPUT) +
  piece(' select', MUTED, INPUT) +
  piece('  enter', TEXT, INPUT) +
  piece(' confirm', MUTED, INPUT)
export const permission = (selected = 'Allow once') => [
  bar(ORANGE),
  bar(ORANGE, '△ Permission required', ORANGE),
  bar(ORANGE, '  # Shell command', MUTED),
  bar(ORANGE),
  bar(ORANGE, '$ rm -r x'),
  bar(ORANGE),
  buttons(selected),
  bar(ORANGE, '', TEXT, INPUT),
]
