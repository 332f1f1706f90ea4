/** @module session/find-binary - where a vendor's program is. */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { VendorFacts } from '../adapter/index.js'
import { MeowError } from '../protocol/errors.js'

function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** The program's absolute path: named by its variable, else the first of its names on PATH; null when there is none. */
export function findBinary(
  vendor: VendorFacts,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const named = env[vendor.binaryVariable]
  if (named) return isAbsolute(named) && executable(named) ? named : null
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (!isAbsolute(folder)) continue
    for (const name of vendor.binaries) {
      const path = join(folder, name)
      if (executable(path)) return path
    }
  }
  return null
}

/** As {@link findBinary}, or the error that says how to install it. */
export function requireBinary(
  vendor: VendorFacts,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const path = findBinary(vendor, env)
  if (path) return path
  const named = env[vendor.binaryVariable]
  throw new MeowError(
    'vendor_missing',
    named
      ? `${vendor.binaryVariable}=${named} is not an executable file with an absolute path`
      : `${vendor.name} is not installed: no ${vendor.binaries.join(' or ')} on PATH`,
    { hint: named ? `unset ${vendor.binaryVariable} or correct it` : vendor.installHint },
  )
}
