import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { Facts } from '../../adapters/pi/extension-facts.js'
import { adapter } from '../../adapters/pi/index.js'
import { PiMapper } from '../../adapters/pi/mapper.js'
import { differences } from '../../adapters/pi/transcript.js'
import type { PiFact } from '../../adapters/pi/wire.js'
import type { HostProbe, LaunchRequest, Observation } from '../../src/adapter/index.js'

const aborted = AbortSignal.abort()
const ctx = {
  model: { id: 'm1', provider: 'mock' },
  sessionManager: { getSessionId: () => 'sid', getSessionFile: () => '/s/one.jsonl' },
  isIdle: () => true,
  abort: () => {},
}
const usage = (total: number, totalFromProvider = false) => ({
  ...{ input: 1000, output: 34, cacheRead: 200, cacheWrite: 0, reasoning: 7 },
  cost: { total, totalFromProvider },
})

/** The extension's half and the bridge's half together: Pi's events in, observations out. */
function piped() {
  const mapper = new PiMapper()
  const out: Observation[] = []
  let n = 0
  const facts = new Facts((fact: PiFact) => {
    n += 1
    out.push(...mapper.map({ n, ...(JSON.parse(JSON.stringify(fact)) as PiFact) }, 'pi'))
  })
  return { facts, out, mapper, types: () => out.map((o) => o.type) }
}

function streamed(
  facts: Facts,
  blocks: [type: 'thinking' | 'text', deltas: string[]][],
  stop = 'stop',
): void {
  facts.messageStart({ message: { role: 'assistant', content: [] } })
  for (const [contentIndex, [type, deltas]] of blocks.entries()) {
    facts.messageUpdate({ assistantMessageEvent: { type: `${type}_start`, contentIndex } })
    for (const delta of deltas)
      facts.messageUpdate({ assistantMessageEvent: { type: `${type}_delta`, contentIndex, delta } })
  }
  const content = blocks.map(([type, deltas]) => ({ type, [type]: deltas.join('') }))
  const errorMessage = stop === 'error' ? '429: slow down' : undefined
  const message = { role: 'assistant', content, model: 'm1', stopReason: stop, usage: usage(0.001) }
  facts.messageEnd({ message: errorMessage ? { ...message, errorMessage } : message })
}

describe('pi facts and observations', () => {
  it('tells a turn with reasoning, text and usage once, keys meeting', () => {
    const { facts, out, mapper } = piped()
    facts.sessionStart({ reason: 'startup' }, ctx)
    facts.input({ text: 'hi', source: 'interactive' })
    facts.beforeRun({ messageType: 'user', prompt: 'hi' })
    facts.agentStart()
    facts.messageEnd({ message: { role: 'system', content: '' } })
    facts.messageEnd({
      message: { role: 'user', content: [{ type: 'text', text: 'hi' }, { type: 'image' }] },
    })
    streamed(facts, [
      ['thinking', ['let ', 'me']],
      ['text', ['a', 'b']],
    ])
    facts.turnEnd({ messageEntryId: 'e1' })
    facts.agentSettled({ aborted: false }, ctx)
    expect(out.filter((o) => o.type !== 'state')).toEqual([
      { source: 'hook', type: 'vendor.session', vendorSessionId: 'sid', transcript: '/s/one.jsonl' },
      { source: 'hook', type: 'model', model: 'mock/m1' },
      { source: 'hook', type: 'ready' },
      { source: 'hook', type: 'prompt.accepted', text: 'hi' },
      { source: 'hook', type: 'turn.started' },
      { source: 'hook', type: 'user.message', key: 'pi.m1', text: 'hi', images: 1 },
      { source: 'hook', type: 'text.delta', key: 'pi.m2.0', kind: 'reasoning', delta: 'let ' },
      { source: 'hook', type: 'text.delta', key: 'pi.m2.0', kind: 'reasoning', delta: 'me' },
      { source: 'hook', type: 'text.delta', key: 'pi.m2.1', kind: 'assistant_message', delta: 'a' },
      { source: 'hook', type: 'text.delta', key: 'pi.m2.1', kind: 'assistant_message', delta: 'b' },
      { source: 'hook', type: 'text.completed', key: 'pi.m2.0', kind: 'reasoning', text: 'let me' },
      { source: 'hook', type: 'text.completed', key: 'pi.m2.1', kind: 'assistant_message', text: 'ab' },
      {
        ...{ source: 'hook', type: 'usage', key: 'pi.m2.usage', model: 'm1', usd: 0.001 },
        tokens: { input: 1000, output: 34, cacheRead: 200, cacheWrite: 0, reasoning: 7 },
      },
      { source: 'hook', type: 'turn.ended', outcome: 'completed' },
    ])
    expect(mapper.takeSaid()).toEqual({
      transcript: '/s/one.jsonl',
      entries: [{ entryId: 'e1', text: 'ab' }],
    })
    expect(mapper.takeSaid().entries).toEqual([])
  })

  it('makes one turn of a run that retries, and fails with the last error only', () => {
    const run = (second: string) => {
      const p = piped()
      p.facts.agentStart()
      streamed(p.facts, [], 'error')
      p.facts.agentStart()
      streamed(p.facts, [['text', ['ok']]], second)
      p.facts.agentSettled({ aborted: false }, ctx)
      expect(p.types().filter((t) => t === 'turn.started')).toHaveLength(1)
      return p.out.find((o) => o.type === 'turn.ended')
    }
    expect(run('stop')).toMatchObject({ outcome: 'completed' })
    expect(run('error')).toMatchObject({ outcome: 'failed', detail: '429: slow down' })
  })

  it('marks what was cut, and a run that its session ends', () => {
    const { facts, out } = piped()
    facts.agentStart()
    streamed(facts, [['text', ['so far']]], 'aborted')
    facts.sessionShutdown({ reason: 'new' })
    expect(out).toContainEqual(
      expect.objectContaining({ type: 'text.completed', text: 'so far', partial: true }),
    )
    expect(out).toContainEqual(expect.objectContaining({ type: 'turn.ended', outcome: 'interrupted' }))
  })

  it.each([
    ['completed', {}, false, { durationMs: 5 }],
    ['failed', {}, true, { durationMs: 5 }],
    ['interrupted', { signal: aborted }, true, { durationMs: 5 }],
    ['denied', {}, true, {}],
  ] as const)('says how a tool ended: %s', (status, more, isError, ran) => {
    const { facts, out } = piped()
    const call = { toolCallId: 'c1', toolName: 'bash' }
    facts.toolStart({ ...call, args: { command: 'ls' } })
    facts.toolCall(call)
    facts.toolUpdate({ ...call, partialResult: { content: [] } })
    facts.toolUpdate({ ...call, partialResult: { content: [{ type: 'text', text: 'a\n' }] } })
    facts.toolEnd(
      { ...call, result: { content: [{ type: 'text', text: 'a\nb' }] }, isError, ...ran },
      { ...ctx, ...more },
    )
    expect(out).toEqual([
      {
        source: 'hook',
        type: 'tool.started',
        callId: 'c1',
        tool: 'shell',
        name: 'bash',
        input: { command: 'ls' },
      },
      { source: 'hook', type: 'tool.output', callId: 'c1', text: 'a\n' },
      { source: 'hook', type: 'tool.completed', callId: 'c1', status, output: 'a\nb', ...ran },
    ])
  })

  it('does not call an unknown tool denied', () => {
    const { facts, out } = piped()
    facts.toolEnd({ toolCallId: 'c', toolName: 'nope', isError: true }, ctx)
    expect(out).toMatchObject([{ status: 'failed' }])
  })

  it('takes a queued prompt as accepted, and one that Pi refuses as not', () => {
    const { facts, out } = piped()
    facts.input({ text: 'refused', source: 'extension' })
    expect(out).toEqual([])
    facts.input({ text: 'queued', source: 'extension', streamingBehavior: 'followUp' })
    expect(out).toEqual([{ source: 'hook', type: 'prompt.accepted', text: 'queued', queued: true }])
  })

  it('is blocked while a question of an extension waits', () => {
    const { facts, out } = piped()
    facts.promptStart({ kind: 'select', title: 'Allow?' })
    facts.promptEnd({ ...ctx, isIdle: () => false })
    expect(out).toMatchObject([{ state: 'blocked', evidence: ['Allow?'] }, { state: 'running' }])
  })

  it('takes a zero for a price only when the provider billed it, and no response without tokens', () => {
    const priced = (total: number, billed: boolean) => {
      const { facts, out } = piped()
      facts.messageEnd({ message: { role: 'assistant', content: [], usage: usage(total, billed) } })
      return out.find((o) => o.type === 'usage')
    }
    expect(priced(0, false)).not.toHaveProperty('usd')
    expect(priced(0, true)).toHaveProperty('usd', 0)
    const { facts, out } = piped()
    const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: { total: 0 } }
    facts.messageEnd({ message: { role: 'assistant', content: [], usage: none } })
    expect(out).toEqual([])
  })
})

describe('pi transcript', () => {
  let folder = ''
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('finds what differs and what is not there', async () => {
    folder = mkdtempSync(join(tmpdir(), 'pi-'))
    const path = join(folder, 's.jsonl')
    const line = (id: string, text: string) =>
      JSON.stringify({
        type: 'message',
        id,
        message: { role: 'assistant', content: [{ type: 'text', text }] },
      })
    writeFileSync(path, ['{"type":"session"}', line('a', 'one'), 'torn {', line('b', 'two')].join('\n'))
    const said = (entryId: string, text: string) => ({ entryId, text })
    expect(await differences(path, [said('a', 'one'), said('b', 'two')])).toEqual([])
    expect(await differences(path, [said('a', 'won')])).toHaveLength(1)
    expect(await differences(path, [said('c', '')])).toEqual([`${path} has no entry c`])
    expect(await differences(join(folder, 'none'), [said('a', '')])).toHaveLength(1)
    // Beyond the tail nothing is claimed.
    writeFileSync(path, `${line('a', 'x')}\n${line('b', 'y'.repeat(1024 * 1024))}\n${line('c', 'z')}\n`)
    expect(await differences(path, [said('a', 'other'), said('c', 'z')])).toEqual([])
  })
})

describe('pi launch and auth', () => {
  const files = new Map<string, string>()
  const probe = (env: Record<string, string> = {}): HostProbe => ({
    env: { HOME: '/h', ...env },
    readFile: (path) => files.get(path) ?? null,
    exists: (path) => files.has(path),
  })
  let count = 0
  const request = (more: Partial<LaunchRequest> = {}): LaunchRequest => ({
    ...{ sessionId: 's', binary: '/bin/pi', cwd: '/w', model: null, args: ['--continue'], env: { A: '1' } },
    ...{ sessionDir: '/st/s', socketDir: '/run/m', hook: { url: '', token: '' }, probe: probe() },
    uuid: () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`,
    ...more,
  })

  it('adds the extension and its socket, and no file', () => {
    const plan = adapter.launch(request({ model: 'mock/m1' }))
    expect(plan.argv).toEqual([
      ...['/bin/pi', '-e', expect.stringMatching(/\/adapters\/pi\/extension\.ts$/)],
      ...['--model', 'mock/m1', '--continue'],
    ])
    expect(plan.env).toEqual({
      A: '1',
      AGENT_MEOW_PI_SOCKET: plan.facts.socket,
      AGENT_MEOW_PI_TOKEN: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(plan.files).toEqual([])
    expect(adapter.launch(request()).facts.token).not.toBe(plan.facts.token)
  })

  it('refuses a socket path that no system takes', () => {
    expect(() => adapter.launch(request({ socketDir: `/${'x'.repeat(90)}` }))).toThrow(
      /socket path is too long/,
    )
  })

  it('finds a key, a login, a model of one’s own, or says what it looked for', () => {
    files.clear()
    expect(adapter.auth(probe({ OPENAI_API_KEY: 'k' }))).toEqual({
      status: 'ok',
      detail: 'OPENAI_API_KEY is set',
    })
    expect(adapter.auth(probe())).toMatchObject({
      status: 'missing',
      detail: expect.stringContaining('/h/.pi/agent/auth.json'),
    })
    expect(adapter.auth(probe({ AWS_PROFILE: 'p' })).status).toBe('unknown')
    files.set('/h/.pi/agent/models.json', '{"providers":{"a":{},"b":{"apiKey":"$B_KEY"}}}')
    expect(adapter.auth(probe()).status).toBe('missing')
    expect(adapter.auth(probe({ B_KEY: 'k' })).status).toBe('ok')
    files.set('/h/.pi/agent/models.json', '// mine\n{}')
    expect(adapter.auth(probe()).status).toBe('unknown')
    files.set('/h/.pi/agent/auth.json', '{"anthropic":{"type":"oauth"}}')
    expect(adapter.auth(probe())).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining('anthropic'),
    })
    files.clear()
    files.set('/other/auth.json', '{"x":{}}')
    expect(adapter.auth(probe({ PI_CODING_AGENT_DIR: '/other' })).status).toBe('ok')
  })
})
