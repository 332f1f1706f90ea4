/** @module test/recording/kits - every vendor that can be recorded. */
import type { Kit } from '../kit.js'
import { claude } from './claude.js'
import { codex } from './codex.js'
import { copilot } from './copilot.js'
import { gemini } from './gemini.js'
import { opencode } from './opencode.js'
import { pi } from './pi.js'
import { qwen } from './qwen.js'

export const KITS: readonly Kit[] = [claude, pi, codex, opencode, gemini, qwen, copilot]
