/** @module scripts/setup/signature - whether sources changed since something was made of them. */
import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A hash over name, size and modification time of every file below `paths`: quick, and it sees files that went away.
 * @param {string} root
 * @param {readonly string[]} paths
 */
export function signature(root, paths) {
  const hash = createHash('sha256')
  for (const path of paths) add(hash, root, path)
  return hash.digest('hex')
}

/** @param {import('node:crypto').Hash} hash @param {string} root @param {string} path */
function add(hash, root, path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false })
  if (stat === undefined) return
  if (!stat.isDirectory()) {
    hash.update(`${path}\0${stat.size}\0${stat.mtimeMs}\n`)
    return
  }
  for (const name of readdirSync(join(root, path)).sort()) {
    if (name !== 'node_modules') add(hash, root, join(path, name))
  }
}
