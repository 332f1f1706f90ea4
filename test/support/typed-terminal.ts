/** @module test/support/typed-terminal - a person's terminal: runs a command on a pty and reads its screen. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPtyHost, Screen, type Terminal, type TerminalExit } from '../../src/terminal/index.js'

export interface TypedTerminal {
  readonly terminal: Terminal
  /** The screen now, rows joined by newlines. */
  text(): string
  /** Everything that was ever drawn, escape sequences and all. */
  raw(): string
  readonly exit: Promise<TerminalExit>
  close(): Promise<void>
}

export async function openTypedTerminal(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
  size = { cols: 110, rows: 32 },
): Promise<TypedTerminal> {
  const folder = mkdtempSync(join(tmpdir(), 'meow-term-'))
  const host = openPtyHost()
  const terminal = await host.open({ id: 'person', argv, cwd, env, ...size, recordFile: join(folder, 'raw') })
  const screen = new Screen(size)
  let raw = ''
  terminal.onData((bytes) => {
    raw += Buffer.from(bytes).toString('utf8')
    screen.write(bytes)
  })
  return {
    terminal,
    raw: () => raw,
    text: () => Array.from({ length: size.rows }, (_, y) => screen.text(y)).join('\n'),
    exit: new Promise((resolve) => terminal.onExit(resolve)),
    close: async () => {
      await host.dispose()
      screen.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
