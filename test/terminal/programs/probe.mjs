// Raw mode; reports on its own screen, each report as RS + JSON + newline: bytes received, size, signals.
// Arguments are what it does at start: "app-cursor", "bracketed", "ignore-hup", "child-ignores-hup", "env", "cwd".
import { spawn } from 'node:child_process'

const wants = new Set(process.argv.slice(2))
const report = (value) => process.stdout.write(`\x1e${JSON.stringify(value)}\n`)
process.stdin.setRawMode(true)
process.stdin.on('data', (data) => report({ got: data.toString('hex') }))
process.stdout.on('resize', () => report({ size: [process.stdout.columns, process.stdout.rows] }))
if (wants.has('app-cursor')) process.stdout.write('\x1b[?1h')
if (wants.has('bracketed')) process.stdout.write('\x1b[?2004h')
if (wants.has('ignore-hup')) process.on('SIGHUP', () => report({ signal: 'SIGHUP' }))
if (wants.has('env')) report({ env: process.env })
if (wants.has('cwd')) report({ cwd: process.cwd() })
if (wants.has('child-ignores-hup')) {
  const code = "process.on('SIGHUP', () => {}); process.stdout.write('up'); setInterval(() => {}, 1e9)"
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'ignore'] })
  // Only once its handler is there.
  child.stdout.once('data', () => report({ child: child.pid }))
}
report({ ready: process.pid, size: [process.stdout.columns, process.stdout.rows] })
