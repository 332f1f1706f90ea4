/** @module test/recording/situations - every situation, in the order in which they are recorded. */
import { INLINE } from './inline.js'
import { PROGRAM } from './program.js'
import { SHAPES } from './shapes.js'
import type { Situation } from './situation.js'
import { TALK } from './talk.js'
import { TOOLS } from './tools.js'
import { TURNS } from './turns.js'

export type { Situation } from './situation.js'

export const SITUATIONS: readonly Situation[] = [
  ...TALK,
  ...TOOLS,
  ...PROGRAM,
  ...INLINE,
  ...SHAPES,
  ...TURNS,
]
