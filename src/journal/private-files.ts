/** @module journal/private-files - files and folders that nobody but the owner can read. */
import * as fs from 'node:fs'
import { dirname } from 'node:path'
import { MeowError } from '../protocol/errors.js'

const GROUP_OR_OTHER = 0o077

/** Any failure of the file system as `state_unwritable`, naming the path. */
export function unwritable(path: string, what: string, cause: unknown): MeowError {
  const code = errnoOf(cause)
  return new MeowError('state_unwritable', `${what}: ${path}${code === undefined ? '' : ` (${code})`}`, {
    cause,
    hint: 'Set AGENT_MEOW_HOME to a folder that you own and can write.',
  })
}

/** The errno name of a file system error. */
export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/**
 * Makes `path` (and its parents) as a folder with mode 0700 and proves that it is ours alone.
 *
 * An empty folder that a person made beforehand is tightened; one with things in it is refused when others may
 * look into it, because it was not made for this. With `refuseLinks` a symbolic link is refused too: for folders
 * below a place where anybody may write.
 */
export function ensurePrivateFolder(path: string, options: { refuseLinks?: boolean } = {}): void {
  try {
    makeFolder(path)
  } catch (error) {
    throw unwritable(path, 'the folder cannot be made', error)
  }
  const stat = options.refuseLinks === true ? fs.lstatSync(path) : fs.statSync(path)
  if (!stat.isDirectory()) throw unwritable(path, 'not a folder', undefined)
  assertOwned(path, stat)
  if ((stat.mode & GROUP_OR_OTHER) !== 0) {
    if (fs.readdirSync(path).length > 0) {
      throw new MeowError('state_unwritable', `other users may look into the folder: ${path}`, {
        hint: `chmod 700 ${path}`,
      })
    }
    fs.chmodSync(path, 0o700)
  }
  try {
    fs.accessSync(path, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK)
  } catch (error) {
    throw unwritable(path, 'the folder cannot be written', error)
  }
}

/** Node's own `recursive` never returns where a parent exists and yet takes no folders (`/proc`). */
function makeFolder(path: string): void {
  try {
    fs.mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const code = errnoOf(error)
    if (code === 'EEXIST' && fs.statSync(path).isDirectory()) return
    const parent = dirname(path)
    if (code !== 'ENOENT' || fs.existsSync(parent)) throw error
    makeFolder(parent)
    fs.mkdirSync(path, { mode: 0o700 })
  }
}

/** Makes an empty file with mode 0600 when there is none, and proves that an existing one is ours alone. */
export function ensurePrivateFile(path: string): void {
  try {
    fs.closeSync(fs.openSync(path, 'wx', 0o600))
    return
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw unwritable(path, 'the file cannot be made', error)
  }
  assertPrivateFile(path)
}

/** Proves that `path` is a regular file (no link) of ours; a mode that lets others read is tightened. */
export function assertPrivateFile(path: string): void {
  const stat = fs.lstatSync(path)
  if (!stat.isFile()) throw unwritable(path, 'not a regular file', undefined)
  assertOwned(path, stat)
  if ((stat.mode & GROUP_OR_OTHER) !== 0) fs.chmodSync(path, 0o600)
}

/** Replaces the file's text in one step, so that a reader sees the old or the new text and never half of one. */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.new`
  try {
    fs.writeFileSync(draft, text, { mode: 0o600 })
    fs.renameSync(draft, path)
  } catch (error) {
    fs.rmSync(draft, { force: true })
    throw unwritable(path, 'the file cannot be written', error)
  }
}

function assertOwned(path: string, stat: fs.Stats): void {
  const uid = process.getuid?.()
  if (uid !== undefined && stat.uid !== uid) {
    throw new MeowError('state_unwritable', `belongs to another user: ${path}`, {
      hint: 'Remove it, or set AGENT_MEOW_HOME to a folder that you own.',
    })
  }
}
