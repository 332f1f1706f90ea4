/** @module test/recording/main - records situations of one vendor: `main.js VENDOR [SITUATION ...]`, from the repository's root. */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { startModelServer } from '../../src/model-server/index.js'
import { readCast, redactValue } from '../../src/terminal/index.js'
import type { Kit } from './kit.js'
import { KITS } from './kits/index.js'
import { Scene } from './scene.js'
import { unseen } from './seen.js'
import { SITUATIONS, type Situation } from './situations/index.js'
import { type Recorded, Stage } from './stage.js'
import type { Truth } from './truth.js'
import { versionOf } from './versions.js'

const FIXTURES = resolve('fixtures')
/** Situations that need a part of a kit that not every kit has. */
const NEEDS: Readonly<Record<string, keyof Kit>> = {
  compact: 'compact',
  'local-commands': 'locals',
  views: 'views',
}
/** One situation may fail for want of CPU; then it is played once more. */
const TRIES = 2

async function main(vendor: string, names: readonly string[]): Promise<number> {
  const kit = KITS.find(({ id }) => id === vendor)
  if (kit === undefined) throw new Error(`no such vendor: ${vendor} (${KITS.map(({ id }) => id).join(', ')})`)
  const version = versionOf(kit.id)
  const known = SITUATIONS.map(({ name }) => name)
  for (const name of names) if (!known.includes(name)) throw new Error(`no such situation: ${name}`)
  const wanted = SITUATIONS.filter(({ name }) => names.length === 0 || names.includes(name))
  let failed = 0
  for (const situation of wanted) {
    const reason = whyNot(kit, situation)
    if (reason === null) failed += (await tried(kit, version, situation)) ? 0 : 1
    else tell(`- ${kit.id} ${situation.name}: left out: ${reason}`)
  }
  return failed
}

function whyNot(kit: Kit, { name, wish }: Situation): string | null {
  if (wish.inline && !kit.inline) return 'it has one kind of screen'
  const needs = NEEDS[name]
  if (needs !== undefined && kit[needs] === undefined) return 'nobody has written down how'
  return kit.cannot[name] ?? null
}

async function tried(kit: Kit, version: string, situation: Situation): Promise<boolean> {
  for (let n = 1; n <= TRIES; n += 1) {
    const since = performance.now()
    try {
      const bytes = await record(kit, version, situation)
      const seconds = Math.round((performance.now() - since) / 1000)
      tell(`ok ${kit.id} ${situation.name}: ${Math.ceil(bytes / 1024)} KB, ${seconds} s`)
      return true
    } catch (error) {
      tell(`failed (${n} of ${TRIES}) ${kit.id} ${situation.name}: ${messageOf(error)}`)
    }
  }
  return false
}

/** Plays a situation in a fresh home; only a recording that is whole and true is put to the fixtures. */
async function record(kit: Kit, version: string, situation: Situation): Promise<number> {
  const { name, cols, rows, wish } = situation
  // Short: sockets live below it. Not the temp folder of the run: it is a part of what is drawn.
  const root = mkdtempSync('/tmp/meow-')
  const model = await startModelServer()
  let close = async (): Promise<void> => undefined
  const stop = (signal: NodeJS.Signals): void => {
    void close().finally(() => {
      rmSync(root, { recursive: true, force: true, maxRetries: 5 })
      process.exit(signal === 'SIGINT' ? 130 : 143)
    })
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    const setup = kit.setup(root, model.url, wish)
    for (const [file, text] of Object.entries(situation.files)) writeFileSync(join(setup.cwd, file), text)
    const stage = await Stage.open({ root, setup, version, title: `${kit.id} ${name}`, cols, rows })
    close = () => stage.close()
    try {
      const scene = new Scene(kit, stage, model, setup)
      return await onStage(stage, async () => {
        await situation.play(scene)
        const recorded = await stage.finish()
        const truth = redactValue(stage.secrets, truthOf(scene, version, situation, recorded)) as Truth
        return keep(kit, version, name, recorded.file, truth)
      })
    } finally {
      await stage.close()
    }
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
    await model.close()
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** What the work gives, or an error with the screen on which it failed. */
async function onStage<T>(stage: Stage, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const screen = stage
      .text()
      .replaceAll(/\n{3,}/g, '\n\n')
      .trimEnd()
    throw new Error(`${messageOf(error)}\nThe screen was:\n${screen}`, { cause: error })
  }
}

function truthOf(scene: Scene, version: string, { cols, rows }: Situation, recorded: Recorded): Truth {
  const { kit, timeline, turns, dialogs, states, notes } = scene
  return {
    vendor: kit.id,
    version,
    cols,
    rows,
    alternateScreen: recorded.alternateScreen,
    items: timeline.items(kit.drawing),
    turns,
    dialogs,
    states,
    usage: timeline.usage(),
    ...(notes.length === 0 ? {} : { notes: notes.join(' ') }),
  }
}

function keep(kit: Kit, version: string, name: string, file: string, truth: Truth): number {
  const text = readFileSync(file, 'utf8')
  const missing = unseen(readCast(text), truth)
  if (missing.length > 0) throw new Error(`no screen of the recording shows:\n${missing.join('\n')}`)
  const folder = join(FIXTURES, kit.id, version, name)
  const next = `${folder}.next`
  rmSync(next, { recursive: true, force: true })
  mkdirSync(next, { recursive: true })
  copyFileSync(file, join(next, 'session.cast'))
  writeFileSync(join(next, 'truth.json'), `${JSON.stringify(truth, null, 1)}\n`)
  rmSync(folder, { recursive: true, force: true })
  renameSync(next, folder)
  return Buffer.byteLength(text)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}

const [vendor = '', ...names] = process.argv.slice(2)
main(vendor, names).then(
  (failed) => {
    process.exitCode = failed === 0 ? 0 : 1
  },
  (error: unknown) => {
    process.stderr.write(`error: ${messageOf(error)}\n`)
    process.exitCode = 2
  },
)
