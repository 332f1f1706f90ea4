import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { PiApi, PiContext } from '../../adapters/pi/extension-api.js'
import { call } from '../../adapters/pi/extension-calls.js'
import { Facts } from '../../adapters/pi/extension-facts.js'
import { adapter } from '../../adapters/pi/index.js'
import { PiMapper } from '../../adapters/pi/mapper.js'
import type { PiFact } from '../../adapters/pi/wire.js'
import type { Dialog, Observation, Reading, Step } from '../../src/adapter/index.js'

/** As much of Pi as the extension's calls touch: an editor, a queue, and what was sent. */
class FakePi {
  editor = ''
  idle = true
  queue: { text: string; mode: 'steer' | 'followUp' }[] = []
  readonly sent: unknown[] = []
  readonly out: Observation[] = []
  readonly facts: Facts
  private readonly mapper = new PiMapper()
  private n = 0
  readonly ctx: PiContext = {
    model: { id: 'm1', provider: 'mock' },
    sessionManager: { getSessionId: () => 'sid', getSessionFile: () => '/s/one.jsonl' },
    ui: {
      getEditorText: () => this.editor,
      setEditorText: (text) => {
        this.editor = text
      },
    },
    isIdle: () => this.idle,
    hasPendingMessages: () => this.queue.length > 0,
    // As Pi does it: what waits goes into the editor, before what stands there.
    abort: () => {
      const of = (mode: string) => this.queue.filter((q) => q.mode === mode).map((q) => q.text)
      const queued = [...of('steer'), ...of('followUp')].join('\n\n')
      if (this.queue.length > 0)
        this.editor = [queued, this.editor].filter((t) => t.trim() !== '').join('\n\n')
      this.queue = []
    },
  }
  private readonly api = {
    sendUserMessage: (
      content: string | { text?: string }[],
      options?: { deliverAs?: 'steer' | 'followUp' },
    ) => {
      this.sent.push(content)
      const text = typeof content === 'string' ? content : (content[0]?.text ?? '')
      this.input(text, 'extension', options?.deliverAs ?? 'followUp')
    },
  } as unknown as PiApi
  private readonly host

  constructor() {
    this.facts = new Facts((fact: PiFact) => {
      this.n += 1
      this.out.push(...this.mapper.map({ n: this.n, ...fact }, 'pi'))
    })
    this.host = { facts: this.facts, now: { pi: this.api, ctx: this.ctx } }
  }

  input(text: string, source: string, mode: 'steer' | 'followUp'): void {
    if (!this.idle) this.queue.push({ text, mode })
    this.facts.input(this.idle ? { text, source } : { text, source, streamingBehavior: mode })
    if (!this.idle) return
    this.idle = false
    this.facts.beforeRun({ messageType: 'user', prompt: text })
    this.facts.agentStart()
  }

  /** Pi takes the next of its queue, or the run's own prompt, before the model. */
  user(text: string): void {
    this.queue = this.queue.filter((q) => q.text !== text)
    this.facts.messageEnd({ message: { role: 'user', content: [{ type: 'text', text }] } })
  }

  settle(aborted = false): void {
    this.idle = true
    this.facts.agentSettled({ aborted }, this.ctx)
  }

  send(messageId: string, text: string, more: object = {}): Promise<unknown> {
    return call(this.host, 'send', { messageId, text, ...more })
  }

  abort(): Promise<unknown> {
    return call(this.host, 'abort', {})
  }

  of<T extends Observation['type']>(type: T) {
    return this.out.filter((o): o is Extract<Observation, { type: T }> => o.type === type)
  }
}

describe('pi prompts', () => {
  let folder = ''
  afterEach(() => {
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  it('hands a prompt over once for its id, and tells again what became of it', async () => {
    const pi = new FakePi()
    expect(await pi.send('a', 'hi')).toEqual({ known: false })
    expect(await pi.send('a', 'hi')).toEqual({ known: true, stage: 'accepted' })
    pi.user('hi')
    expect(await pi.send('a', 'hi')).toEqual({ known: true, stage: 'begun' })
    expect(pi.sent).toEqual(['hi'])
    const accepted = pi.of('prompt.accepted')
    expect(accepted).toHaveLength(3)
    expect(new Set(accepted.map((o) => JSON.stringify(o))).size).toBe(1)
    expect(accepted[0]).toMatchObject({ text: 'hi', messageId: 'a' })
    expect(pi.of('user.message')).toMatchObject([{ text: 'hi', messageId: 'a' }])
  })

  it('knows two prompts of the same text, and a person’s of the same text, apart', async () => {
    const pi = new FakePi()
    await pi.send('a', 'same')
    pi.user('same')
    pi.input('same', 'interactive', 'steer')
    await pi.send('b', 'same', { deliverAs: 'followUp' })
    pi.user('same')
    pi.user('same')
    expect(pi.of('user.message').map((o) => (o as { messageId?: string }).messageId)).toEqual([
      'a',
      undefined,
      'b',
    ])
  })

  it('says that Pi has one in its own queue, and again', async () => {
    const pi = new FakePi()
    await pi.send('a', 'first')
    await pi.send('b', 'aside', { deliverAs: 'steer' })
    await pi.send('b', 'aside', { deliverAs: 'steer' })
    expect(pi.of('prompt.accepted').slice(1)).toMatchObject([
      { text: 'aside', messageId: 'b', queued: true },
      { text: 'aside', messageId: 'b', queued: true },
    ])
    expect(pi.sent).toHaveLength(2)
  })

  it('forgets a prompt that was refused, so that it can be sent again', async () => {
    const pi = new FakePi()
    await expect(pi.send('a', 'look', { images: ['/none.png'] })).rejects.toThrow(/none.png/)
    expect(pi.sent).toEqual([])
    expect(await pi.send('a', 'look')).toEqual({ known: false })
  })

  it('takes none while a person compacts, and says where Pi stands', async () => {
    const pi = new FakePi()
    pi.idle = false
    pi.facts.beforeCompact({ reason: 'manual' }, pi.ctx)
    await expect(pi.send('a', 'hi')).rejects.toThrow(/compacts/)
    pi.idle = true
    pi.facts.compacted(pi.ctx)
    await pi.send('a', 'hi')
    expect(pi.of('state').map((o) => o.state)).toEqual(['running', 'idle', 'running'])
  })

  it('sends the bytes of images, and keeps what Pi says of them out of the prompt', async () => {
    folder = mkdtempSync(join(tmpdir(), 'pi-'))
    const path = join(folder, 'a.png')
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4, 5, 6, 7, 8])
    writeFileSync(path, png)
    const pi = new FakePi()
    await pi.send('a', 'look', { images: [path] })
    expect(pi.sent).toEqual([
      [
        { type: 'text', text: 'look' },
        { type: 'image', data: png.toString('base64'), mimeType: 'image/png' },
      ],
    ])
    pi.user('look\n\n[Image omitted]')
    expect(pi.of('user.message')).toMatchObject([{ text: 'look', messageId: 'a' }])
    expect(pi.of('notice')).toMatchObject([{ text: '[Image omitted]' }])
    writeFileSync(path, 'no image')
    await expect(pi.send('b', 'look', { images: [path] })).rejects.toThrow(/is no PNG/)
  })

  it.each([
    ['nothing else', '', [], ''],
    ['a draft', 'my draft', [], 'my draft'],
    ['a draft and what a person queued', 'my draft', ['person'], 'person\n\nmy draft'],
  ])('takes its own out of the editor after an abort beside %s', async (_name, draft, typed, left) => {
    const pi = new FakePi()
    await pi.send('a', 'first')
    pi.user('first')
    await pi.send('b', 'aside', { deliverAs: 'steer' })
    for (const text of typed) pi.input(text, 'interactive', 'steer')
    await pi.send('c', 'later')
    pi.editor = draft
    expect(await pi.abort()).toMatchObject({ returned: 2, cleared: true })
    expect(pi.editor).toBe(left)
    expect(pi.of('prompt.returned')).toMatchObject([
      { text: 'aside', messageId: 'b' },
      { text: 'later', messageId: 'c' },
    ])
    pi.settle(true)
    expect(pi.of('prompt.returned')).toHaveLength(2)
    await expect(pi.send('b', 'aside')).rejects.toThrow(/gave it back/)
    expect(pi.sent).toHaveLength(3)
  })

  it('leaves an editor alone that holds anything else than what Pi made of it', async () => {
    const pi = new FakePi()
    await pi.send('a', 'first')
    await pi.send('b', 'aside', { deliverAs: 'steer' })
    const { abort } = pi.ctx
    pi.ctx.abort = () => {
      abort()
      pi.editor += ' and more'
    }
    expect(await pi.abort()).toMatchObject({ returned: 1, cleared: false })
    expect(pi.editor).toBe('aside and more')
    expect(pi.of('notice')).toMatchObject([{ text: expect.stringMatching(/stands in the editor/) }])
  })

  it('tells of what a person’s own Escape threw out, and leaves the editor to them', async () => {
    const pi = new FakePi()
    await pi.send('a', 'first')
    pi.user('first')
    await pi.send('b', 'aside', { deliverAs: 'steer' })
    pi.ctx.abort()
    pi.settle(true)
    expect(pi.editor).toBe('aside')
    expect(pi.of('prompt.returned')).toMatchObject([{ messageId: 'b' }])
  })

  it('tells of a prompt whose run was stopped before it began', async () => {
    const pi = new FakePi()
    await pi.send('a', 'first')
    pi.settle(true)
    expect(pi.of('prompt.returned')).toMatchObject([{ messageId: 'a' }])
  })
})

describe('pi scripts', () => {
  const see = (steps: readonly Step[]) => {
    const step = steps.find((s) => s.do === 'see')
    if (step?.do !== 'see') throw new Error('the script sees nothing')
    return step.condition
  }

  it('is told of a prompt by its id where the source knows it, else by the very text', () => {
    const { holds } = see(adapter.deliver({ messageId: 'a', text: 'hi', images: [] }))
    const seen = (more: object) =>
      holds({
        reading: null,
        observations: [{ source: 'hook', type: 'prompt.accepted', text: 'hi', ...more }],
      })
    expect(seen({})).toBe(true)
    expect(seen({ messageId: 'a' })).toBe(true)
    expect(seen({ messageId: 'b' })).toBe(false)
    expect(seen({ text: 'hi ' })).toBe(false)
  })

  const dialog = (selected: number): Dialog => ({
    kind: 'question',
    title: 'Pick',
    options: ['one', 'two', 'three'].map((label, i) => ({
      key: String(i + 1),
      label,
      selected: i === selected,
    })),
    fingerprint: 'f',
  })
  const keys = (steps: readonly Step[]) => steps.flatMap((s) => (s.do === 'keys' ? s.keys : []))
  const reading = (d: Dialog | null): Reading => ({
    ...{ state: 'blocked', rule: 'r', evidence: [], composer: null },
    dialog: d,
  })

  it('answers a dialog with as many arrows as it takes, and Enter only at the option', () => {
    const script = (selected: number, key: string) => adapter.answer?.(dialog(selected), key) ?? []
    expect(keys(script(0, '3'))).toEqual(['Down', 'Down', 'Enter'])
    expect(keys(script(2, '2'))).toEqual(['Up', 'Enter'])
    expect(keys(script(1, '2'))).toEqual(['Enter'])
    expect(() => script(0, '4')).toThrow(/no option 4/)
    const before = see(script(0, '3'))
    expect(before.holds({ reading: reading(dialog(1)), observations: [] })).toBe(false)
    expect(before.holds({ reading: reading(dialog(2)), observations: [] })).toBe(true)
    expect(before.holds({ reading: reading(null), observations: [] })).toBe(false)
  })

  it('waits for a dialog that does not fit on the screen', () => {
    const cut = (evidence: string[]): Reading => ({ ...reading(null), state: 'unknown', evidence })
    const admits = (evidence: string[]) => adapter.admits(cut(evidence)).ok
    expect(admits(['→ ✓ mock-model [mock] · default', '    mock-two [mock]'])).toBe(false)
    expect(admits(['  Enter to select · Ctrl+S to set as default ·'])).toBe(false)
    expect(admits([' some words', ' an arrow → in them'])).toBe(true)
  })

  it('knows its commands, and refuses arguments that cannot be', () => {
    const command = (name: string) => adapter.commands?.find((c) => c.name === name)
    expect(adapter.commands?.map((c) => c.name)).toEqual([
      ...['clear', 'compact', 'model', 'effort', 'rename', 'fork', 'resume', 'exit', 'slash'],
    ])
    expect(() => command('effort')?.steps('huge')).toThrow(/no thinking level huge/)
    expect(() => command('slash')?.steps('/')).toThrow(/command line/)
    expect(command('slash')?.steps('/hotkeys')).toContainEqual({ do: 'paste', text: '/hotkeys' })
    // Without its slash it would be a prompt.
    expect(() => command('slash')?.steps('hotkeys')).toThrow(/begin with \//)
  })
})
