/** @module hub/state - the state home: which folder, what is in it, who may read it. */
import { createHash, randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import {
  assertPrivateFile,
  ensurePrivateFolder,
  errnoOf,
  unwritable,
  writePrivateFile,
} from '../journal/private-files.js'
import { MeowError } from '../protocol/errors.js'

type Env = Readonly<Record<string, string | undefined>>

/** What a running hub tells about itself, in a file of mode 0600. */
export const HubFile = z.object({
  pid: z.number().int().positive(),
  port: z.number().int().positive(),
  startedAt: z.number().int(),
  version: z.string(),
})
export type HubFile = z.infer<typeof HubFile>

/** The paths below one state home. */
export interface StatePaths {
  readonly home: string
  readonly token: string
  readonly hubFile: string
  readonly lock: string
  readonly journal: string
  readonly log: string
  readonly lastPort: string
  /** Hashes of the cookies that paired browsers hold. */
  readonly browsers: string
  readonly sessions: string
}

/** Longest path of the socket folder: `sun_path` holds 104 bytes on some systems, and a name follows. */
const MAX_SOCKET_DIR = 60

/** The folder that `$AGENT_MEOW_HOME` names, else `$XDG_STATE_HOME/agent-meow`, else `~/.local/state/agent-meow`. */
export function stateHome(env: Env = process.env): string {
  const own = env.AGENT_MEOW_HOME
  if (own !== undefined && own !== '') return resolve(own)
  const xdg = env.XDG_STATE_HOME
  // The specification says that a relative path there is to be ignored.
  if (xdg !== undefined && isAbsolute(xdg)) return join(xdg, 'agent-meow')
  return join(env.HOME ?? homedir(), '.local', 'state', 'agent-meow')
}

/** The paths below `home`; nothing is made. */
export function statePaths(home: string): StatePaths {
  return {
    home,
    token: join(home, 'token'),
    hubFile: join(home, 'hub.json'),
    lock: join(home, 'hub.lock'),
    journal: join(home, 'journal.db'),
    log: join(home, 'hub.log'),
    lastPort: join(home, 'last-port'),
    browsers: join(home, 'browsers.json'),
    sessions: join(home, 'sessions'),
  }
}

/** Makes the state home (0700) and its session folder; `state_unwritable` says what is in the way. */
export function prepareState(home: string): StatePaths {
  const paths = statePaths(home)
  ensurePrivateFolder(home)
  ensurePrivateFolder(paths.sessions)
  return paths
}

/**
 * A short private folder for unix sockets, below `$XDG_RUNTIME_DIR` or `/tmp`, and always the same for one home:
 * a later hub finds there what an earlier one left. A link, or a folder of somebody else, is refused.
 */
export function prepareSocketDir(home: string, env: Env = process.env): string {
  const mark = createHash('sha256').update(home).digest('hex').slice(0, 8)
  const runtime = env.XDG_RUNTIME_DIR
  const uid = process.getuid?.() ?? 0
  const wanted =
    runtime !== undefined && isAbsolute(runtime) && fs.existsSync(runtime)
      ? join(runtime, `agent-meow-${mark}`)
      : ''
  const fits = wanted !== '' && Buffer.byteLength(wanted) <= MAX_SOCKET_DIR
  const path = fits ? wanted : join('/tmp', `agent-meow-${uid}-${mark}`)
  ensurePrivateFolder(path, { refuseLinks: true })
  return path
}

const TOKEN = /^[\w-]{43}$/

/** The token of this install; null when there is none yet. */
export function readToken(paths: StatePaths): string | null {
  let text: string
  try {
    assertPrivateFile(paths.token)
    text = fs.readFileSync(paths.token, 'utf8').trim()
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return null
    throw error instanceof MeowError ? error : unwritable(paths.token, 'the token cannot be read', error)
  }
  if (!TOKEN.test(text)) {
    throw new MeowError('state_unwritable', `not a token: ${paths.token}`, { hint: `rm ${paths.token}` })
  }
  return text
}

/** The token of this install, made once: 32 random bytes. */
export function ensureToken(paths: StatePaths): string {
  const found = readToken(paths)
  if (found !== null) return found
  const token = randomBytes(32).toString('base64url')
  const draft = `${paths.token}.${process.pid}.new`
  try {
    fs.writeFileSync(draft, `${token}\n`, { mode: 0o600, flag: 'wx' })
    // A link fails when the name is taken: of two makers one wins, and both read the same token.
    fs.linkSync(draft, paths.token)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw unwritable(paths.token, 'the token cannot be made', error)
  } finally {
    fs.rmSync(draft, { force: true })
  }
  return readToken(paths) ?? token
}

/** What the running hub wrote; null when there is no such file or it is not readable as one. */
export function readHubFile(paths: StatePaths): HubFile | null {
  try {
    return HubFile.parse(JSON.parse(fs.readFileSync(paths.hubFile, 'utf8')))
  } catch {
    return null
  }
}

/** Tells other processes where this hub listens. */
export function writeHubFile(paths: StatePaths, file: HubFile): void {
  writePrivateFile(paths.hubFile, `${JSON.stringify(file)}\n`)
  writePrivateFile(paths.lastPort, `${file.port}\n`)
}

/** Takes the file away again. */
export function removeHubFile(paths: StatePaths): void {
  fs.rmSync(paths.hubFile, { force: true })
}

/** The port that the last hub of this home had; null when none is known. */
export function readLastPort(paths: StatePaths): number | null {
  try {
    const port = Number(fs.readFileSync(paths.lastPort, 'utf8').trim())
    return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null
  } catch {
    return null
  }
}
