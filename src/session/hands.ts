/** @module session/hands - what the bridge types into a session's terminal: one writer at a time, all of it recorded. */
import type { SideChannel } from '../adapter/index.js'
import { settledWithin } from '../protocol/bounded.js'
import { MeowError } from '../protocol/errors.js'
import { isKeyName, type KeyName, keyBytes, type Screen, type Terminal } from '../terminal/index.js'
import type { SessionRecorder } from './recording.js'
import type { ScriptIo, Watch } from './script.js'

/** Longest that a person's keys wait for a prompt that is being typed, in ms. */
const PASTE_MS = 5000

export interface HandsParts {
  readonly terminal: Terminal
  readonly screen: Screen
  readonly channels: readonly SideChannel[]
  readonly recorder: SessionRecorder
  readonly watch: Watch
}

export class Hands {
  private turns: Promise<unknown> = Promise.resolve()
  private working = 0
  private yields = false
  /** Something of a script stands in the prompt box, or may: a person's keys would be submitted with it. */
  private pasted = false
  /** A person's keys wait for that, in order. */
  private people: Promise<unknown> = Promise.resolve()
  private waiting = 0

  /** For scripts. */
  readonly io: Omit<ScriptIo, 'receipt'>

  constructor(private readonly parts: HandsParts) {
    this.io = this.makeIo()
  }

  /** A script of the bridge is at work: what stands in the prompt box may be ours. */
  get busy(): boolean {
    return this.working > 0
  }

  /**
   * One writer at a time: a prompt being typed and an interrupt never mix their keys.
   * @param yields a session command may last for minutes (a compaction): an interrupt does not wait for it
   */
  exclusive<T>(work: () => Promise<T>, yields = false): Promise<T> {
    const own = async () => {
      this.working += 1
      this.yields = yields
      try {
        return await work()
      } finally {
        this.working -= 1
        this.pasted = false
        this.yields = false
      }
    }
    const run = this.turns.then(own, own)
    this.turns = run.catch(() => undefined)
    return run
  }

  /** For an interrupt: at once where a session command has the hands, else in its turn. */
  async breakIn<T>(work: () => Promise<T>): Promise<T> {
    return this.yields ? await work() : await this.exclusive(work)
  }

  /** Presses named keys; `invalid_argument` on an unknown one. */
  async press(names: readonly string[]): Promise<void> {
    const { recorder, screen, terminal } = this.parts
    const keys = keyNames(names)
    recorder.input(keyBytes(keys, screen.modes.applicationCursor))
    await terminal.keys(keys)
  }

  /** A person's own keystrokes, as bytes: behind a prompt that is being typed, never into it. */
  async input(bytes: Uint8Array): Promise<void> {
    await this.behindPaste(Buffer.from(bytes).toString('latin1'), async () => {
      this.parts.recorder.input(bytes)
      await this.parts.terminal.write(bytes)
    })
  }

  /** A person's named keys, the same way. */
  async pressForPerson(names: readonly string[]): Promise<void> {
    const bytes = keyBytes(keyNames(names), false)
    await this.behindPaste(bytes, () => this.press(names))
  }

  private async behindPaste(bytes: string, write: () => Promise<void>): Promise<void> {
    // Escape and Ctrl-C are how a person stops something: they wait for nobody.
    const stops = bytes === '\x1b' || bytes === '\x03'
    if (stops || (!this.pasted && this.waiting === 0)) return await write()
    this.waiting += 1
    const free = settledWithin(this.turns, PASTE_MS)
    const run = this.people
      .then(() => free)
      .then(write)
      .finally(() => {
        this.waiting -= 1
      })
    this.people = run.catch(() => undefined)
    await run
  }

  private makeIo(): Omit<ScriptIo, 'receipt'> {
    const { terminal, channels, recorder, screen, watch } = this.parts
    return {
      fresh: () => screen.settled(),
      paste: async (text) => {
        this.pasted = true
        recorder.input(text)
        await terminal.paste(text)
      },
      keys: (names) => this.press(names),
      call: async (method, params) => {
        const channel = channels.find((c) => c.call)
        if (!channel?.call) throw new MeowError('unsupported', `no side channel takes the call ${method}`)
        return await channel.call(method, params)
      },
      watch,
    }
  }
}

function keyNames(names: readonly string[]): KeyName[] {
  return names.map((name) => {
    if (!isKeyName(name)) throw new MeowError('invalid_argument', `no key is called ${name}`)
    return name
  })
}
