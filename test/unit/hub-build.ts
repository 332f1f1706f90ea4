/** @module test/unit/hub-build - the daemon with fake sessions as plain JavaScript, so that it starts like the real one. */
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { packageRoot } from '../../src/hub/version.js'

export interface Built {
  /** The program to run. */
  readonly entry: string
  remove(): void
}

const ROOMS = [
  'src/protocol',
  'src/adapter',
  'src/journal',
  'src/session',
  'src/terminal',
  'src/hub',
  'test/unit',
]

/** Below the package, where its modules and its version are found. */
export function buildDaemon(): Built {
  const root = packageRoot()
  const parent = join(root, 'test', 'unit', '__output__')
  fs.mkdirSync(parent, { recursive: true })
  const out = fs.mkdtempSync(join(parent, 'hub-'))
  for (const room of ROOMS) {
    for (const file of sources(join(root, room))) {
      const path = join(out, file.slice(root.length + 1).replace(/\.ts$/, '.js'))
      fs.mkdirSync(dirname(path), { recursive: true })
      fs.writeFileSync(path, compiled(fs.readFileSync(file, 'utf8')))
    }
  }
  return {
    entry: join(out, 'test', 'unit', 'hub-daemon-entry.js'),
    remove: () => fs.rmSync(out, { recursive: true, force: true }),
  }
}

function sources(folder: string): string[] {
  const isTests = folder.endsWith('unit')
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return isTests ? [] : sources(path)
    return entry.name.endsWith('.ts') && (!isTests || /^hub-(daemon-entry|fake-)/.test(entry.name))
      ? [path]
      : []
  })
}

function compiled(text: string): string {
  const { ScriptTarget, ModuleKind } = ts
  const compilerOptions = {
    target: ScriptTarget.ES2022,
    module: ModuleKind.ESNext,
    verbatimModuleSyntax: true,
  }
  return ts.transpileModule(text, { compilerOptions }).outputText
}
