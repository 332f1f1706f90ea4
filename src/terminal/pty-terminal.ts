/**
 * @module One program on a pty of our own (node-pty). The bytes go to the record first and to the listeners from there.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import type { OnFault } from './events.js'
import { exactArgv } from './exact-env.js'
import { type KeyName, keyBytes } from './keys.js'
import { PtyIo } from './pty-io.js'
import { PtyModes } from './pty-modes.js'
import { signalName } from './signals.js'
import type { AttachCommand, TerminalSpec } from './terminal.js'
import { TerminalBase } from './terminal-base.js'

export class PtyTerminal extends TerminalBase {
  readonly backend = 'pty'
  readonly pid: number
  readonly #pty: PtyIo
  readonly #modes = new PtyModes()
  readonly #record: number
  #offset = 0

  /** The spec is checked and its record file exists. Throws `terminal_start_failed`. */
  constructor(spec: TerminalSpec, onFault: OnFault) {
    super(spec, onFault)
    this.#record = openSync(spec.recordFile, 'a')
    const [file = '', ...args] = exactArgv(spec, ['TERM', 'PWD'])
    const { cols, rows, cwd, env } = spec
    try {
      const options = { name: env.TERM ?? 'xterm-256color', cols, rows, cwd, env }
      this.#pty = new PtyIo(file, args, options, (bytes) => this.#receive(bytes))
    } catch (error) {
      closeSync(this.#record)
      throw error
    }
    this.pid = this.#pty.pid
    this.#pty.onExit((exitCode, signal) => {
      const name = signalName(signal)
      try {
        closeSync(this.#record)
      } catch (error) {
        onFault(error)
      }
      this.finish({ code: name === null ? exitCode : null, signal: name }).catch(onFault)
    })
  }

  async keys(names: readonly KeyName[]): Promise<void> {
    await this.write(Buffer.from(keyBytes(names, this.#modes.applicationCursor), 'latin1'))
  }

  attachCommand(): AttachCommand | null {
    return null
  }

  #receive(bytes: Buffer): void {
    this.#modes.feed(bytes)
    try {
      // A short write happens on a full disk only; the loop makes the error show.
      for (let at = 0; at < bytes.length; ) at += writeSync(this.#record, bytes, at)
      this.#offset += bytes.length
    } catch (error) {
      this.reportGap({ atOffset: this.#offset, reason: `the record cannot be written: ${String(error)}` })
    }
    this.feed.pump()
  }

  protected async sendPaste(text: string): Promise<void> {
    const [before, after] = this.#modes.bracketedPaste ? ['\x1b[200~', '\x1b[201~'] : ['', '']
    this.#pty.write(Buffer.from(before + text + after, 'utf8'))
  }

  protected async sendBytes(bytes: Uint8Array): Promise<void> {
    this.#pty.write(bytes)
  }

  protected async sendResize(cols: number, rows: number): Promise<void> {
    this.#pty.resize(cols, rows)
    this.setSize({ cols, rows })
  }
}
