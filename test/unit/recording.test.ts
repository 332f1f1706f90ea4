/** The recorder of a session: what its files hold, where it ends, and that the session never feels it. */
import { execFileSync, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MeowEvent } from '../../src/protocol/events.js'
import { SessionRecorder } from '../../src/session/recording.js'
import { readRecordings, saveRecording } from '../../src/session/recording-catalog.js'
import { RecordingWriter } from '../../src/session/recording-writer.js'
import { readCast, Screen, Secrets } from '../../src/terminal/index.js'
import { recording } from './cli-fakes.js'

const KEY = 'sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWx'
let home = ''
let now = 0
let logged: string[] = []
let gaps: string[] = []

beforeEach(() => {
  home = fs.mkdtempSync(join(tmpdir(), 'meow-rec-'))
  fs.chmodSync(home, 0o700)
  now = 1_700_000_000_000
  logged = []
  gaps = []
})
afterEach(() => fs.rmSync(home, { recursive: true, force: true }))

function recorder(over: { sessionId?: string } = {}): SessionRecorder {
  return new SessionRecorder({
    sessionId: 's_1',
    sessionDir: home,
    home,
    vendor: { id: 'pi', version: '1.2.3' },
    backend: 'pty',
    size: { cols: 80, rows: 24 },
    term: 'xterm-256color',
    command: `/home/alice/bin/pi --key ${KEY}`,
    title: 'docs',
    secrets: new Secrets({ env: { HOME: '/home/alice', X_API_KEY: KEY } }),
    rawFile: join(home, 'terminal.raw'),
    now: () => now,
    log: (line) => logged.push(line),
    ...over,
  })
}

const listing = (folder: string) =>
  recording({ file: join(folder, 'b.cast'), sideFile: join(folder, 'b.side.jsonl') })
const cast = (file: string) => readCast(fs.readFileSync(file, 'utf8'))
/** What its last line says. */
const closing = (file: string): unknown =>
  JSON.parse(fs.readFileSync(file, 'utf8').trim().split('\n').at(-1)?.replace('# ', '') ?? '')
const mode = (path: string): string => (fs.statSync(path).mode & 0o777).toString(8)
const turn = { type: 'turn.started', turnId: 't_1' } as MeowEvent

describe('a recording from birth', () => {
  it('has everything on one clock, is private, and its header says whose it is', async () => {
    const rec = recorder()
    const started = await rec.start()
    expect(rec.current()).toMatchObject({ name: 's_1-1', state: 'recording', vendor: 'pi' })
    now += 100
    rec.output(Buffer.from('h\u00e9').subarray(0, 2))
    rec.output(Buffer.from('h\u00e9!').subarray(2))
    now += 50
    rec.input('hello\r')
    rec.resized({ cols: 100, rows: 30 })
    rec.told([turn])
    rec.observed({ type: 'turn.started', source: 'rpc' })
    now += 50
    await rec.close({ code: 3, signal: null })
    const { header, events } = cast(started.file)
    expect(header).toMatchObject({
      version: 3,
      cols: 80,
      rows: 24,
      term: 'xterm-256color',
      timestamp: 1_700_000_000,
      vendor: { id: 'pi', version: '1.2.3' },
      backend: 'pty',
      tmux: null,
      fromStart: true,
    })
    expect(header.command).toBe(`/home/user_/bin/pi --key ${'*'.repeat(KEY.length)}`)
    expect(header.redacted).toContain('env X_API_KEY')
    expect(events).toEqual([
      { at: 100, kind: 'o', data: 'h' },
      { at: 100, kind: 'o', data: '\u00e9!' },
      { at: 150, kind: 'i', data: 'hello\r' },
      { at: 150, kind: 'r', data: '100x30' },
      { at: 150, kind: 'm', data: 'turn.started t_1' },
      { at: 200, kind: 'x', data: '3' },
    ])
    expect(fs.readFileSync(started.sideFile, 'utf8')).toBe(
      '{"at":150,"observation":{"type":"turn.started","source":"rpc"}}\n',
    )
    expect([mode(started.file), mode(started.sideFile)]).toEqual(['600', '600'])
    await expect.poll(() => readRecordings(join(home, 'recordings'))[0]?.check).toBe('clean')
    expect(readRecordings(join(home, 'recordings'))).toMatchObject([
      { name: 's_1-1', state: 'ended', endedAt: now, bytes: expect.any(Number) },
    ])
  })

  it('has no secret: not in output over chunks, not in input, not in deltas of the side channels', async () => {
    const rec = recorder()
    const { file, sideFile } = await rec.start()
    for (const char of `key ${KEY} in /home/alice/x\r\n`) rec.output(Buffer.from(char))
    for (const char of `${KEY}\r`) rec.input(char)
    for (const delta of ['say ', KEY.slice(0, 9), KEY.slice(9), ' done'])
      rec.observed({ type: 'text.delta', source: 'rpc', key: 'k', kind: 'assistant_message', delta })
    rec.observed({ type: 'notice', source: 'rpc', key: 'n', level: 'info', text: `in /home/alice: ${KEY}` })
    await rec.stop()
    const all = fs.readFileSync(file, 'utf8') + fs.readFileSync(sideFile, 'utf8')
    const joined = cast(file).events.map(({ data }) => data)
    const deltas = fs.readFileSync(sideFile, 'utf8').trim().split('\n').slice(0, 4)
    expect(all).not.toContain('alice')
    expect(joined.join('')).toBe(`key ${'*'.repeat(37)} in /home/user_/x\r\n${'*'.repeat(37)}\r`)
    expect(deltas.map((line) => JSON.parse(line).observation.delta).join('')).toBe(
      `say ${'*'.repeat(37)} done`,
    )
    expect(all).not.toContain(KEY.slice(0, 12))
  })

  it('counts every replacement, in markers and in the facts of the side channels, too', async () => {
    const rec = recorder()
    const { file } = await rec.start()
    rec.output(Buffer.from(`${KEY} /home/alice/x\r\n`))
    rec.told([{ type: 'gap', what: 'x', detail: `/home/alice ${KEY}` } as MeowEvent])
    for (const delta of [KEY.slice(0, 9), KEY.slice(9), ' '])
      rec.observed({ type: 'text.delta', source: 'rpc', key: 'k', kind: 'assistant_message', delta })
    const text = `${KEY} ${KEY} /home/alice /home/alice/a /home/alice/b`
    rec.observed({ type: 'notice', source: 'rpc', key: 'n', level: 'info', text })
    rec.observed({
      type: 'tool.started',
      source: 'rpc',
      callId: 'c',
      tool: 'shell',
      name: 'sh',
      input: { [KEY]: [KEY, { cwd: '/home/alice' }] },
    })
    await rec.stop()
    expect(closing(file)).toEqual({
      ended: 'stopped',
      replaced: { 'sk-': 2, 'home folder': 2 },
      side: { 'sk-': 5, 'home folder': 4 },
      invalidUtf8: 0,
    })
  })

  it('takes out afterwards what was drawn cell by cell', async () => {
    const rec = recorder()
    const { file } = await rec.start()
    for (const [i, char] of Array.from(KEY).entries()) rec.output(Buffer.from(`\u001b[3;${i + 1}H${char}`))
    const info = await rec.stop()
    expect(info).toMatchObject({ state: 'stopped', check: 'patched', detail: expect.stringContaining('sk-') })
    expect(cast(file).events.at(-1)?.data).toBe(`\u001b[3;${KEY.length}H*`)
    expect(mode(file)).toBe('600')
  })
})

describe('a recording from the middle', () => {
  it.each([
    ['between two pieces', 'one\r\n\u001b[31mtwo', ' three'],
    ['within a character', Buffer.from('one 日').subarray(0, 6), Buffer.from('日').subarray(2)],
    ['within an escape sequence', 'one\u001b[5;1', '0Htwo'],
    ['within a title', 'one\u001b]0;ti', 'tle\u0007two'],
  ])('%s shows what the live screen shows', async (_name, before, after) => {
    const live = new Screen({ cols: 80, rows: 24 })
    const first = Buffer.from(before as string)
    live.write(first)
    fs.writeFileSync(join(home, 'terminal.raw'), first)
    const rec = recorder()
    rec.attach({
      snapshot: () => ({ cols: 80, rows: 24, offset: first.length, screen: live.serialize() }),
      gap: (what, detail) => gaps.push(`${what} ${detail}`),
    })
    const { file } = await rec.start()
    live.write(Buffer.from(after as string))
    rec.output(Buffer.from(after as string))
    await rec.stop()
    const again = new Screen({ cols: 80, rows: 24 })
    for (const { kind, data } of cast(file).events) if (kind === 'o') again.write(Buffer.from(data))
    const rows = (screen: Screen) => Array.from({ length: 24 }, (_, y) => screen.text(y))
    expect(rows(again)).toEqual(rows(live))
    expect([again.cursor, again.title]).toEqual([live.cursor, live.title])
    expect(cast(file).header.fromStart).toBe(false)
  })
})

describe('bounds and faults', () => {
  it('ends with a marker at its greatest size, and a new one can begin', async () => {
    const rec = recorder()
    const { file } = await rec.start({ maxBytes: 20_000 })
    rec.output(Buffer.from(`${KEY}\r\n`))
    for (let i = 0; i < 100; i += 1) rec.output(Buffer.from(`${'x'.repeat(500)}\r\n`))
    await expect.poll(() => readRecordings(join(home, 'recordings'))[0]?.state).toBe('capped')
    const why = 'it reached its greatest size of 20000 bytes'
    expect(cast(file)).toMatchObject({ ending: 'capped', cut: false })
    expect(cast(file).events.at(-1)).toMatchObject({ kind: 'm', data: `record.capped: ${why}` })
    expect(closing(file)).toMatchObject({ ended: 'capped', replaced: { 'sk-': 1 } })
    expect(readRecordings(join(home, 'recordings'))[0]?.detail).toContain(why)
    expect(fs.statSync(file).size).toBeLessThanOrEqual(20_000)
    expect(fs.statSync(file).size).toBeGreaterThan(15_000)
    await expect.poll(() => rec.current()).toBeNull()
    expect((await rec.start()).name).toBe('s_1-2')
    await rec.stop()
  })

  it('refuses a second one, a file that is there, a folder that is not, and a file of another kind', async () => {
    const rec = recorder()
    const taken = join(home, 'taken.cast')
    fs.writeFileSync(taken, 'mine')
    await expect(rec.start({ file: taken })).rejects.toMatchObject({ code: 'conflict' })
    await expect(rec.start({ file: join(home, 'no', 'a.cast') })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    await expect(rec.start({ file: join(home, '.bashrc') })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    await expect(rec.start({ file: 'a.cast' })).rejects.toMatchObject({ code: 'invalid_argument' })
    fs.writeFileSync(join(home, 'half.side.jsonl'), '')
    await expect(rec.start({ file: join(home, 'half.cast') })).rejects.toMatchObject({ code: 'conflict' })
    expect([fs.readFileSync(taken, 'utf8'), fs.existsSync(join(home, 'half.cast'))]).toEqual(['mine', false])
    expect(readRecordings(join(home, 'recordings'))).toEqual([])
    await expect(rec.stop()).rejects.toMatchObject({ code: 'conflict' })
    await rec.start({ file: join(home, 'own.cast') })
    await expect(rec.start()).rejects.toMatchObject({
      code: 'conflict',
      hint: expect.stringContaining('record stop'),
    })
    await rec.close(null)
    await expect(rec.start()).rejects.toMatchObject({ code: 'conflict' })
  })

  it('tells a gap when the disk fails, once, and the session goes on', async () => {
    const rec = recorder()
    rec.attach({
      snapshot: () => ({ cols: 80, rows: 24, offset: 0, screen: '' }),
      gap: (what, detail) => gaps.push(`${what} ${detail}`),
    })
    fs.writeFileSync(join(home, 'terminal.raw'), '')
    const { file } = await rec.start()
    // The header is on its way; what is appended next meets a folder.
    await expect.poll(() => fs.statSync(file).size).toBeGreaterThan(0)
    fs.rmSync(file)
    fs.mkdirSync(file)
    rec.output(Buffer.from('one. '))
    await expect.poll(() => gaps).toHaveLength(1)
    rec.output(Buffer.from('two. '))
    expect(gaps[0]).toContain('could not be written')
    await expect.poll(() => readRecordings(join(home, 'recordings'))[0]?.state).toBe('failed')
    expect([rec.current(), gaps.length]).toEqual([null, 1])
  })

  it('tells one fault when both of its files fail', async () => {
    const faults: unknown[] = []
    const info = listing(home)
    const writer = RecordingWriter.create({
      info,
      header: { cols: 80, rows: 24 },
      secrets: new Secrets({ env: {} }),
      maxBytes: 1e6,
      clock: () => 0,
      onFault: (error) => faults.push(error),
    })
    await expect.poll(() => fs.statSync(info.file).size).toBeGreaterThan(0)
    for (const file of [info.file, info.sideFile]) {
      fs.rmSync(file)
      fs.mkdirSync(file)
    }
    writer.output(Buffer.from('one. '))
    writer.observed({ type: 'turn.started', source: 'rpc' })
    expect(await writer.closed).toMatchObject({ state: 'failed' })
    expect(faults).toHaveLength(1)
  })
})

describe('the list', () => {
  it('passes over a pipe in the place of a listing', () => {
    const folder = join(home, 'recordings')
    fs.mkdirSync(folder)
    const info = listing(home)
    saveRecording(folder, info)
    expect(readRecordings(folder)).toEqual([info])
    const path = join(folder, `${info.name}.json`)
    fs.rmSync(path)
    execFileSync('mkfifo', [path])
    const writer = spawn('sh', ['-c', 'printf %s "$2" > "$1"', 'sh', path, JSON.stringify(info)])
    try {
      expect(readRecordings(folder)).toEqual([])
    } finally {
      writer.kill()
    }
  })
})
