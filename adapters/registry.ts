/** @module adapters/registry - every adapter of this package; the only file that knows them all. */
import type { Adapter } from '../src/adapter/index.js'
import { adapter as claude } from './claude/index.js'
import { adapter as pi } from './pi/index.js'

export const adapters: readonly Adapter[] = [claude, pi]
