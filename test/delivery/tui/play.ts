/** @module test/delivery/tui/play - one seed: what everyone does, and whether the receipts tell the truth. */
import { MeowError } from '../../../src/protocol/errors.js'
import { Chance } from './random.js'
import { seededScript, seededText } from './seeded.js'
import { type Asked, type Sent, type Verdict, verdictOf } from './truth.js'
import { World } from './world.js'

export interface Played extends Verdict {
  readonly script: string
  /** What happened, in order. */
  readonly story: readonly string[]
}

interface Message {
  text: string
}

/** Longest that a page's Esc is on its way and may be the head of something else, in ms. */
const PAGE_ESC_MS = 60

class Play {
  readonly story: string[] = []
  private readonly messages = new Map<string, Message>()
  private readonly pending: Promise<unknown>[] = []
  private readonly answers = new Set<string>()
  /** When a person at a page pressed Esc. */
  private readonly escaped: number[] = []
  private words = 0
  private readonly start = Date.now()

  constructor(
    private readonly world: World,
    private readonly chance: Chance,
  ) {}

  private say(what: string): void {
    this.story.push(`${Date.now() - this.start} ${what}`)
  }

  /** Calls that are refused are part of the game; anything but an error of ours is not. */
  private call(what: string, work: () => unknown): void {
    this.say(what)
    const fault = (error: unknown) => {
      this.say(`${what}: ${error instanceof MeowError ? error.code : String(error)}`)
      if (!(error instanceof MeowError)) this.story.push('NOT OURS')
    }
    try {
      this.pending.push(Promise.resolve(work()).catch(fault))
    } catch (error) {
      fault(error)
    }
  }

  private send(): void {
    const { chance, world } = this
    const id = `w${chance.int(1, 2)}-${this.messages.size}`
    const text = seededText(chance, id)
    const how = chance.pick(['queue', 'queue', 'steer', 'interrupt'] as const)
    this.messages.set(id, { text })
    this.call(`send ${how} ${JSON.stringify(text.slice(0, 30))}`, () => world.send(id, text, { how }))
    if (chance.yes(0.15)) this.call(`retry ${id}`, () => world.send(id, text, { how }))
  }

  private change(): void {
    const { chance, world } = this
    const queue = world.session.queue()
    if (queue.length === 0) return
    const one = chance.pick(queue)
    const { messageId } = one
    const what = chance.int(1, 4)
    if (what === 1) this.call(`withdraw ${messageId}`, () => world.session.withdraw(messageId))
    else if (what === 2) {
      const text = `${one.text} edited`
      this.call(`edit ${messageId}`, () => {
        world.session.editQueued(messageId, { text })
        this.messages.set(messageId, { text })
      })
    } else if (what === 3)
      this.call(`move ${messageId}`, () =>
        world.session.editQueued(messageId, { before: chance.pick(queue).messageId }),
      )
    else this.call(`hurry ${messageId}`, () => world.session.editQueued(messageId, { how: 'interrupt' }))
  }

  /** A person looks before they type: not into a dialog, and not behind what is not theirs. */
  private async type(): Promise<void> {
    const { chance, world } = this
    const { tui } = world
    if (tui.asking) return void this.press(chance.pick(['2', '3', '\x1b', '\x1b[B']))
    if (tui.draft !== '' && !tui.draft.startsWith('P')) return
    this.words += 1
    for (const key of `P${this.words} `) {
      this.press(key)
      await world.pass(chance.int(5, 40))
    }
    if (chance.yes(0.6) && tui.draft.startsWith('P')) this.press('\r')
    else if (chance.yes(0.5)) this.press('\x15')
  }

  private press(bytes: string): void {
    this.say(`person ${JSON.stringify(bytes)}`)
    this.world.terminal.person(Buffer.from(bytes, 'utf8'))
  }

  private answer(): void {
    const { chance, world } = this
    const asked = world.told('approval.requested').at(-1)
    if (!asked) return
    const key = chance.pick(['1', '2', '3'])
    const label = asked.options?.find((o) => o.key === key)?.label
    if (label !== undefined) this.answers.add(`${asked.title}: ${label}`)
    this.call(`answer ${asked.title} ${key}`, () => world.session.answer(asked.approvalId, key, 'ada'))
  }

  private async act(): Promise<void> {
    const { chance, world } = this
    const at = chance.next()
    if (at < 0.42) this.send()
    else if (at < 0.52) this.change()
    else if (at < 0.66) await this.type()
    else if (at < 0.72) world.tui.ask('Allow it?', ['Yes', 'Always', 'No'])
    else if (at < 0.8) this.answer()
    else if (at < 0.86) this.call('interrupt', () => world.session.interrupt())
    else if (at < 0.91)
      this.call('resize', () => world.session.resize(chance.int(40, 140), chance.int(14, 50)))
    else if (at < 0.95)
      this.call('model', () => world.session.runCommand({ command: 'model', argument: 'two' }))
    else if (at < 0.97) {
      this.say('restart')
      world.tui.restart(() => undefined)
    } else if (at < 0.98) {
      this.say('crash')
      world.terminal.crash()
    } else {
      this.escaped.push(Date.now())
      this.call('page', () => world.session.input(Buffer.from('\x1b')))
    }
  }

  async run(): Promise<void> {
    const { chance, world } = this
    for (let n = chance.int(6, 18); n > 0 && !world.terminal.ended; n -= 1) {
      await this.act()
      const wait = chance.pick([0, 1, 8, 20, 35, 60, 150, 400, 2000, 8000])
      if (wait > 0) await world.pass(chance.int(1, wait))
    }
  }

  /** A person tidies up, so that nothing waits for ever; or somebody kills the program. */
  async end(): Promise<void> {
    const { chance, world } = this
    if (chance.yes(0.15)) this.call('kill', () => world.session.kill())
    const open = () => [...this.messages.keys()].filter((id) => !this.isFinal(id))
    for (let n = 0; n < 60 && (open().length > 0 || n === 0); n += 1) {
      if (world.terminal.ended) break
      if (world.tui.asking) this.press('\x1b')
      else if (world.tui.draft !== '' && n % 4 === 3) this.press('\x15')
      await world.pass(15_000)
    }
    if (world.terminal.ended) await world.outcome(world.session.ended ?? Promise.resolve())
  }

  private isFinal(id: string): boolean {
    const state = this.world.session.receipt(id)?.state
    return state === undefined || state === 'completed' || state === 'failed'
  }

  /** What the bridge was asked for beside messages; a command confirms its own question. */
  asked(): Asked {
    const byPage = (at: number) => this.escaped.some((t) => at >= t && at <= t + PAGE_ESC_MS)
    const own = this.world.log
      .filter(
        (e) =>
          /^Switch model\? \(\d+\): Yes$/u.test(e.text) || (/: cancelled$/u.test(e.text) && byPage(e.at)),
      )
      .map((e) => e.text)
    return { answers: new Set([...this.answers, ...own]), commands: new Set(['/model two']) }
  }

  /** After the end: messages that were taken at all, and what their receipts say. */
  sent(): Map<string, Sent> {
    const sent = new Map<string, Sent>()
    for (const [id, { text }] of this.messages) {
      const receipt = this.world.session.receipt(id)
      if (receipt) sent.set(id, { text: text.trim(), receipt, states: this.world.states(id) })
    }
    return sent
  }
}

/** Plays a seed in memory and in a time of its own. */
export async function playSeed(seed: number): Promise<Played> {
  const chance = new Chance(seed * 7919)
  const given = seededScript(chance)
  const latency = chance.pick([0, 1, 2, 6])
  const hook = chance.yes(0.5)
  const options = { hook, latency: () => chance.int(0, latency) }
  const script = JSON.stringify({ hook, latency, ...given })
  const world = await World.start(given, options)
  try {
    const play = new Play(world, chance)
    await play.run()
    await play.end()
    // Before the kill that ends every world: what is open now would be settled by it.
    const { faults: found, ...verdict } = verdictOf(world, play.sent(), play.asked(), latency)
    const faults = [...found]
    if (play.story.includes('NOT OURS')) faults.push('a call failed with an error that is not ours')
    const story = [script, ...play.story, world.report()]
    return { ...verdict, faults, script, story }
  } finally {
    await world.close()
  }
}
