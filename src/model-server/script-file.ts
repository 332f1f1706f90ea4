/**
 * A script as a JSON file:
 *
 *     { "version": 1,
 *       "scenarios": [
 *         { "when": { "text": "fix the bug" }, "steps": "think Hm.;; read a.ts;; text Fixed." },
 *         { "reply": "Just a text." },
 *         { "times": 2, "reply": { "parts": [{ "type": "error", "status": 529 }] } }
 *       ] }
 *
 * @module model-server/script-file
 */

import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ModelServerError } from './errors.js'
import { Scenario } from './scenario.js'

/** The shape of a script file. */
export const ScriptFile = z.strictObject({ version: z.literal(1), scenarios: z.array(Scenario) })

/** Reads a script file; says what is wrong and where when it cannot be used. */
export function readScriptFile(path: string): Scenario[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new ModelServerError('bad_script_file', `${path} cannot be read: ${messageOf(cause)}`, { cause })
  }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new ModelServerError('bad_script_file', `${path} is no JSON: ${messageOf(cause)}`, { cause })
  }
  const parsed = ScriptFile.safeParse(json)
  if (!parsed.success) {
    throw new ModelServerError('bad_script_file', `${path}:\n${z.prettifyError(parsed.error)}`)
  }
  return parsed.data.scenarios
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
