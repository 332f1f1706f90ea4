#!/usr/bin/env node
/** @module scripts/demo - `npm run demo` on a fresh clone: set-up, build, then `agent-meow demo`. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build } from './build.mjs'
import { main } from './setup/progress.mjs'
import { ROOT, setup } from './setup.mjs'

await main(async () => {
  await setup('demo')
  await build()
  return demo(process.argv.slice(2))
})

/**
 * Runs the demo in the person's terminal. Ctrl-C reaches the child by the terminal; this process must outlive it, and
 * passes on a signal that was sent to this process alone.
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
function demo(args) {
  return new Promise((resolve, reject) => {
    const program = join(ROOT, 'dist', 'src', 'cli', 'main.js')
    const child = spawn(process.execPath, [program, 'demo', ...args], { stdio: 'inherit' })
    process.on('SIGINT', () => {
      // A terminal sent it to the child as well. One sent by hand to this process only is passed on.
      if (process.stdin.isTTY !== true) child.kill('SIGINT')
    })
    for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP']))
      process.on(signal, () => child.kill(signal))
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? 1))
  })
}
