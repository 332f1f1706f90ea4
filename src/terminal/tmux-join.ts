/**
 * @module How to reach a tmux server of ours from outside of it: its socket, whether it runs, and what a person types.
 */
import { connect } from 'node:net'
import { join } from 'node:path'
import { quoteForShell } from './tmux-quote.js'

export const socketOf = (socketDir: string): string => join(socketDir, 'tmux.sock')

/** `-u` because a person's locale may be none; `=` because a name alone may be the start of another one. */
export const attachArgv = (tmuxPath: string, socket: string, id: string): readonly string[] => [
  ...[tmuxPath, '-u', '-S', socket, 'attach-session', '-t', `=${id}`],
]

/** The same as one line for a shell. The target is quoted: zsh takes a bare `=name` for a program. */
export const attachLine = (socketDir: string, id: string): string =>
  attachArgv('tmux', socketOf(socketDir), id)
    .map((word) => (/^[\w./-]+$/.test(word) ? word : quoteForShell(word)))
    .join(' ')

/** Whether a server listens on the folder's socket. Unlike any tmux command, it never starts one. */
export const tmuxServerRuns = (socketDir: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(socketOf(socketDir))
    const answer = (runs: boolean): void => {
      socket.destroy()
      resolve(runs)
    }
    socket.once('connect', () => answer(true))
    socket.once('error', () => answer(false))
  })
