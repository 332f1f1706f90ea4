/** @module cli/real-shell - the person's real terminal, environment and signals. */
import { spawn } from 'node:child_process'
import { basename, relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { environment, inspectVendors } from '../hub/client.js'
import { MeowError } from '../protocol/errors.js'
import { EXIT } from './exits.js'
import { hubsOf } from './hub-access.js'
import type { Shell } from './shell.js'
import { openRawTty } from './tty.js'

/** A Ctrl-C more than this ends the process at once, for the case that an orderly end hangs. */
const PATIENCE = 2

/** The shell of this process. */
export function realShell(adapters: Parameters<typeof inspectVendors>[0]): Shell {
  const { stdin, stdout, stderr } = process
  const env = environment(process.env)
  const interactive = stdin.isTTY === true && stdout.isTTY === true
  const controller = new AbortController()
  let pressed = 0
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      pressed += 1
      if (pressed > PATIENCE) process.exit(EXIT.ctrlC)
      controller.abort()
    })
  }
  // `agent-meow events | head`: a reader that has enough is no error.
  stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? EXIT.ok : EXIT.error),
  )
  return {
    out: (text) => void stdout.write(text),
    tell: (line) => void stderr.write(`${line}\n`),
    readStdin,
    ask,
    handOver,
    openTty: () => (interactive ? openRawTty(stdin, stdout) : null),
    env,
    cwd: process.cwd(),
    interactive,
    columns: stdout.columns || 80,
    rows: stdout.rows || 24,
    color: stdout.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb',
    signal: controller.signal,
    hubs: hubsOf(env),
    hubsFor: hubsOf,
    self: self(),
    vendors: () => inspectVendors(adapters, env),
    now: Date.now,
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}

async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // Ctrl-C at the question means no.
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('n')))
  try {
    return /^y(es)?$/i.test((await Promise.race([lines.question(`${question} [y/N] `), closed])).trim())
  } finally {
    lines.close()
  }
}

/** The program has the terminal to itself; a Ctrl-C in it is its own affair. */
function handOver(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const [program = '', ...args] = argv
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', env: { ...env } })
    child.once('error', (cause) => {
      reject(new MeowError('tmux_failed', `${program} does not start: ${cause.message}`, { cause }))
    })
    child.once('close', (code) => resolve(code ?? EXIT.error))
  })
}

function self(): string {
  const script = process.argv[1] ?? ''
  return basename(script) === 'main.js' ? `node ${relative(process.cwd(), script)}` : 'agent-meow'
}
