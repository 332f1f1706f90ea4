/** @module cli/demo/demo-folder - the throw-away folder of a demo: state, home and workspace, all in one place. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Unix sockets go below it, and their paths have at most 103 bytes: a long temp folder is not used. */
const LONGEST_TEMP_FOLDER = 30

export interface DemoFolder {
  readonly path: string
  /** State of the hub. */
  readonly state: string
  /** HOME of the vendor's program: yours is neither read nor written. */
  readonly home: string
  /** Where the vendor works. */
  readonly workspace: string
  /** Short; for sockets. */
  readonly runtime: string
  /** Removes all of it. */
  remove(): void
}

const WORKSPACE: Readonly<Record<string, string>> = {
  'README.md':
    '# A small garden\n\nA few files for the demo. Ask the model to list, read, change or write some.\n',
  'cats.txt': 'Mimi: black, loves boxes\nTom: grey, loves fish\nLuna: white, loves the keyboard\n',
  'src/greet.ts':
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a file
    "export const greet = (name: string): string => `Meow, ${name}!`\n\nconsole.log(greet('world'))\n",
}

/** Makes the folder, readable by nobody else. */
export function makeDemoFolder(): DemoFolder {
  const base = tmpdir().length <= LONGEST_TEMP_FOLDER ? tmpdir() : '/tmp'
  const path = mkdtempSync(join(base, 'meow-demo-'))
  const part = (name: string): string => {
    const folder = join(path, name)
    mkdirSync(folder, { mode: 0o700 })
    return folder
  }
  const folder: DemoFolder = {
    path,
    state: part('state'),
    home: part('home'),
    workspace: part('garden'),
    runtime: part('r'),
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
  for (const [name, text] of Object.entries(WORKSPACE)) writePrivate(join(folder.workspace, name), text)
  return folder
}

/** Writes a file that nobody else may read, and its folders. */
export function writePrivate(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, text, { mode: 0o600 })
}
