/**
 * @module Before the tmux server: its binary and version, its folder and socket, its environment and its settings.
 */
import { execFile } from 'node:child_process'
import { lstat, mkdir } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { promisify } from 'node:util'
import { MeowError } from '../protocol/errors.js'
import { socketOf } from './tmux-join.js'
import { command, quoteForShell, sequence } from './tmux-quote.js'

/** The session that holds the control client and every window. Terminal ids cannot have this name: it has a `_`. */
export const HUB = 'meow_hub'

/** `sun_path` is 104 bytes on macOS (108 on Linux), its end mark included. */
const SOCKET_PATH_BYTES = 103

const INSTALL_HINT = 'install tmux (`sudo apt-get install tmux`, `brew install tmux`) or use `--backend pty`'

/** Finds tmux and refuses what is older than 3.2 (`new-session -e`, `-f no-output`). Throws `tmux_missing`. */
export const checkTmux = async (tmuxPath: string): Promise<string> => {
  let output: string
  try {
    output = (await promisify(execFile)(tmuxPath, ['-V'])).stdout.trim()
  } catch (cause) {
    throw new MeowError('tmux_missing', `tmux does not run: ${tmuxPath}`, { cause, hint: INSTALL_HINT })
  }
  // `tmux 3.3a`, `tmux next-3.6`; a build without a number (`tmux master`, `tmux openbsd-7.4`) is newer than any bound.
  const match = /^tmux (?:next-)?(\d+)\.(\d+)/.exec(output)
  const version = match === null ? Number.POSITIVE_INFINITY : Number(match[1]) * 100 + Number(match[2])
  if (version < 302)
    throw new MeowError('tmux_missing', `${output} is too old, 3.2 is needed`, { hint: INSTALL_HINT })
  return output.replace(/^tmux /, '')
}

/** Makes or checks the folder (ours, 0700, no link) and gives the socket's path. Throws `invalid_argument`. */
export const prepareSocket = async (socketDir: string): Promise<string> => {
  const refuse = (detail: string): never => {
    throw new MeowError('invalid_argument', `the tmux socket folder ${socketDir} ${detail}`)
  }
  if (!isAbsolute(socketDir)) refuse('must be an absolute path')
  const socket = socketOf(socketDir)
  const bytes = Buffer.byteLength(socket)
  if (bytes > SOCKET_PATH_BYTES)
    refuse(`makes a socket path of ${bytes} bytes; ${SOCKET_PATH_BYTES} is the system's limit`)
  await mkdir(socketDir, { recursive: true, mode: 0o700 })
  const info = await lstat(socketDir)
  if (!info.isDirectory()) refuse('is not a folder')
  if (info.uid !== process.getuid?.()) refuse('belongs to somebody else')
  if ((info.mode & 0o077) !== 0) refuse('can be read by others: chmod 700 it')
  return socket
}

/**
 * What the server starts with; nothing of the bridge's own secrets. A UTF-8 locale is needed for glyphs to live: with
 * none (systemd, cron, ssh with a command) tmux writes `_` for each of them.
 */
export const serverEnv = (env: NodeJS.ProcessEnv): Record<string, string> => {
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find((value) => value)
  const utf8 = locale !== undefined && /utf-?8/i.test(locale) ? locale : 'C.UTF-8'
  return { PATH: env.PATH ?? '/usr/local/bin:/usr/bin:/bin', HOME: env.HOME ?? '/', LANG: utf8, LC_ALL: utf8 }
}

/**
 * The server's whole configuration, instead of the user's file. Global `window-size manual` is not in it: it segfaults.
 * @param exitMarker the file that the hook touches when a program ended
 */
export const settings = (serverEnvNames: readonly string[], exitMarker: string): string =>
  sequence(
    command('set-option', '-s', 'escape-time', '0'),
    command('set-option', '-s', 'extended-keys', 'on'),
    command('set-option', '-s', 'focus-events', 'on'),
    command('set-option', '-s', 'set-clipboard', 'off'),
    command('set-option', '-s', 'default-terminal', 'tmux-256color'),
    command('set-option', '-g', '@meow_exit_marker', `: >${quoteForShell(exitMarker)}`),
    command('set-option', '-g', 'status', 'off'),
    command('set-option', '-g', 'mouse', 'off'),
    command('set-option', '-g', 'history-limit', '2000'),
    // A session's environment is the spec's alone: nothing from the clients, nothing from the server.
    command('set-option', '-g', 'update-environment', ''),
    ...[...serverEnvNames, 'PWD'].map((name) => command('set-environment', '-g', '-u', name)),
    // The exit status can be read only while the dead pane is still there.
    command('set-option', '-w', '-g', 'remain-on-exit', 'on'),
    command('set-option', '-w', '-g', 'allow-rename', 'off'),
    command('set-option', '-w', '-g', 'automatic-rename', 'off'),
    // A person who attached can detach and look back, and cannot split, rename or kill by a slip of the prefix key.
    command('unbind-key', '-a', '-T', 'prefix'),
    command('bind-key', '-T', 'prefix', 'C-b', 'send-prefix'),
    command('bind-key', '-T', 'prefix', 'd', 'detach-client'),
    command('bind-key', '-T', 'prefix', '[', 'copy-mode'),
    command('bind-key', '-T', 'prefix', 'PPage', 'copy-mode', '-u'),
    // Notes the status and takes the pane away, so that whoever is attached gets their terminal back at once.
    command(
      'set-hook',
      '-g',
      'pane-died',
      [
        'set-option -gaF @meow_exits "#{pane_id}:#{pane_dead_status}:#{pane_dead_signal} "',
        // The pane's pipe tells the same a little sooner, but its shell may have been killed.
        'run-shell -b "#{@meow_exit_marker}"',
        'kill-pane',
      ].join(' ; '),
    ),
  )
