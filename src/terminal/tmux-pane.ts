/**
 * @module What tmux says about a pane that it has just made.
 */
import { MeowError } from '../protocol/errors.js'

export interface PaneIds {
  readonly pane: string
  readonly window: string
  readonly pid: number
}

/** The format whose reply {@link paneIds} reads. */
export const PANE_FORMAT = '#{pane_id} #{window_id} #{pane_pid}'

/**
 * The ids in tmux's replies. Throws `tmux_failed` on anything that does not name one pane and one program: a kill goes
 * to this pid, and 0 or 1 would be every process.
 */
export const paneIds = (replies: readonly string[]): PaneIds => {
  const [pane = '', window = '', pid = ''] = replies.find((reply) => reply.startsWith('%'))?.split(' ') ?? []
  if (!/^%\d+$/.test(pane) || !/^@\d+$/.test(window) || !/^\d+$/.test(pid) || Number(pid) <= 1)
    throw new MeowError('tmux_failed', `tmux names no pane and no program: "${pane} ${window} ${pid}"`)
  return { pane, window, pid: Number(pid) }
}
