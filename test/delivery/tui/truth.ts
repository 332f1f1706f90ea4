/** @module test/delivery/tui/truth - whether what receipts claim is what the program received. */
import type { Receipt } from '../../../src/protocol/commands.js'
import { Races } from './races.js'
import type { World } from './world.js'

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

/** What a run came to. */
export interface Verdict {
  /** What is not true; nothing, if all is well. */
  readonly faults: readonly string[]
  /** What nobody asked for and a race explains, each with the proof. */
  readonly excused: readonly string[]
  /** How much the bridge submitted, of every kind. */
  readonly submitted: number
}

/** Whether what receipts claim, and what the bridge submitted, is what happened. `latency`: longest that bytes are on their way, in ms. */
export function verdictOf(
  world: World,
  sent: ReadonlyMap<string, Sent>,
  asked: Asked,
  latency: number,
): Verdict {
  const faults = receiptFaults(world, sent)
  const excused: string[] = []
  const texts = new Set([...sent.values()].map((s) => s.text))
  const race = new Races(world, texts, asked, latency)
  const own = world.log.filter((e) => e.by === 'bridge')
  for (const entry of own) {
    const known = { answer: asked.answers, command: asked.commands }
    const wanted = entry.kind === 'answer' || entry.kind === 'command' ? known[entry.kind] : texts
    if (wanted.has(entry.text)) continue
    const what = `${entry.kind} ${JSON.stringify(entry.text)}`
    const why = race.explains(entry)
    if (why === null) faults.push(`submitted by the bridge, and nobody's message: ${what}`)
    else excused.push(`${what}: ${why}`)
  }
  return { faults, excused, submitted: own.length }
}

/** Receipts that are not final, that went back, or that claim what did not happen. */
function receiptFaults(world: World, sent: ReadonlyMap<string, Sent>): string[] {
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
  return faults
}
