/** Recordings over the API: begun, ended, listed, given out; nothing that is not listed. */
import { execFileSync, spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RecordOptions } from '../../src/protocol/commands.js'
import { MeowError } from '../../src/protocol/errors.js'
import type { RecordingInfo } from '../../src/protocol/session.js'
import type { Recorder } from '../../src/session/handle.js'
import { saveRecording } from '../../src/session/recording-catalog.js'
import { recording } from './cli-fakes.js'
import type { FakeSession } from './hub-fake-session.js'
import { startTestHub, type TestHub, TOKEN } from './hub-harness.js'

let hub: TestHub
let folder = ''

beforeEach(async () => {
  hub = await startTestHub()
  folder = join(hub.home, 'recordings')
  fs.mkdirSync(folder)
})
afterEach(async () => await hub.close())

const listed = (over: Partial<RecordingInfo> = {}): RecordingInfo => {
  const file = join(hub.home, 'one.cast')
  const info = recording({
    file,
    sideFile: join(hub.home, 'one.side.jsonl'),
    state: 'ended',
    endedAt: 5,
    ...over,
  })
  fs.writeFileSync(info.file, 'CAST é')
  fs.writeFileSync(info.sideFile, 'SIDE')
  saveRecording(folder, info)
  return info
}
const get = (path: string) =>
  fetch(`${hub.hub.url}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } })

/** Gives a fake session a recorder that remembers. */
function recorded(session: FakeSession) {
  const calls: unknown[] = []
  let now: RecordingInfo | null = null
  const recorder: Recorder = {
    current: () => now,
    start: async (options?: RecordOptions) => {
      calls.push(options)
      now = recording({ name: `${session.id}-1`, sessionId: session.id, bytes: 77 })
      saveRecording(folder, { ...now, bytes: 0 })
      return now
    },
    stop: async () => {
      if (now === null) throw new MeowError('conflict', 'not being recorded')
      const ended = { ...now, state: 'stopped' as const, endedAt: 9 }
      now = null
      return ended
    },
  }
  Object.assign(session, { recorder })
  return calls
}

describe('recordings', () => {
  it('begin and end by the session, with their options', async () => {
    const session = await hub.session()
    const calls = recorded(session)
    const began = await hub.client.startRecording(session.id, { file: '/x/a.cast', maxBytes: 5000 })
    expect(began).toMatchObject({ name: `${session.id}-1`, state: 'recording' })
    expect(calls).toEqual([{ file: '/x/a.cast', maxBytes: 5000 }])
    // While it runs its size is the recorder's, not what was saved at its start.
    expect(await hub.client.recordings()).toMatchObject([{ state: 'recording', bytes: 77 }])
    expect(await hub.client.stopRecording(session.id)).toMatchObject({ state: 'stopped', endedAt: 9 })
    await expect(hub.client.stopRecording(session.id)).rejects.toMatchObject({ code: 'conflict' })
    // Its listing still says "recording", and no recorder does.
    expect(await hub.client.recordings()).toMatchObject([{ state: 'lost' }])
  })

  it('that are lost have the size of their files, whatever was saved when they began', async () => {
    const { file, sideFile } = listed({ state: 'recording', bytes: 0, endedAt: null })
    const [cast, side] = ['CAST é', 'SIDE'].map((text) => Buffer.byteLength(text)) as [number, number]
    expect(await hub.client.recordings()).toMatchObject([{ state: 'lost', bytes: cast + side }])
    fs.rmSync(sideFile)
    expect(await hub.client.recordings()).toMatchObject([{ state: 'lost', bytes: cast }])
    fs.rmSync(file)
    fs.symlinkSync('/etc/hostname', file)
    expect(await hub.client.recordings()).toMatchObject([{ state: 'lost', bytes: 0 }])
  })

  it('says what is wrong', async () => {
    const session = await hub.session()
    await expect(hub.client.startRecording(session.id)).rejects.toMatchObject({ code: 'unsupported' })
    await expect(hub.client.startRecording('s_none')).rejects.toMatchObject({ code: 'not_found' })
    await expect(hub.client.recording('none')).rejects.toMatchObject({
      code: 'not_found',
      hint: 'agent-meow record ls shows them',
    })
  })

  it('are given out as they are, by the names in the list', async () => {
    const { name } = listed()
    const cast = await get(`/v1/recordings/${name}`)
    expect([cast.headers.get('content-type'), await cast.text()]).toEqual([
      'application/x-asciicast; charset=utf-8',
      'CAST é',
    ])
    expect(await hub.client.recording(name)).toBe('CAST é')
    expect(await hub.client.recordingSide(name)).toBe('SIDE')
  })

  it.each(['..%2Fhub', '../hub', '%2e%2e', 'one', 'one.cast', '.', 's_1111-1.json', '..'])(
    '%s is no name',
    async (name) => {
      listed()
      fs.writeFileSync(join(hub.home, 'hub.json'), '{"secret":1}')
      const answer = await get(`/v1/recordings/${name}`)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(await answer.text()).not.toContain('secret')
    },
  )

  it('are not read from a pipe or a folder in their place', async () => {
    const { name, file, sideFile } = listed()
    fs.rmSync(file)
    execFileSync('mkfifo', [file])
    const writer = spawn('sh', ['-c', 'printf piped > "$1"', 'sh', file])
    try {
      const gone = { code: 'not_found', detail: expect.stringContaining('no file') }
      await expect(hub.client.recording(name)).rejects.toMatchObject(gone)
      fs.rmSync(sideFile)
      fs.mkdirSync(sideFile)
      await expect(hub.client.recordingSide(name)).rejects.toMatchObject(gone)
    } finally {
      writer.kill()
    }
  })

  it('are not read through a link, nor by a listing that was renamed, nor when they show a secret', async () => {
    const link = listed({ name: 's_2-1', file: join(hub.home, 'two.cast') })
    fs.rmSync(link.file)
    fs.symlinkSync('/etc/hostname', link.file)
    await expect(hub.client.recording('s_2-1')).rejects.toMatchObject({ code: 'not_found' })
    fs.renameSync(join(folder, 's_2-1.json'), join(folder, 's_3-1.json'))
    expect(await hub.client.recordings()).toEqual([])
    listed({ name: 's_4-1', check: 'refused', detail: 'a screen shows a key' })
    await expect(hub.client.recording('s_4-1')).rejects.toMatchObject({ code: 'forbidden' })
    await expect(hub.client.recordingSide('s_4-1')).rejects.toMatchObject({ code: 'forbidden' })
  })
})
