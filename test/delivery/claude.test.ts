import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { held } from '../../adapters/claude/composer.js'
import { hugePrompt, promptOf, random } from './claude-prompts.js'
import { ClaudeWorld, imagesIn, saidIn } from './claude-world.js'

/** How many prompts of random shape; the whole matrix has 200. */
const N = Number(process.env.DELIVERY_N ?? 20)
const SEED = Number(process.env.DELIVERY_SEED ?? 1)
/** A prompt takes a second or two. */
const LONG_MS = 120_000 + N * 15_000
vi.setConfig({ testTimeout: 120_000 })

/** As the model is given it: `/` and `!` at the start have a blank before them, so that they are no commands. */
const given = (text: string) => (/^[/!]/u.test(text) ? ' ' : '') + held(text)

let world: ClaudeWorld
const open = () => ClaudeWorld.open(['--allowedTools', 'Bash'])
beforeAll(async () => {
  world = await open()
})
afterAll(async () => {
  await world?.close()
})
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  console.error(world.screen())
  // Whatever it left (a draft, a turn, a dialog) must not hold up the ones behind it.
  await world.close()
  world = await open()
})

describe('claude delivery', () => {
  it(
    `brings ${N} prompts of random shape to the model, byte for byte, once, in order`,
    async () => {
      const next = random(SEED)
      const sent: string[] = []
      const receipts: string[] = []
      const say = async (text: string) => {
        sent.push(text)
        const id = await world.send(text)
        receipts.push(id)
        return id
      }
      const waits = async (id: string) =>
        await world.until(`${id} waits`, () => world.receipt(id).reason?.startsWith('waits') === true)
      const situations = [
        async (text: string) => void (await say(text)),
        async (text: string, n: number) => {
          await say(`MEOW: text begun;; gate g${n};; text over`)
          await world.model.gate(`g${n}`).reached
          await waits(await say(text))
          world.model.gate(`g${n}`).release()
        },
        async (text: string, n: number) => {
          await say(`MEOW: bash echo > on${n}; while [ ! -e go${n} ]; do sleep 0.05; done;; text over`)
          const running = () => world.told('item.started').at(-1)?.kind === 'tool_call'
          await world.until('the tool runs', running)
          await waits(await say(text))
          writeFileSync(join(world.cwd, `go${n}`), '')
        },
        async (text: string, n: number) => {
          await say(`MEOW: write w${n}.txt|x;; text over`)
          const { approvalId } = await world.dialog()
          await waits(await say(text))
          expect(world.session.reading?.().dialog).not.toBeNull()
          await world.session.answer(approvalId, '1', 'test')
        },
        async (text: string) => {
          const size = [80, 100, 120, 160][Math.floor(next() * 4)] ?? 120
          await world.session.resize(size, 24 + Math.floor(next() * 30))
          await say(text)
        },
      ]
      for (let n = 0; n < N; n += 1) {
        const text = n % 50 === 49 ? hugePrompt(n) : promptOf(SEED, n)
        await situations[(n + Math.floor(n / 15)) % situations.length]?.(text, n)
        const ends = await world.settled(receipts)
        expect(ends.map((r) => `${r.messageId} ${r.state} ${r.reason ?? ''}`.trim())).toEqual(
          receipts.map((id) => `${id} completed`),
        )
        await world.idle()
      }
      await world.session.resize(120, 40)
      expect(saidIn(world.turns.at(-1))).toEqual(sent.map(given))
      const items = world
        .told('item.completed')
        .flatMap((e) => (e.item.kind === 'user_message' ? [e.item] : []))
      expect(items.map((i) => i.text.trimStart())).toEqual(sent.map((t) => held(t).trimStart()))
      expect(items.map((i) => i.messageId)).toEqual(receipts)
    },
    LONG_MS,
  )

  it('steers into a running tool, and says when it was taken and when it was told', async () => {
    const carrier = await world.send('MEOW: bash while [ ! -e goS ]; do sleep 0.05; done;; text over')
    await world.until('the tool runs', () => world.told('item.started').at(-1)?.kind === 'tool_call')
    const text = 'go\nleft @nobody'
    const id = await world.send(text, { how: 'steer' })
    await world.until('it is in the program', () => world.receipt(id).state === 'accepted')
    const before = world.turns.length
    writeFileSync(join(world.cwd, 'goS'), '')
    const [first, second] = await world.settled([carrier, id])
    expect([first?.state, second?.state]).toEqual(['completed', 'completed'])
    expect(world.turns.length).toBe(before + 1)
    expect(JSON.stringify(world.turns.at(-1)?.body).split(JSON.stringify(text).slice(1, -1)).length).toBe(2)
    const told = world.told('item.completed').slice(-3)
    expect(told.map((e) => e.item.kind)).toEqual(['tool_call', 'user_message', 'assistant_message'])
    expect(told[1]?.item).toMatchObject({ text, messageId: id })
    await world.idle()
  })

  it('steers while text streams: the next turn has it, and the receipts are of that turn', async () => {
    const carrier = await world.send('MEOW: text begun;; gate gs;; text over')
    await world.model.gate('gs').reached
    const id = await world.send('!steered in mid-stream \\', { how: 'steer' })
    await world.until('it is in the program', () => world.receipt(id).state === 'accepted')
    expect(world.receipt(carrier).state).toBe('started')
    world.model.gate('gs').release()
    const ends = await world.settled([carrier, id])
    expect(ends.map((r) => r.state)).toEqual(['completed', 'completed'])
    // Of a prompt in its queue the program cuts the blank in front.
    expect(saidIn(world.turns.at(-1)).at(-1)).toBe('!steered in mid-stream \\')
    await world.idle()
  })

  it('gives the model the very bytes of images, and keeps the text', async () => {
    const file = join(world.cwd, 'my picture.png')
    writeFileSync(file, picture(255))
    const bytes = picture(7).toString('base64')
    const id = await world.send('what are\nthese\nthree\nlines', {
      images: [{ path: file }, { mime: 'image/png', base64: bytes }],
    })
    const [end] = await world.settled([id])
    expect(end).toMatchObject({ state: 'completed' })
    expect(imagesIn(world.turns.at(-1)).slice(-2)).toEqual([readFileSync(file, 'base64'), bytes])
    expect(saidIn(world.turns.at(-1)).at(-1)).toMatch(
      /^(?:\[Image #\d+\] ?){2}\nwhat are\nthese\nthree\nlines$/u,
    )
    const item = world.told('item.completed').findLast((e) => e.item.kind === 'user_message')?.item
    expect(item).toMatchObject({ text: 'what are\nthese\nthree\nlines', images: 2, messageId: id })
    await world.idle()
  })

  it('answers a permission dialog: yes is done, no is not', async () => {
    const yes = await world.send('MEOW: write yes.txt|hello;; text over')
    const asked = await world.dialog()
    await world.session.answer(asked.approvalId, '1', 'test')
    await world.settled([yes])
    expect(readFileSync(join(world.cwd, 'yes.txt'), 'utf8')).toBe('hello')
    await world.idle()
    const no = await world.send('MEOW: write no.txt|hello;; text over')
    const again = await world.dialog()
    const key = again.options.find((o) => /^No\b/u.test(o.label))?.key ?? ''
    await world.session.answer(again.approvalId, key, 'test')
    await world.settled([no])
    expect(existsSync(join(world.cwd, 'no.txt'))).toBe(false)
    await world.idle()
  })

  it('stops a turn: its connection closed, its processes gone, nothing written afterwards', async () => {
    const id = await world.send('MEOW: bash echo $$ > pid; sleep 30; echo late > late.txt;; text over')
    await world.until('the tool runs', () => world.told('item.started').at(-1)?.kind === 'tool_call')
    await expect.poll(() => existsSync(join(world.cwd, 'pid')), { timeout: 20_000 }).toBe(true)
    const pid = Number(readFileSync(join(world.cwd, 'pid'), 'utf8'))
    expect(await world.session.interrupt()).toMatchObject({ result: 'interrupted' })
    await world.settled([id])
    await expect.poll(() => existsSync(`/proc/${pid}`), { timeout: 10_000 }).toBe(false)
    const stream = await world.send('MEOW: text begun;; gate gi;; text over')
    await world.model.gate('gi').reached
    const streaming = world.turns.at(-1)
    expect(await world.session.interrupt()).toMatchObject({ result: 'interrupted' })
    await world.settled([stream])
    expect(streaming?.response.finished).toBe('client_closed')
    expect(existsSync(join(world.cwd, 'late.txt'))).toBe(false)
    await world.idle()
    expect(world.session.reading?.().composer?.text).toBe('')
  })
})

describe('claude commands', () => {
  const run = (command: string, argument?: string) =>
    world.session.runCommand({ command, ...(argument === undefined ? {} : { argument }) })
  const vendorSession = () => world.session.info().vendorSessionId
  const effortOf = () =>
    (world.turns.at(-1)?.body as { output_config?: { effort?: string } } | undefined)?.output_config?.effort

  it("changes model, effort and mode for this session and leaves the user's settings alone", async () => {
    const before = world.settings
    await run('model', 'sonnet')
    await world.say('with another model')
    expect(world.turns.at(-1)?.model).toMatch(/sonnet/u)
    await run('model', 'claude-opus-4-8')
    await run('effort', 'max')
    await world.say('with more effort')
    expect(world.turns.at(-1)?.model).toMatch(/opus/u)
    expect(effortOf()).toBe('max')
    await expect(run('effort', 'low')).rejects.toMatchObject({ code: 'unsupported' })
    await expect(run('model', 'nosuch')).rejects.toMatchObject({ code: 'invalid_argument' })
    for (const mode of ['plan', 'acceptEdits', 'auto', 'default']) {
      await run('mode', mode)
      expect(world.told('mode').at(-1)?.mode).toBe(mode)
    }
    expect(world.settings).toBe(before)
  })

  it('renames, compacts, forks, goes back and clears, each seen in what the program says', async () => {
    await world.say('something to sum up', 'and more of it')
    const first = vendorSession()
    await run('rename', 'my "own" name')
    expect(world.screen()).toContain('my "own" name')
    await run('compact', 'keep the colours')
    expect(world.told('item.completed').some((e) => e.item.kind === 'compaction')).toBe(true)
    expect(JSON.stringify(world.model.requests.filter((r) => r.kind === 'other').at(-1)?.body)).toContain(
      'keep the colours',
    )
    const items = world.told('item.completed').length
    await run('fork')
    const fork = vendorSession()
    expect(fork).not.toBe(first)
    await world.say('in the fork')
    await run('resume', first ?? '')
    expect(vendorSession()).toBe(first)
    await world.say('back again')
    await run('clear')
    expect(vendorSession()).not.toBe(first)
    await world.say('from the start')
    expect(saidIn(world.turns.at(-1)).at(-1)).toBe('from the start')
    // What a fork copies was told already.
    const told = world.told('item.completed').slice(items)
    const prompts = told.flatMap((e) => (e.item.kind === 'user_message' ? [e.item.text] : []))
    expect(prompts).toEqual(['in the fork', 'back again', 'from the start'])
  })

  it("runs the program's own command only as it is written, and what it opens is a dialog", async () => {
    await expect(run('slash', '/mod')).rejects.toMatchObject({ code: 'invalid_argument' })
    expect(world.session.reading?.().composer?.text).toBe('')
    const id = await world.send('waits for the dialog')
    await world.settled([id])
    await world.idle()
    await run('slash', '/model')
    const { options } = await world.dialog()
    expect(options.length).toBeGreaterThan(2)
    const waiting = await world.send('not into the dialog')
    await world.until('it waits', () => world.receipt(waiting).reason?.startsWith('waits') === true)
    await world.session.keys(['Escape'])
    await world.settled([waiting])
    await world.idle()
  })

  it('ends the program', async () => {
    expect(await run('exit')).toMatchObject({ evidence: [expect.stringMatching(/ended/u)] })
    await world.session.ended
  })
})

/** A PNG of one colour. */
function picture(red: number): Buffer {
  const rows = Buffer.concat(
    Array.from({ length: 8 }, () => Buffer.from([0, ...Array(8).fill([red, 9, 99]).flat()])),
  )
  const head = Buffer.alloc(13)
  head.writeUInt32BE(8, 0)
  head.writeUInt32BE(8, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const out = Buffer.alloc(body.length + 8)
    out.writeUInt32BE(data.length, 0)
    body.copy(out, 4)
    out.writeUInt32BE(crc(body), body.length + 4)
    return out
  }
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    magic,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function crc(bytes: Buffer): number {
  let c = ~0
  for (const byte of bytes) {
    c ^= byte
    for (let k = 0; k < 8; k += 1) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1
  }
  return ~c >>> 0
}
