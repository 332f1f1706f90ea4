/** @module test/delivery/pi-stage - a real Pi on a pty, its adapter at work on it, and a scripted model behind it. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { scriptedHome } from '../../adapters/pi/demo.js'
import { adapter } from '../../adapters/pi/index.js'
import type {
  HostProbe,
  LaunchPlan,
  Observation,
  Reading,
  SideChannel,
  Step,
} from '../../src/adapter/index.js'
import { type ModelServer, startModelServer } from '../../src/model-server/index.js'
import { screenView } from '../../src/session/screen-view.js'
import { type Ran, runScript, type ScriptIo, Watch } from '../../src/session/script.js'
import {
  type KeyName,
  openPtyHost,
  Screen,
  type Terminal,
  type TerminalHost,
} from '../../src/terminal/index.js'
import { VENDOR_BIN } from '../support/vendor-homes.js'

/** Longest wait for anything of Pi, in ms. */
export const SEEN_MS = 30_000
const SIZE = { cols: 100, rows: 30 }

export interface StageOptions {
  /** Settings of Pi beside those of the scripted home. */
  readonly settings?: object
  /** The source of a further extension. */
  readonly extension?: string
  /** Files of the folder that Pi works in. */
  readonly files?: Readonly<Record<string, string>>
}

const probe: HostProbe = {
  env: {},
  readFile: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : null),
  exists: existsSync,
}

/** One Pi from its start to its end. */
export class PiStage {
  readonly watch = new Watch()
  readonly all: Observation[] = []
  receipts: string[] = []
  private readonly gone = new AbortController()
  private channel: SideChannel | null = null
  private sent = 0

  private constructor(
    readonly root: string,
    readonly work: string,
    readonly server: ModelServer,
    private readonly host: TerminalHost,
    readonly terminal: Terminal,
    private readonly plan: LaunchPlan,
    private readonly screen: Screen,
  ) {}

  /** Resolves when Pi takes prompts, or shows a dialog. */
  static async open(options: StageOptions = {}): Promise<PiStage> {
    const root = mkdtempSync(join(tmpdir(), 'pi-'))
    const [home, work] = [join(root, 'home'), join(root, 'work')]
    mkdirSync(work, { recursive: true })
    const server = await startModelServer({})
    const price = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0 }
    const scripted = scriptedHome({
      ...{ home, modelUrl: server.url, provider: 'mock', price },
      models: ['mock-model', 'mock-two'],
    })
    for (const { path, text } of scripted.files) {
      const more = path.endsWith('settings.json') ? (options.settings ?? {}) : {}
      put(path, JSON.stringify({ ...(JSON.parse(text) as object), ...more }))
    }
    for (const [name, text] of Object.entries(options.files ?? {})) put(join(work, name), text)
    const extra = join(root, 'extra.ts')
    if (options.extension) put(extra, options.extension)
    const env = {
      ...{ HOME: home, PATH: `${VENDOR_BIN}:/usr/local/bin:/usr/bin:/bin`, TMPDIR: root },
      ...{ TERM: 'xterm-256color', LANG: 'C.UTF-8', SHELL: '/bin/bash' },
      ...scripted.env,
    }
    const plan = adapter.launch({
      ...{ sessionId: 's1', binary: join(VENDOR_BIN, 'pi'), cwd: work, model: null, env },
      args: options.extension ? ['-e', extra] : [],
      ...{ sessionDir: root, socketDir: root, hook: { url: 'http://127.0.0.1:1/', token: 'none' }, probe },
      uuid: () => crypto.randomUUID(),
    })
    const host = openPtyHost()
    const shape = { argv: plan.argv, cwd: work, env: plan.env, ...SIZE }
    const channel = adapter.sources(plan)[0]
    if (!channel) throw new Error('pi has a side channel')
    const screen = new Screen(SIZE)
    // The channel listens before Pi starts; what it hears first is kept until the stage is there.
    let hear = (o: Observation): void => void early.push(o)
    const early: Observation[] = []
    const gone = new AbortController()
    await channel.start(context((o) => hear(o), gone.signal, false))
    const terminal = await host.open({ id: 'pi', ...shape, recordFile: join(root, 'record') })
    const stage = new PiStage(root, work, server, host, terminal, plan, screen)
    stage.channel = channel
    hear = (o) => stage.hear(o)
    for (const o of early) stage.hear(o)
    screen.onFrame((frame) => stage.watch.read(adapter.read(screenView(frame))))
    terminal.onData((bytes) => screen.write(bytes))
    await stage.until(
      'Pi takes prompts',
      () => adapter.ready({ reading: null, observations: stage.all }) || stage.reading?.dialog,
    )
    return stage
  }

  get reading(): Reading | null {
    return this.watch.reading
  }

  private hear(o: Observation): void {
    this.all.push(o)
    this.watch.observe(o)
  }

  /** Ends the bridge's side as a killed bridge would leave it, or takes it up again. */
  async bridge(there: boolean): Promise<void> {
    await this.channel?.stop()
    this.channel = null
    if (!there) return
    this.channel = adapter.sources(this.plan)[0] ?? null
    await this.channel?.start(context((o) => this.hear(o), this.gone.signal, true))
  }

  async until(what: string, holds: () => unknown, ms = SEEN_MS): Promise<void> {
    if (await this.watch.until(() => Boolean(holds()), [], ms, this.gone.signal)) return
    const last = this.all.slice(-6).map((o) => JSON.stringify(o).slice(0, 300))
    throw new Error(`not seen in ${ms} ms: ${what}\n${this.text()}\n${last.join('\n')}`)
  }

  run(steps: readonly Step[]): Promise<Ran> {
    const io: ScriptIo = {
      paste: (text) => this.terminal.paste(text),
      keys: (names) => this.terminal.keys(names as readonly KeyName[]),
      call: async (method, params) => await this.channel?.call?.(method, params),
      receipt: (state) => this.receipts.push(state),
      watch: this.watch,
    }
    return runScript(steps, io, this.gone.signal)
  }

  async send(
    text: string,
    how: 'deliver' | 'steer' = 'deliver',
    images: readonly string[] = [],
  ): Promise<string> {
    this.sent += 1
    const messageId = `m${this.sent}`
    await this.hand(messageId, text, how, images)
    return messageId
  }

  /** Runs the script of a prompt, as a bridge does that does not know whether an earlier one has. */
  hand(
    messageId: string,
    text: string,
    how: 'deliver' | 'steer' = 'deliver',
    images: readonly string[] = [],
  ): Promise<Ran> {
    return this.run(adapter[how]?.({ messageId, text, images }) ?? [])
  }

  async turn(text: string, images: readonly string[] = []): Promise<void> {
    const before = this.of('turn.ended').length
    await this.send(text, 'deliver', images)
    await this.until(`the turn of "${text.slice(0, 40)}" ends`, () => this.of('turn.ended').length > before)
  }

  async command(name: string, argument = ''): Promise<Ran> {
    const command = adapter.commands?.find((c) => c.name === name)
    if (!command) throw new Error(`no command ${name}`)
    return await this.run(command.steps(argument))
  }

  of<T extends Observation['type']>(type: T): Extract<Observation, { type: T }>[] {
    return this.all.filter((o): o is Extract<Observation, { type: T }> => o.type === type)
  }

  /** What Pi itself says stands in its editor. */
  async editor(): Promise<string> {
    const state = (await this.channel?.call?.('state', {})) as { editor: string } | undefined
    return state?.editor ?? ''
  }

  text(): string {
    return Array.from({ length: this.screen.rows }, (_, y) => this.screen.text(y)).join('\n')
  }

  async close(): Promise<void> {
    this.gone.abort()
    await this.host.dispose()
    await this.channel?.stop()
    await this.server.close()
    this.screen.dispose()
    rmSync(this.root, { recursive: true, force: true })
  }
}

function context(emit: (o: Observation) => void, signal: AbortSignal, resumed: boolean) {
  return { emit, pid: Promise.resolve(0), onHook: () => {}, probe, signal, resumed }
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
