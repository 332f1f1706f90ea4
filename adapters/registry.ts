/** @module adapters/registry - every adapter of this package; the only file that knows them all. */
import type { Adapter, VendorReader } from '../src/adapter/index.js'
import { adapter as claude } from './claude/index.js'
import { reader as codex } from './codex/index.js'
import { reader as copilot } from './copilot/index.js'
import { reader as gemini } from './gemini/index.js'
import { reader as opencode } from './opencode/index.js'
import { adapter as pi } from './pi/index.js'
import { reader as qwen } from './qwen/index.js'

/** The vendors whose programs can be wrapped. */
export const adapters: readonly Adapter[] = [claude, pi]

/** The vendors whose screens can be read: those, and the ones of which there is only a recording so far. */
export const readers: readonly VendorReader[] = [claude, codex, copilot, gemini, opencode, pi, qwen]
