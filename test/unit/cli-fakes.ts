/** @module test/unit/cli-fakes - a shell that remembers what it was told, and a hub of plain answers. */
import type { Hub, HubAccess } from '../../src/cli/hub-access.js'
import type { Shell } from '../../src/cli/shell.js'
import type { QueuedPrompt, Receipt } from '../../src/protocol/commands.js'
import { MeowError } from '../../src/protocol/errors.js'
import type { DurableEvent, MeowEvent } from '../../src/protocol/events.js'
import type { RecordingInfo, ScreenReading, SessionInfo } from '../../src/protocol/session.js'
import type { ServerFrame } from '../../src/protocol/stream.js'
import { FAKE_COMMANDS } from './hub-fake-vendor.js'

export function session(over: Partial<SessionInfo> = {}): SessionInfo {
  return {
    id: 's_1111',
    name: 'docs',
    vendor: 'pi',
    vendorVersion: '1.6.0',
    vendorSessionId: null,
    cwd: '/work/docs',
    model: 'm',
    mode: null,
    backend: 'tmux',
    pid: null,
    cols: 80,
    rows: 24,
    state: 'idle',
    stateRule: 'r',
    stateEvidence: [],
    stateSince: 0,
    createdAt: 0,
    endedAt: null,
    lastSeq: 0,
    turns: 0,
    lastOutcome: null,
    tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    usd: null,
    ...over,
  }
}

export function recording(over: Partial<RecordingInfo> = {}): RecordingInfo {
  return {
    name: 's_1111-1',
    sessionId: 's_1111',
    vendor: 'pi',
    vendorVersion: '1.6.0',
    file: '/state/sessions/s_1111/s_1111-1.cast',
    sideFile: '/state/sessions/s_1111/s_1111-1.side.jsonl',
    bytes: 1500,
    startedAt: 1000,
    endedAt: null,
    state: 'recording',
    check: 'unchecked',
    detail: null,
    ...over,
  }
}

export function reading(over: Partial<ScreenReading> = {}): ScreenReading {
  return {
    state: 'blocked',
    rule: 'pi.dialog',
    evidence: ['Trust this folder?'],
    ageMs: 1500,
    told: { state: 'running', rule: 'pi.agent', ageMs: 61_000 },
    composer: { text: 'half', ghost: 'a whole sentence' },
    dialog: {
      kind: 'trust',
      title: 'Trust this folder?',
      options: [
        { key: '1', label: 'Yes', selected: true },
        { key: '2', label: 'No', selected: false },
      ],
      fingerprint: 'f',
    },
    blocks: [
      { rule: 'pi.assistant', kind: 'assistant_message', rows: ['Hello', '\u001b[2Jthere'] },
      { rule: null, kind: null, rows: ['odd'] },
    ],
    ...over,
  }
}

const snapshot = (info: SessionInfo, events: MeowEvent[]): ServerFrame => ({
  type: 'session.snapshot',
  sessionId: info.id,
  session: info,
  events,
  board: { turnId: null, activity: null, items: [] },
  lastSeq: info.lastSeq,
})

type Stream = Awaited<ReturnType<Hub['stream']>>

/** A stream whose frames the test pushes. */
function fakeStream(onSend: (frame: Parameters<Stream['send']>[0]) => void, signal?: AbortSignal) {
  const frames: ServerFrame[] = []
  let closed = false
  let wake = (): void => {}
  const close = (): void => {
    closed = true
    wake()
  }
  signal?.addEventListener('abort', close)
  if (signal?.aborted === true) close()
  const push = (frame: ServerFrame): void => {
    frames.push(frame)
    wake()
  }
  async function* read() {
    for (;;) {
      const frame = frames.shift()
      if (frame !== undefined) yield frame
      else if (closed) return
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
  }
  const stream: Stream = { send: onSend, close, [Symbol.asyncIterator]: read }
  return { stream, push, close }
}

/** A hub with these sessions. After a message was sent, `script` is streamed, one event a frame. */
export function fakeHub(
  options: {
    sessions?: SessionInfo[]
    script?: MeowEvent[]
    past?: DurableEvent[]
    queue?: QueuedPrompt[]
    /** The newest receipt of every message; that it is queued unless told. */
    receipt?: Omit<Receipt, 'messageId'>
  } = {},
) {
  const sessions = options.sessions ?? [session()]
  const past = options.past ?? []
  const receipt = options.receipt ?? ({ state: 'queued', reason: null } as const)
  const calls: unknown[][] = []
  const streams: { push(frame: ServerFrame): void; close(): void }[] = []
  const find = (id: string): SessionInfo => {
    const found = sessions.find((one) => one.id === id)
    if (found === undefined) throw new MeowError('not_found', `there is no session ${id}`)
    return found
  }
  const hub: Hub = {
    info: async () => ({
      version: '0',
      pid: 7,
      port: 4747,
      home: '/state',
      startedAt: 0,
      sessions: 1,
      scopes: [],
    }),
    sessions: async () => sessions,
    session: async (id) => find(id),
    createSession: async (request) => {
      calls.push(['create', request])
      return session({ vendor: request.vendor })
    },
    kill: async (id) => {
      calls.push(['kill', id])
      return find(id)
    },
    events: async (_id, { since = 0, limit = 1000 } = {}) => ({
      events: past.filter(({ seq }) => seq > since).slice(0, limit),
      lastSeq: past.at(-1)?.seq ?? 0,
    }),
    send: async (id, message) => {
      calls.push(['send', id, message])
      for (const event of options.script ?? []) {
        for (const { push } of streams) push({ type: 'events', sessionId: id, events: [event] })
      }
      return { messageId: message.messageId ?? 'm_1', state: 'queued', reason: null }
    },
    receipt: async (_id, messageId) => ({ messageId, ...receipt }),
    queue: async () => options.queue ?? [],
    editQueued: async (id, messageId, change) => {
      calls.push(['edit', id, messageId, change])
      return { messageId, ...receipt }
    },
    withdraw: async (id, messageId) => {
      calls.push(['withdraw', id, messageId])
      if (options.queue?.some((one) => one.messageId === messageId))
        return { messageId, state: 'failed', reason: 'withdrawn' }
      throw new MeowError('not_found', `there is no message ${messageId}`)
    },
    answer: async (id, approvalId, option) => {
      calls.push(['answer', id, approvalId, option])
      return { approvalId, option: 'Yes', evidence: ['it stood there', 'it is \u001b[2Jgone'] }
    },
    commands: async () => [...FAKE_COMMANDS],
    runCommand: async (id, command) => {
      calls.push(['command', id, command])
      const { command: name, argument = null } = command
      return { command: name, argument, evidence: [`${name} was seen`] }
    },
    interrupt: async () => ({
      result: 'interrupted',
      turnId: 'turn_1',
      evidence: ['turn ended: interrupted'],
    }),
    reading: async (id) => {
      calls.push(['reading', id])
      return reading()
    },
    startRecording: async (id, options = {}) => {
      calls.push(['record', id, options])
      return recording({ sessionId: id, file: options.file ?? '/state/sessions/s_1111/s_1111-1.cast' })
    },
    stopRecording: async (id) =>
      recording({ sessionId: id, state: 'stopped', check: 'clean', endedAt: 61_000 }),
    recordings: async () => [recording()],
    resize: async () => {},
    attach: async () => ({ argv: ['tmux', 'attach'], env: {} }),
    createPairing: async () => ({ code: 'c', url: 'http://127.0.0.1:4747/#pair=c' }),
    stream: async ({ signal } = {}) => {
      const one = fakeStream((frame) => {
        if (frame.type === 'session.subscribe') one.push(snapshot(find(frame.sessionId), past))
      }, signal)
      streams.push(one)
      return one.stream
    },
  }
  return { hub, calls, closeStream: () => streams.at(-1)?.close() }
}

/** A shell over a hub (null: none is running) that remembers its output. */
export function fakeShell(hub: Hub | null, over: Partial<Shell> = {}) {
  const said = { out: '', err: '' }
  const hubs: HubAccess = {
    home: '/state',
    find: async () => hub,
    ensure: async () => {
      if (hub === null) throw new MeowError('hub_unreachable', 'no hub in this test')
      return hub
    },
    stop: async () => {
      said.err += 'stopped\n'
    },
  }
  const shell: Shell = {
    out: (text) => {
      said.out += text
    },
    tell: (line) => {
      said.err += `${line}\n`
    },
    readStdin: async () => 'from stdin\n',
    ask: async () => false,
    handOver: async () => 0,
    openTty: () => null,
    env: { PATH: '/bin', AGENT_MEOW_HOME: '/state', AGENT_MEOW_PI_BIN: '/bin/pi' },
    cwd: '/here',
    interactive: false,
    columns: 100,
    rows: 30,
    color: false,
    signal: new AbortController().signal,
    hubs,
    hubsFor: () => hubs,
    self: 'agent-meow',
    vendors: async () => [],
    now: () => 120_000,
    ...over,
  }
  return { shell, said }
}
