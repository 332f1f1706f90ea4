/** @module hub/vendors - which vendors' programs are here, in which version, and whether they are logged in. */
import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import type { Adapter, HostProbe } from '../adapter/index.js'
import type { VendorInfo } from '../protocol/api.js'
import { findBinary } from '../session/find-binary.js'

type Env = Readonly<Record<string, string>>

/** Reads a program's version; null when it does not say one in time. */
export type VersionOf = (adapter: Adapter, binary: string) => Promise<string | null>

const VERSION_MS = 10_000
const MAX_OUTPUT = 64 * 1024
const VERSION = /\d+\.\d+(?:\.\d+)?(?:[-+.][\w.]+)*/

/** The environment as vendors get it: what is set, and nothing else. */
export function environment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}

/** Looks at every adapter's program. One after another: they are heavy, and nobody waits for more than one. */
export async function inspectVendors(
  adapters: readonly Adapter[],
  env: Env,
  versionOf: VersionOf = versionReader(env),
): Promise<VendorInfo[]> {
  // Loaded when asked for: every command of the CLI loads this file, and the launcher brings a whole terminal with it.
  const { hostProbe } = await import('../session/launch.js')
  const probe = hostProbe(env)
  const found: VendorInfo[] = []
  for (const adapter of adapters) {
    const { vendor } = adapter
    const binary = findBinary(vendor, env)
    const version = binary === null ? null : await versionOf(adapter, binary)
    found.push({
      id: vendor.id,
      name: vendor.name,
      binary,
      version,
      testedVersions: [...vendor.testedVersions],
      auth: authOf(adapter, probe),
      installHint: vendor.installHint,
      loginHint: vendor.loginHint,
      capabilities: adapter.capabilities(version).map((row) => ({ ...row })),
    })
  }
  return found
}

/** A {@link VersionOf} that asks each program once, until its file changes. An answer that failed is asked again. */
export function versionReader(env: Env, timeoutMs: number = VERSION_MS): VersionOf {
  const known = new Map<string, { mark: string; version: Promise<string | null> }>()
  return async (adapter, binary) => {
    const mark = markOf(binary)
    const old = known.get(binary)
    if (old !== undefined && old.mark === mark) return await old.version
    const version = askVersion(binary, adapter.vendor.versionArgs, env, timeoutMs)
    known.set(binary, { mark, version })
    const answer = await version
    if (answer === null) known.delete(binary)
    return answer
  }
}

/** A package manager replaces the target of a link and leaves the link as it was. */
function markOf(binary: string): string {
  try {
    const real = fs.realpathSync(binary)
    const { mtimeMs, size } = fs.statSync(real)
    return `${real} ${mtimeMs} ${size}`
  } catch {
    return 'gone'
  }
}

async function askVersion(
  binary: string,
  args: readonly string[],
  env: Env,
  timeoutMs: number,
): Promise<string | null> {
  return await new Promise((resolve) => {
    // A group of its own: a program that hangs is ended with all that it started.
    const child = spawn(binary, args, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    let text = ''
    const take = (chunk: Buffer): void => {
      if (text.length < MAX_OUTPUT) text += chunk.toString('utf8')
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    const timer = setTimeout(() => killGroup(child.pid), timeoutMs)
    const done = (ok: boolean): void => {
      clearTimeout(timer)
      child.stdout.destroy()
      child.stderr.destroy()
      resolve(ok ? (VERSION.exec(text)?.[0] ?? null) : null)
    }
    child.once('error', () => done(false))
    // `exit`, not `close`: a child of it may hold the pipes for as long as it likes.
    child.once('exit', (code) => setImmediate(done, code === 0))
  })
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

/** An adapter that fails to look says so; the other vendors are still told. */
function authOf(adapter: Adapter, probe: HostProbe): VendorInfo['auth'] {
  try {
    const { status, detail } = adapter.auth(probe)
    return { status, detail }
  } catch {
    return { status: 'unknown', detail: 'the look at its credentials failed' }
  }
}
