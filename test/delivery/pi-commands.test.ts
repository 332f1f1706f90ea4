import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adapter } from '../../adapters/pi/index.js'
import { processesUnder } from '../support/processes.js'
import { PiStage } from './pi-stage.js'
import { userTexts } from './pi-user-texts.js'

/** A person's extension with a command and a gate before `bash`. */
const EXTENSION = `export default function (pi) {
  pi.on('tool_call', async (event, ctx) => {
    if (event.toolName !== 'bash' || !String(event.input.command).includes('ask-first')) return undefined
    const choice = await ctx.ui.select('Run it?', ['Yes', 'No', 'Never'])
    return choice === 'Yes' ? undefined : { block: true, reason: 'the person said ' + choice }
  })
}
`

let pi: PiStage
beforeAll(async () => {
  pi = await PiStage.open({ extension: EXTENSION, settings: { compaction: { keepRecentTokens: 10 } } })
}, 120_000)
afterAll(() => pi?.close())

const drafted = async (text: string) => {
  await pi.terminal.type(text)
  await pi.until('the draft stands', () => pi.reading?.composer?.text === text)
}
const undraft = async () => {
  // A second Ctrl-C soon after a first one ends Pi.
  await pi.terminal.keys(['C-u'])
  await pi.until('the editor is empty', () => pi.reading?.composer?.text === '')
}
const answers = (text = 'ok') => pi.server.script([{ reply: text, times: 0 }])
const session = () => pi.of('vendor.session').at(-1)?.vendorSessionId

describe('commands of pi, the real program', () => {
  it('changes the model, and says which there are', async () => {
    await pi.command('model', 'mock/mock-two')
    answers()
    await pi.turn('with the other')
    expect(pi.server.requests.at(-1)?.model).toBe('mock-two')
    await pi.command('model', 'mock-model')
    await pi.command('model', 'mock-model')
    await expect(pi.command('model', 'mock/none')).rejects.toThrow(/it has: mock\/mock-model, mock\/mock-two/)
  })

  it('changes the thinking level, the same one twice', async () => {
    await pi.command('effort', 'high')
    await pi.until('the footer has it', () => pi.text().includes('mock-model • high'))
    await pi.command('effort', 'high')
    await pi.command('effort', 'medium')
  })

  it('names the session', async () => {
    await pi.command('rename', 'a good name')
    await pi.until('the footer has it', () => pi.text().includes('a good name'))
  })

  it('compacts, and says why it cannot', async () => {
    pi.server.script([{ reply: 'word '.repeat(400), times: 0 }])
    await pi.turn('much')
    await pi.turn('more')
    const { observations } = await pi.command('compact', 'keep the words')
    expect(observations).toContainEqual(expect.objectContaining({ type: 'item', kind: 'compaction' }))
    expect(JSON.stringify(pi.server.requests.at(-1)?.body)).toContain('keep the words')
    await pi.until('Pi is free', () => pi.of('state').at(-1)?.state === 'idle')
    await expect(pi.command('compact')).rejects.toThrow(/compact/i)
    await pi.until('Pi is free', () => pi.of('state').at(-1)?.state === 'idle')
    await pi.turn('after it')
  })

  it('forks, clears and resumes, and a draft stays', async () => {
    answers()
    const first = session()
    await drafted('my draft')
    await pi.command('fork')
    const second = session()
    expect(second).not.toBe(first)
    expect(await pi.editor()).toBe('my draft')
    await pi.turn('in the fork')
    expect(userTexts(pi.server.requests.at(-1))).toContain('after it')
    await pi.command('clear')
    expect(new Set([first, second, session()]).size).toBe(3)
    expect(await pi.editor()).toBe('my draft')
    await pi.turn('in the new one')
    expect(userTexts(pi.server.requests.at(-1))).toEqual(['in the new one'])
    await pi.command('resume', second)
    expect(session()).toBe(second)
    expect(await pi.editor()).toBe('my draft')
    await pi.turn('back again')
    expect(userTexts(pi.server.requests.at(-1)).slice(-2)).toEqual(['in the fork', 'back again'])
    await undraft()
    await expect(pi.command('resume', 'abcdef')).rejects.toThrow(/no session abcdef/)
    await expect(pi.command('resume', join(pi.root, 'extra.ts'))).rejects.toThrow(/is no session/)
  })

  it('stops a compaction', async () => {
    pi.server.script([{ reply: 'word '.repeat(400), times: 0 }])
    await pi.turn('much again')
    pi.server.script([{ steps: 'text Sum ;; gate sum' }])
    const running = expect(pi.command('compact')).rejects.toThrow(/cancel|abort/i)
    await pi.until('Pi compacts', () => pi.of('state').at(-1)?.state === 'running')
    await pi.run(adapter.interrupt({ prompt: null }))
    await running
    answers()
    await pi.turn('after the stop')
  })

  it('types a command of Pi’s own, but not onto a draft', async () => {
    await pi.command('slash', '/hotkeys')
    await pi.until('it ran', () => pi.text().includes('Keyboard') || pi.text().includes('Ctrl'))
    await drafted('words')
    await expect(pi.command('slash', '/hotkeys')).rejects.toMatchObject({ code: 'draft_present' })
    expect(await pi.editor()).toBe('words')
    await undraft()
  })

  it('opens a dialog and answers it', async () => {
    await pi.command('slash', '/model')
    await pi.until('the list is there', () => pi.reading?.dialog)
    expect(adapter.admits(pi.reading)).toMatchObject({ ok: false })
    const dialog = pi.reading?.dialog
    const other = dialog?.options.find((o) => o.label.includes('mock-two'))
    if (!dialog || !other) throw new Error(`no such option: ${JSON.stringify(dialog)}`)
    await pi.run(adapter.answer?.(dialog, other.key) ?? [])
    await pi.until('the model is another', () => pi.of('model').at(-1)?.model === 'mock/mock-two')
    await pi.until('the editor is back', () => pi.reading?.composer?.text === '')
  })

  it.each([
    ['No', 'denied'],
    ['Yes', 'completed'],
  ])('answers an extension’s question with %s', async (label, status) => {
    pi.server.script([{ steps: 'bash echo ask-first;; text Done.' }])
    const ended = pi.of('turn.ended').length
    await pi.send('ask')
    await pi.until('the question is there', () => pi.reading?.dialog)
    const dialog = pi.reading?.dialog
    const option = dialog?.options.find((o) => o.label === label)
    if (!dialog || !option) throw new Error(`no such option: ${JSON.stringify(dialog)}`)
    await pi.run(adapter.answer?.(dialog, option.key) ?? [])
    await pi.until('the turn ends', () => pi.of('turn.ended').length > ended)
    expect(pi.of('tool.completed').at(-1)?.status).toBe(status)
  })

  it('stops a turn with its processes, and no file is written afterwards', async () => {
    const file = join(pi.work, 'late')
    pi.server.script([{ steps: `bash echo on; sleep 3 && echo late > ${file};; text Done.` }])
    await pi.send('run and stop')
    await pi.until('the tool runs', () => pi.of('tool.output').at(-1)?.text.startsWith('on'))
    expect(processesUnder(pi.terminal.pid).some((p) => p.command.includes('sleep 3'))).toBe(true)
    const { observations } = await pi.run(adapter.interrupt({ prompt: null }))
    expect(observations).toContainEqual(
      expect.objectContaining({ type: 'turn.ended', outcome: 'interrupted' }),
    )
    await expect
      .poll(() => processesUnder(pi.terminal.pid).filter((p) => p.command.includes('sleep 3')), {
        timeout: 10_000,
      })
      .toEqual([])
    expect(existsSync(file)).toBe(false)
  })

  it('ends Pi', async () => {
    const exit = new Promise<{ code: number | null }>((done) => void pi.terminal.onExit(done))
    await pi.command('exit')
    expect((await exit).code).toBe(0)
    expect(readFileSync(join(pi.root, 'record'), 'utf8').length).toBeGreaterThan(0)
  })
})

describe('the trust dialog of pi, the real program', () => {
  let asked: PiStage
  afterAll(() => asked?.close())

  it('is answered before Pi takes prompts', async () => {
    const files = { '.pi/settings.json': '{}' }
    asked = await PiStage.open({ files, settings: { defaultProjectTrust: 'ask' } })
    const dialog = asked.reading?.dialog
    expect(dialog?.kind).toBe('trust')
    expect(asked.of('ready')).toEqual([])
    const no = dialog?.options.find((o) => !o.selected)
    if (!dialog || !no) throw new Error(`no such option: ${JSON.stringify(dialog)}`)
    await asked.run(adapter.answer?.(dialog, no.key) ?? [])
    await asked.until('Pi takes prompts', () => asked.of('ready').length > 0)
    asked.server.script([{ reply: 'ok', times: 0 }])
    await asked.turn('after the question')
    expect(userTexts(asked.server.requests.at(-1))).toEqual(['after the question'])
  })
})
