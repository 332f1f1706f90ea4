/** @module cli/demo/end-demo - ends a demo's hub and what it started, also when the hub was killed; and looks whether it did. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MeowError } from '../../protocol/errors.js'
import type { HubAccess } from '../hub-access.js'
import { endHub } from '../killed-hub.js'
import type { DemoFolder } from './demo-folder.js'

export class DemoEnd {
  readonly #folder: DemoFolder
  /** The vendor's program; null until it is known. */
  #program: number | null = null
  #ended = true

  constructor(folder: DemoFolder) {
    this.#folder = folder
  }

  watches(program: number | null): void {
    this.#program = program
  }

  /** Ends the hub, its tmux server and the vendor. Errors: those of the hub, and `timeout` when something still runs. */
  async hub(hubs: HubAccess): Promise<void> {
    this.#ended = false
    await endHub(hubs)
    const left = this.#left()
    if (left !== null) throw new MeowError('timeout', `${left} still runs`)
    this.#ended = true
  }

  /** Removes the folder. Error: `conflict` while something may run in it: by its socket it can still be ended. */
  folder(): void {
    if (this.#ended) {
      this.#folder.remove()
      return
    }
    const { state, runtime } = this.#folder
    const down = `XDG_RUNTIME_DIR=${runtime} AGENT_MEOW_HOME=${state} agent-meow down --force`
    throw new MeowError('conflict', `it is kept to end what still runs; try: ${down}`)
  }

  #left(): string | null {
    if (this.#program !== null && runs(this.#program)) return `the vendor's program (pid ${this.#program})`
    const socket = readdirSync(this.#folder.runtime)
      .map((name) => join(this.#folder.runtime, name, 'tmux.sock'))
      .find((path) => existsSync(path))
    return socket === undefined ? null : `the tmux server of ${socket}`
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    // One that has ended and whose parent has not asked for its status yet is still in the table.
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}
