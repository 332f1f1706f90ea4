/** The main job on the real programs: wrapped, watched and driven, every claim checked outside our own events. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { LoggedRequest } from '../../src/model-server/index.js'
import type { MeowEvent } from '../../src/protocol/events.js'
import type { SessionInfo } from '../../src/protocol/session.js'
import { openPtyHost } from '../../src/terminal/index.js'
import { itemsOf, type Observer } from '../support/api.js'
import { type Bridge, startBridge } from '../support/bridge.js'
import { processesUnder } from '../support/processes.js'
import { claudeSetup, PI_PRICE, piSetup, type VendorSetup } from '../support/vendor-homes.js'

const VENDORS = { claude: claudeSetup, pi: piSetup }
type Vendor = keyof typeof VENDORS

const CODE = [
  'Please look at this;',
  '```ts',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text
  'if (a < b) { return `x${y}` } // "double" \'single\' $HOME \\n %s #{x}',
  '\tindented by a tab',
  '```',
  '/not/a/command at the start of a line',
  '',
  '日本語 中文 한국어 👩‍💻 🎉 ½ é',
  'and the end has a semicolon;',
].join('\n')

/** Every text that stands by itself in a request: a string message or a text block. */
function textsOf(request: LoggedRequest): string[] {
  const texts: string[] = []
  const walk = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value)
    else if (Array.isArray(value)) value.forEach(walk)
    else if (value && typeof value === 'object') Object.values(value).forEach(walk)
  }
  walk((request.body as { messages?: unknown }).messages)
  return texts
}

interface Told {
  /** Where the turn's events begin. */
  from: number
  events: MeowEvent[]
  requests: LoggedRequest[]
  end: MeowEvent
}

describe.each(Object.keys(VENDORS) as Vendor[])('%s', (vendor) => {
  let bridge: Bridge
  let session: SessionInfo
  let watch: Observer
  let cwd = ''
  let settings = ''
  const sent: string[] = []
  let vendorSetup: VendorSetup
  /** How many requests the model had before this session. */
  let earlier = 0
  const turns = () => bridge.model.requests.slice(earlier).filter((r) => r.kind === 'turn')

  async function begin(): Promise<void> {
    earlier = bridge.model.requests.length
    sent.length = 0
    const args = vendor === 'claude' ? ['--allowedTools', 'Bash', 'Write', 'Edit'] : []
    session = await bridge.api.create({ vendor, cwd, env: vendorSetup.env, args })
    watch = await bridge.api.observe(session.id)
  }

  /** Sends a prompt and returns what its turn told, and the model requests that it made. */
  async function turn(prompt: string, told = prompt): Promise<Told> {
    const from = watch.events.length
    const n = bridge.model.requests.at(-1)?.n ?? 0
    sent.push(told)
    await bridge.api.send(session.id, prompt)
    const end = await watch.turnEnd(from)
    return { from, events: watch.events.slice(from), requests: turns().filter((r) => r.n > n), end }
  }

  beforeAll(async () => {
    bridge = await startBridge()
    vendorSetup = VENDORS[vendor](bridge.root, bridge.model.url)
    cwd = vendorSetup.cwd
    const file = vendor === 'claude' ? '.claude/settings.json' : '.pi/agent/models.json'
    settings = readFileSync(join(vendorSetup.env.HOME ?? '', file), 'utf8')
    await begin()
  })
  afterAll(async () => {
    watch?.close()
    await bridge?.close()
  })

  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail' || !session) return
    const screen = await bridge.api.screen(session.id).catch((error: unknown) => String(error))
    console.error(`The screen when "${task.name}" had failed:\n${screen.trim()}`)
    // Whatever it left (a draft, a turn, a dialog) must not hold up the ones behind it: they get another session.
    watch.close()
    await bridge.api.kill(session.id).catch(() => undefined)
    await begin()
  })

  it('reaches a ready prompt without a dialog and says what it wrapped', async () => {
    expect(session).toMatchObject({ vendor, state: 'idle', backend: 'tmux', cwd })
    expect(session.vendorVersion).toMatch(/^\d+\.\d+\.\d+/)
    expect(readFileSync(`/proc/${session.pid}/cmdline`, 'utf8')).toContain(vendor)
    expect(turns()).toHaveLength(0)
  })

  it('brings a prompt from the API to the TUI, the model and the conversation, once', async () => {
    const { from, events, requests } = await turn('MEOW: text The first answer.')
    expect(itemsOf(events)).toMatchObject([
      { kind: 'user_message', text: 'MEOW: text The first answer.', origin: 'bridge' },
      { kind: 'assistant_message', text: 'The first answer.' },
    ])
    expect(requests).toHaveLength(1)
    // The side channel may be ahead of the drawing.
    const screen = () => bridge.api.screen(session.id)
    await expect.poll(screen, { timeout: 20_000 }).toMatch(/(?<!text )The first answer\./)
    expect((await screen()).match(/MEOW: text The first answer\./g)).toHaveLength(1)
    await watch.until('the last receipt', (e) => e.type === 'delivery' && e.state === 'completed', 5000, from)
    const receipts = watch.events
      .slice(from)
      .flatMap((e) =>
        e.type === 'delivery' ? [`${e.state}${e.attempt === undefined ? '' : ', attempt'}`] : [],
      )
    // The attempt is written down before the first key.
    expect(receipts).toEqual(['queued', 'queued, attempt', 'typed', 'accepted', 'started', 'completed'])
  })

  it('does not send a repeated message id again', async () => {
    const from = watch.events.length
    const before = turns().length
    sent.push('MEOW: text only once')
    await bridge.api.send(session.id, 'MEOW: text only once', 'same-id')
    await bridge.api.send(session.id, 'MEOW: text only once', 'same-id')
    await watch.turnEnd(from)
    const receipt = await bridge.api.send(session.id, 'MEOW: text only once', 'same-id')
    expect(receipt).toMatchObject({ messageId: 'same-id', state: 'completed' })
    expect(turns().length - before).toBe(1)
  })

  it('tells a prompt that a person types into the tmux pane, once, as theirs', async () => {
    await turn('MEOW: text before the person')
    const from = watch.events.length
    const { argv, env } = await bridge.api.attach(session.id)
    const host = openPtyHost()
    const person = await host.open({
      id: 'person',
      argv: ['/usr/bin/env', ...argv],
      cwd: bridge.root,
      cols: session.cols,
      rows: session.rows,
      env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env },
      recordFile: join(bridge.root, 'person.raw'),
    })
    try {
      let seen = ''
      const drawn = new Promise<void>((resolve) => {
        person.onData((bytes) => {
          seen += Buffer.from(bytes).toString('utf8')
          if (seen.includes('before the person')) resolve()
        })
      })
      await drawn
      sent.push('MEOW: text typed answer')
      await person.type('MEOW: text typed answer')
      await expect
        .poll(() => bridge.api.screen(session.id), { timeout: 20_000 })
        .toContain('text typed answer')
      await person.keys(['Enter'])
      await watch.turnEnd(from)
      expect(itemsOf(watch.events.slice(from))).toMatchObject([
        { kind: 'user_message', text: 'MEOW: text typed answer', origin: 'terminal' },
        { kind: 'assistant_message', text: 'typed answer' },
      ])
      await expect.poll(() => seen, { timeout: 10_000 }).toContain('typed answer')
    } finally {
      await host.dispose()
    }
  })

  it('streams: deltas arrive before the last chunk is sent, and the completed text equals it', async () => {
    const from = watch.events.length
    const prompt = 'MEOW: chunks 6;; gate tail;; text \\nThe last line.'
    sent.push(prompt)
    await bridge.api.send(session.id, prompt)
    await bridge.model.gate('tail').reached
    await watch.until(
      'a delta while the stream is held',
      (e) => e.type === 'item.delta' && e.kind === 'assistant_message',
      20_000,
      from,
    )
    const held = turns().at(-1)
    expect(held?.response.finished).toBeNull()
    expect(watch.events.slice(from).some((e) => e.type === 'turn.completed')).toBe(false)
    bridge.model.gate('tail').release()
    await watch.turnEnd(from)
    const events = watch.events.slice(from)
    const text = itemsOf(events).at(-1)
    expect(text).toMatchObject({ kind: 'assistant_message', text: held?.response.text })
    const deltas = events.flatMap((e) =>
      e.type === 'item.delta' && e.kind === 'assistant_message' ? [e.delta] : [],
    )
    expect(deltas.length).toBeGreaterThan(1)
    expect(held?.response.text.startsWith(deltas.join(''))).toBe(true)
    expect(events.filter((e) => e.type === 'gap')).toEqual([])
  })

  it('shows a shell call as one item with its output, and the file it made exists', async () => {
    const { events, requests } = await turn(
      'MEOW: text I will make a file.;; bash echo made-by-tool > made.txt && cat made.txt;; text It is there.',
    )
    expect(readFileSync(join(cwd, 'made.txt'), 'utf8')).toBe('made-by-tool\n')
    const items = itemsOf(events)
    expect(items.map((i) => i.kind)).toEqual([
      'user_message',
      'assistant_message',
      'tool_call',
      'assistant_message',
    ])
    expect(items[2]).toMatchObject({
      tool: 'shell',
      status: 'completed',
      input: { command: expect.stringContaining('made.txt') },
    })
    const call = items[2]
    expect(call?.kind === 'tool_call' ? call.output?.trim() : '').toBe('made-by-tool')
    expect(requests.at(-1)?.toolResults[0]?.text.trim()).toBe('made-by-tool')
  })

  it('tells reasoning as its own item, before the text it led to', async () => {
    const { events } = await turn('MEOW: think Six times seven.;; text It is 42.')
    expect(itemsOf(events)).toMatchObject([
      { kind: 'user_message' },
      { kind: 'reasoning', text: 'Six times seven.' },
      { kind: 'assistant_message', text: 'It is 42.' },
    ])
  })

  it('counts tokens as the server does, and dollars as tokens x price', async () => {
    const { events, requests, end } = await turn('MEOW: usage 1200 34 500 60;; text priced')
    const usage = requests[0]?.response.usage
    expect(usage).toMatchObject({ input: 1200, output: 34, cacheRead: 500, cacheWrite: 60 })
    // Chat-completions has no field for tokens written to a cache: they are part of its prompt tokens.
    const cache = vendor === 'claude' ? { input: 1200, cacheWrite: 60 } : { input: 1260, cacheWrite: 0 }
    const tokens = { output: 34, cacheRead: 500, ...cache }
    const p = PI_PRICE
    // Claude Opus 4.8, US dollars per million tokens: 5 in, 25 out, 0.5 cache read, 6.25 cache write.
    const usd =
      vendor === 'claude'
        ? (1200 * 5 + 34 * 25 + 500 * 0.5 + 60 * 6.25) / 1e6
        : (1260 * p.input + 34 * p.output + 500 * p.cacheRead) / 1e6
    expect(end).toMatchObject({ usage: { tokens } })
    const told = end.type === 'turn.completed' ? end.usage?.usd : null
    expect(told).toBeCloseTo(usd, 9)
    const before = events.findIndex((e) => e.type === 'usage')
    expect(events[before]).toMatchObject({ type: 'usage', usage: { tokens } })
    // The session's sum is the sum over every request that the model was sent for a turn.
    const info = await bridge.api.session(session.id)
    const all = turns().map((r) => r.response.usage)
    const sum = (part: 'input' | 'output' | 'cacheWrite') =>
      all.reduce((total, u) => total + (u?.[part] ?? 0), 0)
    expect(info.tokens.input).toBe(sum('input') + (vendor === 'claude' ? 0 : sum('cacheWrite')))
    expect(info.tokens.output).toBe(sum('output'))
  })

  it('brings code, CJK, emoji, a trailing semicolon and a slash inside byte-equal to the model', async () => {
    // Claude Code itself makes four spaces of a tab; the conversation and the receipt say the same.
    const text = vendor === 'claude' ? CODE.replaceAll('\t', '    ') : CODE
    const { events, requests } = await turn(CODE, text)
    expect(requests[0] && textsOf(requests[0])).toContain(text)
    expect(itemsOf(events)[0]).toMatchObject({ kind: 'user_message', text, origin: 'bridge' })
  })

  it('brings prompts that are sent together one after another, each in its own turn', async () => {
    const from = watch.events.length
    const prompts = ['MEOW: text same answer', 'MEOW: text same answer', 'MEOW: text the third']
    for (const prompt of prompts) {
      sent.push(prompt)
      await bridge.api.send(session.id, prompt)
    }
    const third = (e: MeowEvent) =>
      e.type === 'item.completed' && 'text' in e.item && e.item.text === 'the third'
    await watch.until('the third answer', third, 60_000, from)
    await watch.turnEnd(watch.events.findIndex((e, n) => n >= from && third(e)))
    const events = watch.events.slice(from)
    expect(itemsOf(events).flatMap((i) => ('text' in i ? [i.text] : []))).toEqual([
      prompts[0],
      'same answer',
      prompts[1],
      'same answer',
      prompts[2],
      'the third',
    ])
    expect(events.filter((e) => e.type === 'turn.completed')).toHaveLength(3)
  })

  it.each([0, 20])('never submits what a person is typing when a prompt comes %d ms later', async (ms) => {
    const from = watch.events.length
    const prompt = `MEOW: text beside a draft, ${ms} ms later`
    watch.type(session.id, 'rm -rf draft')
    await new Promise((resolve) => setTimeout(resolve, ms))
    await bridge.api.send(session.id, prompt, `draft-${ms}`)
    const own = (e: MeowEvent) => e.type === 'delivery' && e.messageId === `draft-${ms}`
    const final = (e: MeowEvent) => e.type === 'delivery' && (e.state === 'failed' || e.state === 'completed')
    // It may wait for the turn before, too, whose state follows a moment later.
    const settled = (e: MeowEvent) =>
      own(e) && e.type === 'delivery' && (final(e) || e.reason?.includes('unsent text') === true)
    await watch.until('the prompt waits, fails or is answered', settled, 60_000, from)
    expect(turns().some((r) => textsOf(r).some((t) => t.includes('rm -rf draft')))).toBe(false)
    const screen = () => bridge.api.screen(session.id)
    await expect.poll(screen, { timeout: 10_000 }).toContain('rm -rf draft')
    // The person takes the draft back: what waited is brought now, what failed is not.
    const box = async () => {
      // Text and a paste in one moment may leave Claude Code's cursor at the start, so that nothing stands before it.
      const end = '\u001b[F'
      watch.type(session.id, `${end}\u0015${end}${'\u007f'.repeat(120)}`)
      return (await screen()).includes('rm -rf draft')
    }
    await expect.poll(box, { timeout: 20_000, interval: 500 }).toBe(false)
    const end = await watch.until('the last receipt', (e) => own(e) && final(e), 60_000, from)
    const brought = turns().filter((r) => r.lastUserText.trim() === prompt)
    expect(brought).toHaveLength(end.type === 'delivery' && end.state === 'completed' ? 1 : 0)
    if (brought.length > 0) sent.push(prompt)
    expect((await turn('MEOW: text box is clean')).requests).toHaveLength(1)
  })

  it('two interrupts at once stop one turn, and leave the program usable', async () => {
    const from = watch.events.length
    const prompt = 'MEOW: chunks 3;; gate twice;; text unreachable'
    sent.push(prompt)
    await bridge.api.send(session.id, prompt)
    await bridge.model.gate('twice').reached
    const results = await Promise.all([bridge.api.interrupt(session.id), bridge.api.interrupt(session.id)])
    expect(results.map((r) => r.result).sort()).toEqual(['idle', 'interrupted'])
    expect(await watch.turnEnd(from)).toMatchObject({ outcome: 'interrupted' })
    expect((await turn('MEOW: text usable')).end).toMatchObject({ outcome: 'completed' })
  })

  it.each([
    '/etc is a folder',
    '/clear',
    '!ls',
    '# a heading',
    'see @nothing',
    'ends with \\',
    '[Request interrupted by user]',
  ])('brings %j as text, and the program lives on', async (prompt) => {
    const { requests, events, end } = await turn(prompt)
    // Claude Code needs a space before or behind some of them; nothing else is added.
    expect(requests[0] && textsOf(requests[0]).map((t) => t.trim())).toContain(prompt)
    expect(itemsOf(events)[0]).toMatchObject({ kind: 'user_message', origin: 'bridge' })
    expect(end).toMatchObject({ outcome: 'completed' })
  })

  it('takes a word that quits the program as text, or refuses it; the program lives on', async () => {
    if (vendor === 'claude') {
      const refused = {
        status: 422,
        error: { code: 'unsupported', hint: expect.stringContaining('sentence') },
      }
      await expect(bridge.api.send(session.id, 'exit')).rejects.toMatchObject(refused)
    } else {
      expect((await turn('exit')).requests).toHaveLength(1)
    }
    expect((await turn('MEOW: text lives')).end).toMatchObject({ outcome: 'completed' })
  })

  it('tells texts, reasoning and calls of one response once each, in their order', async () => {
    const { events } = await turn('MEOW: text one;; break;; text two;; bash echo three;; text four')
    const told = itemsOf(events).map((i) => ('text' in i ? i.text : i.kind))
    expect(told.slice(1)).toEqual(vendor === 'claude' ? ['one', 'two', 'tool_call', 'four'] : told.slice(1))
    expect(told.filter((t) => t.includes('one'))).toHaveLength(2)
    expect(told.filter((t) => t.includes('four'))).toHaveLength(2)
  })

  it('interrupts mid-stream: the connection is closed, the turn says so, the next prompt works', async () => {
    const from = watch.events.length
    const prompt = 'MEOW: chunks 4;; gate never;; text unreachable'
    sent.push(prompt)
    await bridge.api.send(session.id, prompt)
    await bridge.model.gate('never').reached
    await watch.until('a delta', (e) => e.type === 'item.delta', 20_000, from)
    const running = turns().at(-1)
    const result = await bridge.api.interrupt(session.id)
    expect(result).toMatchObject({
      result: 'interrupted',
      evidence: expect.arrayContaining([expect.stringContaining('interrupted')]),
    })
    await running?.ended
    expect(running?.response.finished).toBe('client_closed')
    const end = await watch.turnEnd(from)
    expect(end).toMatchObject({ outcome: 'interrupted' })
    expect(itemsOf(watch.events.slice(from)).at(-1)).toMatchObject({
      kind: 'assistant_message',
      partial: true,
    })
    const { events } = await turn('MEOW: text alive after it')
    expect(itemsOf(events).at(-1)).toMatchObject({ text: 'alive after it' })
  })

  it('interrupts before the first word, and leaves nothing in the prompt box', async () => {
    const from = watch.events.length
    const prompt = 'MEOW: gate silent;; text unreachable'
    sent.push(prompt)
    await bridge.api.send(session.id, prompt)
    await bridge.model.gate('silent').reached
    const running = turns().at(-1)
    const result = await bridge.api.interrupt(session.id)
    expect(result.result).toBe('interrupted')
    await running?.ended
    expect(running?.response.finished).toBe('client_closed')
    expect(await watch.turnEnd(from)).toMatchObject({ outcome: 'interrupted' })
    const { requests } = await turn('MEOW: text clean box')
    expect(requests[0] && textsOf(requests[0])).toContain('MEOW: text clean box')
  })

  it('interrupts a tool: its process is gone and it writes nothing afterwards', async () => {
    const from = watch.events.length
    const prompt = 'MEOW: bash touch began.txt; sleep 300; touch late.txt;; text unreachable'
    sent.push(prompt)
    await bridge.api.send(session.id, prompt)
    await expect.poll(() => existsSync(join(cwd, 'began.txt')), { timeout: 30_000 }).toBe(true)
    expect(processesUnder(session.pid ?? 0).some((p) => p.command.includes('sleep 300'))).toBe(true)
    expect((await bridge.api.interrupt(session.id)).result).toBe('interrupted')
    await expect
      .poll(() => processesUnder(session.pid ?? 0).filter((p) => p.command.includes('sleep 300')), {
        timeout: 10_000,
      })
      .toEqual([])
    expect(existsSync(join(cwd, 'late.txt'))).toBe(false)
    await watch.turnEnd(from)
    expect(itemsOf(watch.events.slice(from)).find((i) => i.kind === 'tool_call')).toMatchObject({
      status: expect.stringMatching(/interrupted|failed|denied/),
    })
    expect((await turn('MEOW: text and on')).end).toMatchObject({ outcome: 'completed' })
  })

  it('an idle session has nothing to interrupt and says so', async () => {
    expect(await bridge.api.interrupt(session.id)).toMatchObject({ result: 'idle' })
  })

  it('both seats see one conversation: every prompt once, in order, journalled with dense seq', async () => {
    const users = watch.items().flatMap((i) => (i.kind === 'user_message' ? [i.text.trim()] : []))
    expect(users).toEqual(sent)
    const journal = await bridge.api.events(session.id)
    expect(journal.map((e) => e.seq)).toEqual(journal.map((_, n) => n + 1))
    const durable = watch.events.filter((e) => 'seq' in e)
    expect(durable).toEqual(journal)
  })

  it('never writes the settings of the user', () => {
    const agent = join(bridge.root, 'pi-home', '.pi', 'agent')
    const claude = join(bridge.root, 'claude-home', '.claude')
    const file = vendor === 'claude' ? join(claude, 'settings.json') : join(agent, 'models.json')
    expect(readFileSync(file, 'utf8')).toBe(settings)
    const added = vendor === 'claude' ? ['settings.local.json', 'hooks'] : ['extensions', 'packages']
    for (const name of added) expect(existsSync(join(vendor === 'claude' ? claude : agent, name))).toBe(false)
  })

  it('kills: the program is gone, the session has ended, a prompt is refused', async () => {
    await bridge.api.kill(session.id)
    expect(existsSync(`/proc/${session.pid}`)).toBe(false)
    const end = await watch.until('the session ends', (e) => e.type === 'session.ended')
    expect(end).toMatchObject({ reason: 'killed' })
    await expect(bridge.api.send(session.id, 'too late')).rejects.toMatchObject({ status: 409 })
    expect((await bridge.api.session(session.id)).state).toBe('ended')
  })
})
