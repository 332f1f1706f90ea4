#!/usr/bin/env node
/**
 * @module hub/main - the daemon's program: the one file of the hub that knows every vendor. As a thread of itself it
 * reads one recording back.
 */
import { isMainThread } from 'node:worker_threads'
import { adapters, readers } from '../../adapters/registry.js'
import { answerReplay, replayThreads } from './replays.js'

if (isMainThread) {
  // A thread needs nothing of the daemon, and begins in half the time without it.
  const { runHub } = await import('./compose.js')
  const replay = replayThreads({ entry: new URL(import.meta.url) })
  process.exit(await runHub({ adapters, replay }))
} else {
  await answerReplay({ readers, adapters })
}
