/**
 * @module The pty backend's host: no server, no socket, nothing that outlives the bridge, and nothing to attach to.
 */
import { MeowError } from '../protocol/errors.js'
import { type OnFault, warn } from './events.js'
import { PtyTerminal } from './pty-terminal.js'
import { checkStart, createRecord } from './start-check.js'
import type { Terminal, TerminalHost, TerminalInfo, TerminalSpec } from './terminal.js'

class PtyHost implements TerminalHost {
  readonly backend = 'pty'
  readonly #terminals = new Map<string, PtyTerminal | 'opening'>()
  readonly #onFault: OnFault
  #disposed = false

  constructor(onFault: OnFault) {
    this.#onFault = onFault
  }

  async open(spec: TerminalSpec): Promise<Terminal> {
    await checkStart(spec)
    if (this.#disposed) throw new MeowError('terminal_start_failed', 'this host was disposed')
    if (this.#terminals.has(spec.id))
      throw new MeowError('terminal_start_failed', `a terminal with the id ${spec.id} exists`)
    this.#terminals.set(spec.id, 'opening')
    try {
      await createRecord(spec.recordFile)
      if (this.#disposed) throw new MeowError('terminal_start_failed', 'this host was disposed')
      const terminal = new PtyTerminal(spec, this.#onFault)
      this.#terminals.set(spec.id, terminal)
      terminal.onExit(() => this.#terminals.delete(spec.id))
      return terminal
    } catch (error) {
      this.#terminals.delete(spec.id)
      throw error
    }
  }

  async list(): Promise<readonly TerminalInfo[]> {
    return this.#open().map(({ id, pid, ended }) => ({ id, pid, dead: ended }))
  }

  /** Nothing on a pty outlives the process that opened it. */
  async adopt(): Promise<null> {
    return null
  }

  async endLeft(): Promise<boolean> {
    return false
  }

  async dispose(): Promise<void> {
    this.#disposed = true
    await Promise.all(this.#open().map((terminal) => terminal.kill()))
  }

  #open(): PtyTerminal[] {
    return [...this.#terminals.values()].filter((terminal) => terminal !== 'opening')
  }
}

export interface PtyHostOptions {
  /** Told of faults that are nobody's call; a warning of the process unless told. */
  readonly onFault?: OnFault
}

/** A host whose programs live and die with this process. */
export const openPtyHost = (options: PtyHostOptions = {}): TerminalHost =>
  new PtyHost(options.onFault ?? warn)
