/**
 * @module What is checked before a program starts, alike for both backends, so that a mistake is an error of the call
 * and not a dead terminal (tmux starts in the home folder when the cwd is missing, and says nothing).
 */
import { constants } from 'node:fs'
import { access, open, stat } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { MeowError } from '../protocol/errors.js'
import type { TerminalSpec } from './terminal.js'

const refuse = (detail: string): never => {
  throw new MeowError('invalid_argument', detail)
}

const noNul = (text: string, what: string): void => {
  if (text.includes('\0')) refuse(`${what} contains a NUL`)
}

/** Cells in either direction; tmux itself ends at 10000, a TUI far earlier. Throws `invalid_argument`. */
export const checkSize = (cols: number, rows: number): void => {
  for (const [value, what] of [
    [cols, 'cols'],
    [rows, 'rows'],
  ] as const)
    if (!Number.isInteger(value) || value < 2 || value > 1000)
      refuse(`${what} must be 2 to 1000, not ${value}`)
}

/** The executable that `argv[0]` means in the program's own PATH and cwd, or null. */
const findProgram = async (spec: TerminalSpec, name: string): Promise<string | null> => {
  const places = name.includes('/')
    ? [isAbsolute(name) ? name : resolve(spec.cwd, name)]
    : (spec.env.PATH ?? '').split(':').map((folder) => join(resolve(spec.cwd, folder || '.'), name))
  for (const place of places) {
    try {
      await access(place, constants.X_OK)
      if ((await stat(place)).isFile()) return place
    } catch {
      // Not there, or not for us: the next folder of the PATH may have it.
    }
  }
  return null
}

/**
 * Checks a spec, its folder, and that its program is there to be executed.
 * Errors: `invalid_argument` for the spec and its cwd, `terminal_start_failed` for a program that is not there.
 */
export const checkStart = async (spec: TerminalSpec): Promise<void> => {
  if (!/^[a-z0-9-]{1,64}$/.test(spec.id)) refuse(`a terminal id is [a-z0-9-], 1 to 64 characters: ${spec.id}`)
  checkSize(spec.cols, spec.rows)
  const name = spec.argv[0] ?? ''
  if (name === '') refuse('argv names no program')
  for (const argument of spec.argv) noNul(argument, 'an argument')
  noNul(spec.cwd, 'cwd')
  noNul(spec.recordFile, 'recordFile')
  if (!isAbsolute(spec.cwd)) refuse(`cwd must be absolute: ${spec.cwd}`)
  if (!isAbsolute(spec.recordFile)) refuse(`recordFile must be absolute: ${spec.recordFile}`)
  for (const [key, value] of Object.entries(spec.env)) {
    if (key === '' || /[=\0]/.test(key)) refuse(`not a name for the environment: ${JSON.stringify(key)}`)
    noNul(value, `the environment's ${key}`)
  }
  const folder = await stat(spec.cwd).catch(() => null)
  if (!folder?.isDirectory()) refuse(`cwd is not an existing folder: ${spec.cwd}`)
  if ((await findProgram(spec, name)) === null)
    throw new MeowError('terminal_start_failed', `no such program: ${name}`, {
      hint: name.includes('/') ? 'check the path' : `searched in PATH=${spec.env.PATH ?? ''}`,
    })
}

/**
 * Makes the record file, 0600 and empty. A file with bytes in it is refused: offsets count from byte 0 of this program.
 */
export const createRecord = async (recordFile: string): Promise<void> => {
  let file: Awaited<ReturnType<typeof open>>
  try {
    // O_NOFOLLOW: a link here could send the bytes of a conversation anywhere.
    file = await open(
      recordFile,
      constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW,
      0o600,
    )
  } catch (cause) {
    throw new MeowError('terminal_start_failed', `cannot create the record file ${recordFile}`, { cause })
  }
  try {
    if ((await file.stat()).size > 0) refuse(`the record file has bytes in it already: ${recordFile}`)
    await file.chmod(0o600)
  } finally {
    await file.close()
  }
}
