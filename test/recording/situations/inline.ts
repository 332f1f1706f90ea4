/** @module test/recording/situations/inline - some situations once more, for programs that can leave the alternate screen. */
import { PROGRAM } from './program.js'
import type { Situation } from './situation.js'
import { TALK } from './talk.js'
import { TOOLS } from './tools.js'

const AGAIN = [
  'simple',
  'markdown',
  'long-text',
  'shell-long-output',
  'permission-allowed',
  'resize-while-streaming',
]

export const INLINE: readonly Situation[] = [...TALK, ...TOOLS, ...PROGRAM]
  .filter(({ name }) => AGAIN.includes(name))
  .map((one) => ({ ...one, name: `inline-${one.name}`, wish: { ...one.wish, inline: true } }))
