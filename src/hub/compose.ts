/** @module hub/compose - the daemon with its parts: vendors as they were handed down, both backends, the page. */
import { join } from 'node:path'
import type { Adapter } from '../adapter/index.js'
import { makeLauncher } from '../session/launch.js'
import { makeResumer } from '../session/resume-session.js'
import { type Parts, runDaemon } from './daemon.js'
import { terminalHosts } from './hosts.js'
import type { ReplayRecording } from './replays.js'
import { screenText } from './screen-text.js'
import { inspectVendors, versionReader } from './vendors.js'
import { packageRoot } from './version.js'

export interface Given {
  readonly adapters: readonly Adapter[]
  readonly replay: ReplayRecording
}

/** Runs the hub as this process is told by its arguments and environment; resolves with the exit code. */
export async function runHub({ adapters, replay }: Given): Promise<number> {
  return await runDaemon({
    argv: process.argv.slice(2),
    env: process.env,
    compose: ({ socketDir, env, log }): Parts => {
      const versionOf = versionReader(env)
      return {
        ...terminalHosts({ socketDir, log }),
        launch: makeLauncher({ adapters, versionOf }),
        resume: makeResumer(adapters),
        vendors: () => inspectVendors(adapters, env, versionOf),
        screenText,
        replay,
        webRoot: join(packageRoot(), 'dist', 'web'),
      }
    },
  })
}
