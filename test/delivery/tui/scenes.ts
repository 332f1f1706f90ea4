/** @module test/delivery/tui/scenes - what clients ask of a bridge that may die, and what must be true of it in the end. */
import type { DurableEvent } from '../../../src/protocol/events.js'
import type { Rig } from './rig.js'
import type { TuiScript } from './script.js'

export interface Scene {
  readonly name: string
  readonly script: Partial<TuiScript>
  readonly messages: readonly string[]
  play(rig: Rig): Promise<void>
}

const over = (rig: Rig, id: string) => {
  const state = rig.receipt(id)?.state
  return state === 'completed' || state === 'failed'
}
async function settled(rig: Rig, ...ids: string[]): Promise<void> {
  await rig.until(() => ids.every((id) => over(rig, id)), `the end of ${ids.join(', ')}`)
  await rig.pass(LATE_MS)
}
const send = (rig: Rig, messageId: string, text: string, how: 'queue' | 'steer' | 'interrupt' = 'queue') =>
  rig.call(`send ${messageId}`, (session) => session.send({ messageId, text, how }))
/** The turn of the first message runs, or never will. */
const busy = (rig: Rig) => rig.until(() => rig.tui.running || over(rig, 'a'), 'a turn')
/** How long what was not decided may yet be seen, in ms. */
const LATE_MS = 8000

/** Approvals that are open, as the journal has it. */
export function openCards(events: readonly DurableEvent[]): { approvalId: string; title: string }[] {
  const open = new Map<string, string>()
  for (const e of events) {
    if (e.type === 'approval.requested') open.set(e.approvalId, e.title)
    if (e.type === 'approval.resolved') open.delete(e.approvalId)
  }
  return [...open].map(([approvalId, title]) => ({ approvalId, title }))
}

/** The card of a dialog that stands there, if one does. */
async function card(rig: Rig): Promise<{ approvalId: string; title: string } | undefined> {
  if (rig.tui.asking) await rig.until(() => openCards(rig.events).length > 0, 'the card')
  return openCards(rig.events)[0]
}

/** A person answers what stands there: a bridge that died over the key may have pressed it. */
async function answer(rig: Rig, option: string): Promise<void> {
  for (let tries = 0; tries < 20 && rig.tui.asking; tries += 1) {
    const open = await card(rig)
    if (open) await rig.call('answer', (session) => session.answer(open.approvalId, option, 'ada'))
    await rig.pass(500)
  }
}

/** The same for a dialog that opens in whichever turn is the first. */
async function answered(rig: Rig, option: string, ...ids: string[]): Promise<void> {
  const isOver = () => ids.every((id) => over(rig, id))
  while (!isOver()) {
    await rig.until(() => isOver() || rig.tui.asking, `the end of ${ids.join(', ')}, or a dialog`)
    await answer(rig, option)
  }
}

const TEXT = 'first\nand second line'
const BETTER = 'two, but better'
const LONG = Array.from({ length: 30 }, (_, n) => `line ${n} of many`).join('\n')

export const SCENES: readonly Scene[] = [
  {
    name: 'a prompt to an idle program',
    script: {},
    messages: ['a'],
    async play(rig) {
      await send(rig, 'a', TEXT)
      await settled(rig, 'a')
    },
  },
  {
    name: 'a prompt of many lines whose Enters are swallowed',
    script: { swallowEnters: 2, collapseFrom: 60, echoMs: 30 },
    messages: ['a'],
    async play(rig) {
      await send(rig, 'a', LONG)
      await settled(rig, 'a')
    },
  },
  {
    name: 'prompts queued behind a turn',
    script: { turnMs: 1500 },
    messages: ['a', 'b', 'c'],
    async play(rig) {
      await send(rig, 'a', 'one')
      await send(rig, 'b', 'two')
      await send(rig, 'c', 'three')
      await settled(rig, 'a', 'b', 'c')
    },
  },
  {
    name: 'a prompt steered into a turn',
    script: { turnMs: 6000, midTurn: 'steer' },
    messages: ['a', 'b'],
    async play(rig) {
      await send(rig, 'a', 'begin')
      await busy(rig)
      await send(rig, 'b', 'and mind this', 'steer')
      await settled(rig, 'a', 'b')
    },
  },
  {
    name: "a prompt steered into the program's own queue",
    script: { turnMs: 3000, midTurn: 'queue' },
    messages: ['a', 'b'],
    async play(rig) {
      await send(rig, 'a', 'begin')
      await busy(rig)
      await send(rig, 'b', 'then that', 'steer')
      await settled(rig, 'a', 'b')
    },
  },
  {
    name: 'a turn is stopped for a prompt',
    script: { turnMs: 9000, ignoreEscs: 1 },
    messages: ['a', 'b'],
    async play(rig) {
      await send(rig, 'a', 'go on for ever')
      await busy(rig)
      await send(rig, 'b', 'stop, do this', 'interrupt')
      await settled(rig, 'a', 'b')
    },
  },
  {
    name: 'a prompt that waits is changed and moved',
    script: { turnMs: 2500 },
    messages: ['a', 'b', 'c'],
    async play(rig) {
      await send(rig, 'a', 'one')
      await busy(rig)
      await send(rig, 'b', 'two')
      await send(rig, 'c', 'three')
      const edited = await rig.call('edit b', (s) => s.editQueued('b', { text: BETTER }))
      const waits = 'state' in edited && !rig.states('b').some((d) => d.text === BETTER)
      if (waits) throw new Error('the change is not in the journal')
      await rig.call('move c', (s) => s.editQueued('c', { before: 'b' }))
      await settled(rig, 'a', 'b', 'c')
    },
  },
  {
    name: 'a prompt that waits is withdrawn',
    script: { turnMs: 1500 },
    messages: ['a', 'b', 'c'],
    async play(rig) {
      await send(rig, 'a', 'one')
      await busy(rig)
      await send(rig, 'b', 'never mind')
      await send(rig, 'c', 'three')
      await rig.call('withdraw b', (s) => s.withdraw('b'))
      await settled(rig, 'a', 'b', 'c')
    },
  },
  {
    name: 'a dialog is answered, a prompt waits behind it',
    script: {
      turnMs: 1500,
      dialogs: [{ on: 'turn', nth: 1, title: 'Run it?', options: ['Yes', 'Always', 'No'] }],
    },
    messages: ['a', 'b'],
    async play(rig) {
      await send(rig, 'a', 'run it')
      await send(rig, 'b', 'and then')
      await answered(rig, '2', 'a', 'b')
      await settled(rig, 'a', 'b')
    },
  },
  {
    name: 'a dialog that nobody answers',
    script: { turnMs: 1500, dialogs: [{ on: 'turn', nth: 1, title: 'Run it?', options: ['Yes', 'No'] }] },
    messages: ['a', 'b'],
    async play(rig) {
      await send(rig, 'a', 'run it')
      await rig.until(() => rig.tui.asking || over(rig, 'a'), 'the dialog')
      const asked = await card(rig)
      await send(rig, 'b', 'and then')
      await rig.pass(20_000)
      if (!asked) return await answered(rig, '1', 'a', 'b')
      if (JSON.stringify(openCards(rig.events)) !== JSON.stringify([asked]))
        throw new Error(`the card is not the one that stood there: ${JSON.stringify(openCards(rig.events))}`)
      if (rig.receipt('b')?.state !== 'queued') throw new Error(`b is ${rig.receipt('b')?.state}`)
      await answer(rig, '1')
      await settled(rig, 'a', 'b')
    },
  },
  {
    name: 'a command',
    script: { confirmMs: 300 },
    messages: ['a'],
    async play(rig) {
      await rig.call('model', (s) =>
        // Not repeated: a client that got no answer looks first.
        rig.died.length > 0 ? null : s.runCommand({ command: 'model', argument: 'two' }),
      )
      await rig.pass(1000)
      // The question of a command whose bridge died is a dialog like any other; its text in the box is a draft like any other.
      await answer(rig, '1')
      if (rig.tui.draft !== '') rig.terminal.person(Buffer.from('\x15'))
      await send(rig, 'a', 'after it')
      await settled(rig, 'a')
    },
  },
]

/** What is not true after a scene; nothing, if all is well. The journal says what was asked for. */
export function notDelivered(rig: Rig, { messages }: Scene): string[] {
  const faults: string[] = []
  const { events } = rig
  const { log } = rig.terminal
  const known = new Set<string>()
  for (const id of messages) {
    const history = rig.states(id)
    const text = history.findLast((d) => d.text !== undefined)?.text ?? ''
    const withdrawn = rig.receipt(id)?.reason?.startsWith('withdrawn') ?? false
    known.add(text)
    const receipt = rig.receipt(id)
    const ran = log.filter((e) => e.kind === 'prompt' && e.text === text).length
    const own = log.filter((e) => e.kind === 'queued' && e.text === text).length
    const say = (what: string) =>
      faults.push(
        `${id} (${receipt?.state}${receipt?.undecided ? ', undecided' : ''}: ${receipt?.reason}): ${what}`,
      )
    if (ran > 1 || own > 1) say(`it was received ${ran} times, and ${own} times into its own queue`)
    const started = history.some((d) => d.state === 'started')
    if (receipt?.state === 'completed' || started) {
      if (ran !== 1) say(`told as run, and ran ${ran} times`)
    } else if (receipt?.state === 'failed' && !receipt.undecided) {
      if (ran !== 0) say(`told as not run, and ran ${ran} times`)
      if (!withdrawn) say('nothing was wrong with it')
    } else if (receipt?.state !== 'failed') say('its receipt is not final')
    if (receipt?.undecided && !history.some((d) => d.attempt !== undefined)) say('it was never typed')
    const items = events.filter(
      (e) => e.type === 'item.completed' && e.item.kind === 'user_message' && e.item.text === text,
    )
    if (items.length !== ran) say(`it ran ${ran} times and was told ${items.length} times`)
    for (const e of items)
      if (e.type === 'item.completed' && e.item.kind === 'user_message' && e.item.messageId !== id)
        say(`its item is of ${e.item.messageId ?? 'nobody'}, ${e.item.origin}`)
  }
  for (const e of log)
    if (e.kind === 'prompt' && !known.has(e.text)) faults.push(`nobody sent ${JSON.stringify(e.text)}`)
  const answers = log.filter((e) => e.kind === 'answer').map((e) => e.text)
  if (new Set(answers).size !== answers.length) faults.push(`answered twice: ${answers.join(', ')}`)
  if (log.filter((e) => e.kind === 'command').length > 1) faults.push('the command ran twice')
  if (rig.tui.draft !== '') faults.push(`left in the prompt box: ${JSON.stringify(rig.tui.draft)}`)
  if (events.some((e, n) => e.seq !== n + 1)) faults.push('seq is not dense')
  const open = openCards(events)
  if (!rig.tui.asking && open.length > 0)
    faults.push(`cards of dialogs that are gone: ${open.map((o) => o.title)}`)
  const asked = events.flatMap((e) => (e.type === 'approval.requested' ? [e.title] : []))
  if (new Set(asked).size !== asked.length) faults.push(`a card came twice: ${asked.join(', ')}`)
  const said = events.flatMap((e) =>
    e.type === 'item.completed' && e.item.kind === 'assistant_message' ? [e.item.text] : [],
  )
  if (new Set(said).size !== said.length) faults.push(`an answer was told twice: ${said.join(', ')}`)
  return faults
}
