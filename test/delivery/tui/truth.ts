/** @module test/delivery/tui/truth - whether what receipts claim is what the program received. */
import type { Receipt } from '../../../src/protocol/commands.js'
import type { World } from './world.js'

/** How long what stands on the screen may not be known to the bridge, in ms, beside the way there and back: a frame. */
const UNSEEN_MS = 40

export interface Sent {
  /** As the program will hold it. */
  readonly text: string
  readonly receipt: Receipt | undefined
  readonly states: readonly string[]
}

/** What was asked of the bridge beside messages. */
export interface Asked {
  /** Answers to dialogs: `title: label`. */
  readonly answers: ReadonlySet<string>
  readonly commands: ReadonlySet<string>
}

/** What is not true; nothing, if all is well. `latency`: longest that bytes are on their way, in ms. */
export function faultsOf(
  world: World,
  sent: ReadonlyMap<string, Sent>,
  asked: Asked,
  latency: number,
): string[] {
  const faults: string[] = []
  const prompts = world.log.filter((e) => e.kind === 'prompt')
  for (const [id, { text, receipt, states }] of sent) {
    const times = prompts.filter((e) => e.text === text).length
    const say = (what: string) =>
      faults.push(
        `${id} (${states.join(' ')}${receipt?.undecided ? ', undecided' : ''}: ${receipt?.reason}): ${what}`,
      )
    if (!receipt || (receipt.state !== 'completed' && receipt.state !== 'failed'))
      say('its receipt is not final')
    else if (receipt.undecided) {
      if (times > 1) say(`undecided, and ran ${times} times`)
    } else if (receipt.state === 'completed' || states.includes('started')) {
      if (times !== 1) say(`told as run, and ran ${times} times`)
    } else if (times !== 0) say(`told as not run, and ran ${times} times`)
    const order = ['queued', 'typed', 'accepted', 'started', 'completed', 'failed']
    const rises = states.every((s, n) => n === 0 || order.indexOf(s) > order.indexOf(states[n - 1] ?? ''))
    // An undecided failure may still become what really happened.
    if (!rises && !states.includes('failed')) say('its receipt went back')
  }
  const texts = new Set([...sent.values()].map((s) => s.text))
  const margin = 2 * latency + UNSEEN_MS
  for (const entry of world.log) {
    if (entry.by !== 'bridge') continue
    const known = { answer: asked.answers, command: asked.commands }
    const wanted = entry.kind === 'answer' || entry.kind === 'command' ? known[entry.kind] : texts
    if (wanted.has(entry.text)) continue
    // What came while a key was on its way nobody at a terminal can know: a person's key, a dialog that opened or went, a restart.
    const near = (at: number) => Math.abs(at - entry.at) <= margin + latency
    const race =
      world.terminal.sent.some((s) => s.by === 'person' && near(s.at)) ||
      world.tui.askedAt.some(near) ||
      world.tui.restartedAt.some(near) ||
      world.log.some((e) => e.kind === 'answer' && e !== entry && near(e.at))
    if (!race)
      faults.push(
        `submitted by the bridge, and nobody's message: ${entry.kind} ${JSON.stringify(entry.text)}`,
      )
  }
  return faults
}
