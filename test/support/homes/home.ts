/** @module test/support/homes/home - what the fresh homes of all vendors have in common. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The pinned programs. */
export const VENDOR_BIN = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'vendors', 'bin')

/** How a vendor's home is set up. */
export interface HomeOptions {
  /** `ask`: commands and edits raise the vendor's own dialog; `auto`: they run. `ask` if not given. */
  readonly permission?: 'ask' | 'auto'
  /** False: the vendor has never seen the folder, and asks about it if it has such a dialog. */
  readonly trusted?: boolean
}

/** A vendor's program in a fresh home: start `vendor` with `args` and `env` in `cwd`. */
export interface VendorSetup {
  /** The program's name in {@link VENDOR_BIN}. */
  readonly vendor: string
  readonly env: Record<string, string>
  readonly cwd: string
  readonly args: readonly string[]
  /** Matches the text of the screen from the moment on when a prompt can be typed. */
  readonly ready: RegExp
  /** Matches the dialog about an unknown folder; null if the vendor has none. */
  readonly trustDialog: RegExp | null
}

/** The fresh folders of one vendor. */
export interface Folders {
  readonly home: string
  readonly cwd: string
  readonly env: Record<string, string>
}

/** Makes home and working directory, and the environment of a person who has nothing else. */
export function freshFolders(root: string, vendor: string): Folders {
  const home = join(root, `${vendor}-home`)
  const cwd = join(root, `${vendor}-work`)
  for (const folder of [home, cwd]) mkdirSync(folder, { recursive: true })
  const env = {
    HOME: home,
    // The programs keep caches and task files there.
    TMPDIR: root,
    PATH: `${VENDOR_BIN}:/usr/local/bin:/usr/bin:/bin`,
    LANG: 'C.UTF-8',
    SHELL: '/bin/bash',
    TERM: 'xterm-256color',
  }
  return { home, cwd, env }
}

/** Writes a file of a home, and the folders above it; an object becomes JSON. */
export function put(path: string, content: string | object): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`)
}
