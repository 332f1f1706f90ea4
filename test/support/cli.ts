/** @module test/support/cli - runs the built command line program as a person's shell would. */
import { spawn } from 'node:child_process'
import { CLI_MAIN } from './bridge.js'

export interface CliResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs one command to its end; kills it and rejects after `timeoutMs`. */
export async function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  options: { cwd?: string; input?: string; timeoutMs?: number } = {},
): Promise<CliResult> {
  return await new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI_MAIN, ...args], {
      env: { ...env },
      cwd: options.cwd ?? process.cwd(),
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString('utf8')
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString('utf8')
    })
    const ms = options.timeoutMs ?? 120_000
    const bound = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`agent-meow ${args.join(' ')} did not end within ${ms} ms\n${stdout}\n${stderr}`))
    }, ms)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(bound)
      resolve({ code, stdout, stderr })
    })
    child.stdin.end(options.input ?? '')
  })
}
