/** @module cli/demo/start-demo - a real Pi in a real hub, against a scripted model in this process. */
import { join } from 'node:path'
import { scriptedHome, vendor } from '../../../adapters/pi/demo.js'
import { startModelServer } from '../../model-server/index.js'
import type { SessionInfo } from '../../protocol/session.js'
import type { Hub } from '../hub-access.js'
import type { Shell } from '../shell.js'
import { type DemoFolder, makeDemoFolder, writePrivate } from './demo-folder.js'
import { DemoEnd } from './end-demo.js'
import { findPi } from './pi-program.js'
import type { Undo } from './undo.js'

const FIRST_PROMPT = 'list files'
export const DEMO_NAME = 'demo'

/** What of the person's environment the demo's programs get: no key and no vendor setting is among it. */
const KEPT = /^(PATH|LANG|LANGUAGE|LC_\w+|TERM|COLORTERM|TZ|SHELL|USER|LOGNAME|NODE_EXTRA_CA_CERTS)$/

export interface Demo {
  readonly hub: Hub
  readonly session: SessionInfo
  readonly folder: DemoFolder
  readonly url: string
  readonly modelUrl: string
}

export interface DemoOptions {
  readonly pi: string | undefined
  readonly port: number | undefined
  readonly say: (line: string) => void
}

/** Starts everything; each thing that runs is in `undo` before the next one starts. */
export async function startDemo(shell: Shell, undo: Undo, options: DemoOptions): Promise<Demo> {
  const folder = makeDemoFolder()
  const end = new DemoEnd(folder)
  undo.add(`the folder ${folder.path}`, () => end.folder())
  const pi = findPi({ named: options.pi, env: shell.env, cwd: shell.cwd, folder: folder.runtime })

  options.say('starting the scripted model ...')
  const model = await startModelServer({ persona: 'demo' })
  undo.add('the scripted model', () => model.close())
  const scripted = scriptedHome({
    home: folder.home,
    modelUrl: model.url,
    provider: 'meow',
    models: ['meow-scripted'],
    price: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0 },
    fullscreen: true,
  })
  for (const { path, text } of scripted.files) writePrivate(path, text)

  options.say('starting the hub ...')
  const kept = Object.fromEntries(Object.entries(shell.env).filter(([name]) => KEPT.test(name)))
  const home = { ...kept, HOME: folder.home, TMPDIR: folder.runtime, XDG_RUNTIME_DIR: folder.runtime }
  const hubs = shell.hubsFor({ ...home, AGENT_MEOW_HOME: folder.state })
  undo.add('the hub and its programs', () => end.hub(hubs))
  const { signal } = shell
  const hub = await hubs.ensure({ signal, ...(options.port === undefined ? {} : { port: options.port }) })

  options.say('starting Pi ...')
  const session = await hub.createSession(
    {
      vendor: vendor.id,
      cwd: folder.workspace,
      name: DEMO_NAME,
      args: [],
      env: { ...home, ...scripted.env, [vendor.binaryVariable]: pi },
      cols: Math.min(200, Math.max(80, shell.columns)),
      rows: Math.min(60, Math.max(24, shell.rows)),
    },
    { signal },
  )
  end.watches(session.pid)
  await hub.send(session.id, { text: FIRST_PROMPT })
  const { url } = await hub.createPairing()
  return { hub, session, folder, url, modelUrl: model.url }
}

/** What a person reads when all is up. */
export function invitation(demo: Demo, self: string): string[] {
  const { session, folder } = demo
  const version = session.vendorVersion === null ? '' : ` ${session.vendorVersion}`
  return [
    '',
    `Pi${version} is running against a scripted model: no network, no key, no cost.`,
    'Open the URL above, and try there: "run date", "write notes.txt", "show markdown", or what you like.',
    'The same process in another terminal:',
    `  AGENT_MEOW_HOME=${folder.state} ${self} attach ${DEMO_NAME}`,
    `Its workspace: ${join(folder.workspace)}`,
    'Ctrl-C here ends all of it and leaves nothing behind.',
  ]
}
