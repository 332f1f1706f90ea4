/** @module session/session-file - what another run of the bridge must know to go on with a session. */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { LaunchPlan } from '../adapter/index.js'
import { writePrivateFile } from '../journal/private-files.js'

/** In the session's folder, 0600: it carries the token of the session's hooks and of its side channel. */
const FILE = 'session.json'

const SessionFile = z.object({
  v: z.literal(1),
  vendor: z.string(),
  version: z.string().nullable(),
  hookToken: z.string(),
  /** Where the hooks of the program post: the port must be the same. */
  hookUrl: z.string(),
  name: z.string().nullable(),
  argv: z.array(z.string()),
  /** Of the plan: paths of its files, the adapter's own facts. No environment: it holds a person's keys. */
  files: z.array(z.string()),
  vendorSessionId: z.string().nullable(),
  facts: z.record(z.string(), z.string()),
})
export type SessionFile = z.infer<typeof SessionFile>

/** Written before the program starts, so that no program runs that nobody could go on with. */
export function saveSessionFile(sessionDir: string, file: SessionFile): void {
  writePrivateFile(join(sessionDir, FILE), `${JSON.stringify(file, null, 2)}\n`)
}

/** Null where there is none, or one that this program does not know. */
export function readSessionFile(sessionDir: string): SessionFile | null {
  try {
    return SessionFile.parse(JSON.parse(readFileSync(join(sessionDir, FILE), 'utf8')))
  } catch {
    return null
  }
}

/** The session is over: its tokens go. */
export function removeSessionFile(sessionDir: string): void {
  rmSync(join(sessionDir, FILE), { force: true })
}

/** A plan as far as a running program needs it. */
export function planOf(file: SessionFile, env: Readonly<Record<string, string>>): LaunchPlan {
  return {
    argv: file.argv,
    env,
    // Their texts are not needed again; their paths are, to take them away in the end.
    files: file.files.map((path) => ({ path, text: '' })),
    vendorSessionId: file.vendorSessionId,
    facts: file.facts,
  }
}
