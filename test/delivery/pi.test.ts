import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sanitize } from '../../src/session/sanitize.js'
import { pick, prompt, random } from './pi-prompts.js'
import { userTexts } from './pi-user-texts.js'
import { PiWorld } from './pi-world.js'

const N = Number(process.env.DELIVERY_N ?? 20)
const SEED = Number(process.env.DELIVERY_SEED ?? 1)
const MOMENTS = ['idle', 'mid-stream', 'mid-tool', 'dialog', 'resize'] as const

/** A picture of 16 by 16 grey pixels. */
function png(): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const head = Buffer.from([0, 0, 0, 16, 0, 0, 0, 16, 8, 0, 0, 0, 0])
  const rows = deflateSync(Buffer.alloc(16 * 17, 0))
  const mark = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([mark, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

let pi: PiWorld
beforeAll(async () => {
  pi = await PiWorld.open()
  // A prompt with a directive says what the model does; every other one is answered.
  pi.model.script([{ when: { pattern: '^(?!MEOW:)' }, reply: 'ok', times: 0 }])
}, 120_000)
afterAll(() => pi?.close())

/** A text, short: what differs is shown by its end, its length and a hash. */
const short = (text: string): string =>
  text.length < 200
    ? text
    : `${text.slice(-40)} (${text.length}, ${createHash('sha1').update(text).digest('hex')})`

/** The user messages of the conversation as the model got it last. */
const heard = (): string[] => userTexts(pi.model.requests.at(-1)).map(short)

let holds = 0
/** Keeps Pi busy, with the model's answer or with a tool, until it is let go. */
async function hold(
  how: 'mid-stream' | 'mid-tool',
): Promise<{ text: string; release: () => void; id: string }> {
  holds += 1
  const name = `g${holds}`
  const file = join(pi.work, name)
  const wait = `bash echo on; while [ ! -e ${file} ]; do sleep 0.05; done`
  const text =
    how === 'mid-stream' ? `MEOW: text Wait ;; gate ${name};; text done.` : `MEOW: ${wait};; text done.`
  const from = pi.events.length
  const id = await pi.send(text)
  const type = how === 'mid-stream' ? 'item.delta' : 'tool.output'
  await pi.until(`${how} began`, () => pi.events.slice(from).some((e) => e.type === type))
  const release = (): void => {
    if (how === 'mid-stream') pi.model.gate(name).release()
    else writeFileSync(file, '')
  }
  return { text, release, id }
}

async function openDialog(): Promise<string> {
  const from = pi.told('approval.requested').length
  await pi.session.runCommand({ command: 'slash', argument: '/model' })
  await pi.until('the dialog is told', () => pi.told('approval.requested').length > from)
  return pi.told('approval.requested').at(-1)?.approvalId ?? ''
}

describe('prompts to pi, the real program', () => {
  it(
    `brings ${N} prompts of random shape at any moment byte for byte, once each, in order`,
    async () => {
      const next = random(SEED)
      let expected: string[] = []
      let held = 0
      for (let n = 0; n < N; ) {
        if (n > 0 && n - held >= 10) {
          held = n
          await pi.idle()
          await pi.session.runCommand({ command: 'clear' })
          expected = []
        }
        const moment = pick(MOMENTS, next)
        const count = Math.min(N - n, 1 + Math.floor(next() * 3))
        const prompts = Array.from({ length: count }, (_, i) => prompt(n + i, next))
        n += count
        const busy = moment === 'mid-stream' || moment === 'mid-tool' ? await hold(moment) : null
        const dialog = moment === 'dialog' ? await openDialog() : null
        if (moment === 'resize')
          await pi.session.resize(50 + Math.floor(next() * 120), 22 + Math.floor(next() * 40))
        const requests = pi.model.requests.at(-1)?.n
        const ids: string[] = []
        for (const text of prompts) ids.push(await pi.send(text))
        if (dialog !== null) {
          expect(pi.receipt(ids[0] ?? '').reason).toMatch(/dialog/)
          await pi.session.answer(dialog, '1', 'test')
        }
        if (dialog !== null || busy) expect(pi.model.requests.at(-1)?.n).toBe(requests)
        busy?.release()
        const receipts = await pi.settled(ids)
        const failed = receipts.filter((r) => r.state !== 'completed')
        expect(failed, `${moment}: ${prompts.map(short).join(' | ')}`).toEqual([])
        expected.push(...[...(busy ? [busy.text] : []), ...prompts.map(sanitize)].map(short))
        expect(heard(), moment).toEqual(expected)
      }
      expect(pi.told('gap')).toEqual([])
    },
    60_000 + N * 10_000,
  )

  it('steers into a running tool’s turn: before the model’s next call, ahead of what waits', async () => {
    await pi.idle()
    await pi.session.runCommand({ command: 'clear' })
    const busy = await hold('mid-tool')
    const later = await pi.send('/later !')
    const now = await pi.send('  steer @this', { how: 'steer' })
    await pi.until('it is in Pi’s queue', () => pi.receipt(now).state === 'accepted')
    expect(pi.receipt(later).state).toBe('queued')
    busy.release()
    const receipts = await pi.settled([now, later])
    expect(receipts.map((r) => r.state)).toEqual(['completed', 'completed'])
    expect(heard()).toEqual([busy.text, '  steer @this', '/later !'])
    const turns = pi.told('turn.completed').length
    expect(turns).toBeGreaterThan(1)
  })

  it('says that a steered prompt was not run when the turn is stopped, and leaves a draft alone', async () => {
    await pi.idle()
    const busy = await hold('mid-tool')
    await pi.session.input(Buffer.from('my draft'))
    await pi.until('the draft is told', () =>
      pi.events.some((e) => e.type === 'session.draft' && e.text === 'my draft'),
    )
    const aside = await pi.send('not any more', { how: 'steer' })
    await pi.until('it is in Pi’s queue', () => pi.receipt(aside).state === 'accepted')
    const requests = pi.model.requests.at(-1)?.n
    const stopped = await pi.session.interrupt()
    expect(stopped.result).toBe('interrupted')
    expect(await pi.settled([aside])).toMatchObject([
      { state: 'failed', reason: expect.stringMatching(/not run/) },
    ])
    expect(pi.receipt(aside).undecided ?? false).toBe(false)
    await pi.idle()
    const beside = await pi.send('beside the draft')
    expect(await pi.settled([beside])).toMatchObject([{ state: 'completed' }])
    expect(heard().slice(-2)).toEqual([busy.text, 'beside the draft'])
    expect(pi.model.requests.at(-1)?.n).toBe((requests ?? 0) + 1)
    expect(pi.session.snapshot(0).board.draft).toBe('my draft')
    await pi.session.keys(['C-u'])
    await pi.until('the draft is gone', () => pi.session.snapshot(0).board.draft === null)
  })

  it('sends the bytes of images, and tells what Pi says of one that it cannot read', async () => {
    const [good, bad] = [join(pi.work, 'good.png'), join(pi.work, 'bad.png')]
    const bytes = png()
    writeFileSync(good, bytes)
    writeFileSync(bad, bytes.subarray(0, 40))
    const one = await pi.send('look at /this', { images: [{ path: good }] })
    expect(await pi.settled([one])).toMatchObject([{ state: 'completed' }])
    expect(heard().at(-1)).toBe('look at /this')
    expect(pi.model.requests.at(-1)?.images.at(-1)).toMatchObject({
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
    const two = await pi.send('and at this', { images: [{ path: bad }] })
    expect(await pi.settled([two])).toMatchObject([{ state: 'completed' }])
    const items = pi.told('item.completed').map((e) => e.item)
    expect(items.findLast((i) => i.kind === 'user_message')).toMatchObject({
      text: 'and at this',
      messageId: two,
    })
    expect(items.findLast((i) => i.kind === 'notice')).toMatchObject({
      text: expect.stringMatching(/omitted/),
    })
  })

  it('stops a stream: the connection closes', async () => {
    const busy = await hold('mid-stream')
    expect((await pi.session.interrupt()).result).toBe('interrupted')
    const request = pi.model.requests.at(-1)
    await request?.ended
    expect(request?.response.finished).toBe('client_closed')
    expect(await pi.settled([busy.id])).toMatchObject([{ state: 'completed', reason: 'interrupted' }])
  })
})
