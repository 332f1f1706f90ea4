/** @module hub/version - the version of this package, read from its own package.json. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { MeowError } from '../protocol/errors.js'

const Manifest = z.object({ name: z.string(), version: z.string() })

/** The folder that holds package.json: two floors up from the sources, three from the build. */
export function packageRoot(from: string = dirname(fileURLToPath(import.meta.url))): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (manifestOf(folder) !== null) return folder
    if (folder === dirname(folder))
      throw new MeowError('internal', 'the package.json of agent-meow is missing')
  }
}

/** `0.1.0` */
export function packageVersion(): string {
  return manifestOf(packageRoot())?.version ?? '0.0.0'
}

function manifestOf(folder: string): z.infer<typeof Manifest> | null {
  try {
    const manifest = Manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')))
    return manifest.name === 'agent-meow' ? manifest : null
  } catch {
    return null
  }
}
