/** @module test/delivery/tui/program - the test TUI as a program on a terminal of its own; its script is in its environment. */
import { appendFileSync } from 'node:fs'
import { TestTui } from './core.js'
import type { TuiScript } from './script.js'

const file = process.env.TEST_TUI_LOG ?? ''
const script = JSON.parse(process.env.TEST_TUI_SCRIPT ?? '{}') as TuiScript
const { stdin, stdout } = process
const size = () => ({ cols: stdout.columns, rows: stdout.rows })

let seq = 0
const tui = new TestTui(
  script,
  {
    write: (text) => void stdout.write(text),
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms)
      return () => clearTimeout(timer)
    },
    now: () => performance.now(),
    log: (kind, text, by) => {
      seq += 1
      appendFileSync(file, `${JSON.stringify({ seq, kind, text, by })}\n`)
    },
    told: () => undefined,
    exit: (code) => {
      if (stdin.isTTY) stdin.setRawMode(false)
      process.exit(code)
    },
  },
  size(),
)
stdin.on('data', (bytes) => tui.input(bytes))
stdout.on('resize', () => tui.resize(size().cols, size().rows))
tui.start(() => stdin.setRawMode(true))
