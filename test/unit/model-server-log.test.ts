/**
 * The request log of the scripted model server: contents, bounds, waiting.
 *
 * @module test/unit/model-server-log
 */

import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type ModelServer, type ModelServerOptions, startModelServer } from '../../src/model-server/index.js'
import { anthropicBody, post, stream } from './model-server-client.js'

const servers: ModelServer[] = []
const folders: string[] = []

async function start(options: ModelServerOptions = {}): Promise<ModelServer> {
  const server = await startModelServer({ persona: 'plain', ...options })
  servers.push(server)
  return server
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'model-server-'))
  folders.push(made)
  return made
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true })
})

describe('log', () => {
  it('keeps what was asked and answered, without credentials', async () => {
    const file = join(folder(), 'log.jsonl')
    let clock = 1000
    const server = await start({ logFile: file, now: () => (clock += 1) })
    const data = Buffer.from('picture').toString('base64')
    const content = [
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
      { type: 'text', text: 'look' },
    ]
    const headers = { authorization: 'Bearer sk-secret', 'content-type': 'application/json' }
    await post(server, '/v1/messages', anthropicBody([{ role: 'user', content }], { stream: false }), {
      headers,
    })
    const [request] = server.requests
    expect(request).toMatchObject({
      n: 1,
      wire: 'anthropic-messages',
      path: '/v1/messages',
      model: 'claude-x',
      kind: 'turn',
      hasCredentials: true,
      lastUserText: 'look',
      images: [{ mediaType: 'image/png', bytes: 7, data }],
      response: { text: 'You said: look', status: 200, finished: 'completed' },
    })
    expect(request?.images[0]?.sha256).toMatch(/^[0-9a-f]{64}$/)
    const { startedAt, firstChunkAt, endedAt } = request?.response ?? {}
    expect([startedAt, firstChunkAt, endedAt]).toEqual([...[startedAt, firstChunkAt, endedAt]].sort())
    const written = readFileSync(file, 'utf8')
    expect(JSON.parse(written)).toMatchObject({ n: 1, response: { finished: 'completed' } })
    expect(written + JSON.stringify(server.requests)).not.toContain('sk-secret')
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('stays within its bounds', async () => {
    const server = await start({ maxRequests: 3 })
    for (let n = 1; n <= 5; n += 1) await stream(server, 'anthropic', anthropicBody(`p${n}`))
    expect(server.requests.map(({ lastUserText }) => lastUserText)).toEqual(['p3', 'p4', 'p5'])
    expect(server.dropped).toBe(2)
    const small = await start({ maxRequestBytes: 4000 })
    for (let n = 1; n <= 3; n += 1) {
      await stream(small, 'anthropic', anthropicBody('x'.repeat(2500), { tools: undefined }))
    }
    expect(small.requests.map(({ n }) => n)).toEqual([3])
  })

  it('stops its file at the bound', async () => {
    const file = join(folder(), 'log.jsonl')
    const server = await start({ logFile: file, maxLogFileBytes: 5000 })
    for (let n = 1; n <= 8; n += 1) await stream(server, 'anthropic', anthropicBody(`p${n}`))
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ notice: 'log_file_full' })
    expect(statSync(file).size).toBeLessThan(5200)
  })

  it('waits for a request as it changes, and gives up in time', async () => {
    const server = await start()
    const finished = server.waitForRequest(({ response }) => response.finished === 'completed')
    await stream(server, 'anthropic', anthropicBody('hi'))
    expect((await finished).lastUserText).toBe('hi')
    const later = await server.waitForRequest(({ lastUserText }) => lastUserText === 'hi')
    expect(later.n).toBe(1)
    const never = server.waitForRequest(({ n }) => n === 99, { timeoutMs: 20 })
    await expect(never).rejects.toMatchObject({
      code: 'wait_timeout',
      detail: expect.stringContaining('"hi" completed'),
    })
  })

  it('tells listeners until they are disposed', async () => {
    const server = await start()
    const seen: (string | null)[] = []
    const subscription = server.onChange(({ response }) => seen.push(response.finished))
    await stream(server, 'anthropic', anthropicBody('hi'))
    expect(seen).toEqual([null, null, 'completed'])
    subscription.dispose()
    await stream(server, 'anthropic', anthropicBody('hi'))
    expect(seen).toHaveLength(3)
  })
})
