/** @module cli/tty - the person's terminal in raw mode. */
import type { ReadStream, WriteStream } from 'node:tty'
import type { Tty } from './shell.js'

/** Raw mode from now until `close`; every listener goes with it. */
export function openRawTty(stdin: ReadStream, stdout: WriteStream): Tty {
  const undo: (() => void)[] = []
  stdin.setRawMode(true)
  stdin.resume()
  return {
    write: (bytes) => void stdout.write(bytes),
    onInput: (listener) => {
      const data = (chunk: Buffer): void => listener(chunk)
      stdin.on('data', data)
      undo.push(() => stdin.off('data', data))
    },
    onResize: (listener) => {
      const tell = (): void => listener({ cols: stdout.columns, rows: stdout.rows })
      stdout.on('resize', tell)
      undo.push(() => stdout.off('resize', tell))
      tell()
    },
    close: () => {
      for (const step of undo.splice(0)) step()
      stdin.setRawMode(false)
      stdin.pause()
    },
  }
}
