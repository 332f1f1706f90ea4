/** @module test/unit/cli-recordings - the CLI in a folder of its own, and a painter's recording for it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { adapter as pi } from '../../adapters/pi/index.js'
import { allCommands } from '../../src/cli/commands/index.js'
import type { Hub } from '../../src/cli/hub-access.js'
import { runProgram } from '../../src/cli/program.js'
import type { Shell } from '../../src/cli/shell.js'
import { openOffline } from '../../src/hub/offline.js'
import type { Cast } from '../../src/terminal/index.js'
import { painterReader } from '../replay/painter.js'
import { record } from '../replay/recorded.js'
import { fakeShell } from './cli-fakes.js'

export const offline = openOffline({ readers: [painterReader, pi], adapters: [pi] })
export const commands = allCommands([{ id: 'pi', name: 'Pi' }], offline)

let dir = ''
/** The folder of this test. */
export const folderOf = (): string => dir

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'replay-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

export async function meow(argv: string[], hub: Hub | null = null, over: Partial<Shell> = {}) {
  const { shell, said } = fakeShell(hub, { cwd: dir, ...over })
  const code = await runProgram(argv, shell, { commands, version: '0' })
  return { code, ...said }
}

export const cast = record(
  'ink',
  [
    { kind: 'user_message', text: 'where is the boat' },
    { kind: 'tool_call', text: 'look(harbour)\nit is gone' },
    {
      kind: 'assistant_message',
      text: 'It left this morning.\nNobody knows where it went,\nand nobody asks.',
    },
  ],
  () => 0,
  { resizes: false, cut: false },
)

/** As a file of version 2, whose times count from the start. */
export function textOf({ events }: Pick<Cast, 'events'>, header: object = {}): string {
  const lines = events.map(({ at, kind, data }) => JSON.stringify([at / 1000, kind, data]))
  return `${[JSON.stringify({ version: 2, width: 80, height: 24, ...header }), ...lines].join('\n')}\n`
}

export function put(name: string, text: string): string {
  writeFileSync(join(dir, name), text)
  return name
}

export const events = (
  out: string,
): { t: number; type: string; source: string; item?: { kind: string; text?: string; origin?: string } }[] =>
  out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
export const items = (out: string): string[] =>
  events(out).flatMap(({ type, source, item }) =>
    type === 'item.completed' && item ? [`${source} ${item.kind} ${item.text ?? ''}`.trimEnd()] : [],
  )

export const origins = (out: string): unknown[] =>
  events(out).flatMap(({ type, item }) =>
    type === 'item.completed' && item?.kind === 'user_message' ? [item.origin] : [],
  )

export const CONVERSATION = [
  'screen user_message where is the boat',
  'screen tool_call',
  'screen assistant_message It left this morning.\nNobody knows where it went,\nand nobody asks.',
]
