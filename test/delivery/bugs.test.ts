/** @module test/delivery/bugs - public bug reports about typing into agents' programs; each one is a fault of the test TUI. */
import { afterEach, describe, expect, it } from 'vitest'
import { World } from './tui/world.js'

let world: World
afterEach(async () => {
  await world?.close()
})
const LONG = Array.from({ length: 60 }, (_, n) => `line ${n} of a long prompt`).join('\n')
const delivered = async (text: string) => {
  await world.send('a', text)
  const [a] = await world.settled('a')
  expect(a?.state).toBe('completed')
  expect(world.received('prompt')).toEqual([text])
}
const asked = () => world.told('approval.requested')

describe('A: prompts that are typed in', () => {
  it('openai/codex#28167, dustinkirkland/byobu#115: Enter soon after a paste is a newline', async () => {
    world = await World.start({ burstMs: 120 })
    await delivered(LONG)
  })

  it('shuntaka9576/agentoast#311: every third Enter is absorbed', async () => {
    world = await World.start({ swallowEnters: 1 })
    await delivered('one line')
  })

  it('benfriebe/nex#98: a newline at the end of the text is not part of the paste', async () => {
    world = await World.start({ collapseFrom: 10 })
    await world.send('a', 'two lines\nand no third\n')
    await world.settled('a')
    expect(world.received('prompt')).toEqual(['two lines\nand no third'])
  })

  it('vanillagreencom/kendex#858: a collapsed paste hides the text', async () => {
    world = await World.start({ collapseFrom: 100 })
    await delivered(LONG)
  })

  it('agent-deck#1855: an old paste mark confirms nothing', async () => {
    world = await World.start({ staleMark: true, collapseFrom: 100, losePastes: 1 })
    await world.send('a', LONG)
    const [a] = await world.settled('a')
    expect(a?.state).toBe('failed')
    expect(world.received('prompt')).toEqual([])
  })

  it('ybz21/Roami#62: many lines are one message', async () => {
    world = await World.start()
    await delivered('first\nsecond\n\nfourth')
  })

  it('can1357/oh-my-pi#5841: one paste is one message, also into a running turn', async () => {
    world = await World.start({ midTurn: 'steer', turnMs: 10_000 })
    await world.send('a', 'begin')
    await world.until(() => world.session.info().state === 'running', 'the turn')
    await world.send('b', 'first\nsecond\nthird', { how: 'steer' })
    await world.settled('b')
    expect(world.received('queued')).toEqual(['first\nsecond\nthird'])
  })

  it('ybz21/Roami#62: without bracketed paste nothing is typed that would be sent in pieces', async () => {
    world = await World.start({ bracketed: false, canonical: true })
    await world.send('a', 'first\nsecond')
    await world.pass(5000)
    expect(world.log).toEqual([])
    expect(world.receipt('a').state).toBe('queued')
  })

  it('omnigent#4847: an unconfirmed paste is told, and nothing stays latched as running', async () => {
    world = await World.start({ losePastes: 1 })
    await world.send('a', 'gone')
    const [a] = await world.settled('a')
    expect(a?.state).toBe('failed')
    expect(world.session.info().state).toBe('idle')
    await world.send('b', 'here')
    await world.settled('b')
    expect(world.received('prompt')).toEqual(['here'])
  })

  it('omnigent#2060: the first prompt is not lost in a restart of the program in its place', async () => {
    world = await World.start({ restartAtMs: 60, bootMs: 30, echoMs: 40 })
    await world.send('a', 'hello')
    const [a] = await world.settled('a')
    const times = world.received('prompt').filter((t) => t === 'hello').length
    expect(a?.state === 'completed' ? times === 1 : a?.undecided ? times <= 1 : times === 0).toBe(true)
    await world.send('b', 'again')
    await world.settled('b')
    expect(world.received('prompt').at(-1)).toBe('again')
  })

  it('omnigent#1244: an interrupted prompt that is put back is not glued to the next', async () => {
    world = await World.start({ restorePrompt: true, turnMs: 60_000 })
    await world.send('a', 'stop me')
    await world.until(() => world.session.info().state === 'running', 'the turn')
    await world.send('b', 'instead', { how: 'interrupt' })
    await world.settled('b')
    expect(world.received('prompt')).toEqual(['stop me', 'instead'])
  })

  it("agent-deck#1409: nothing is merged into a person's half-typed draft", async () => {
    world = await World.start()
    await world.person('half a sent')
    await world.pass(100)
    await world.send('a', 'automatic')
    await world.pass(10_000)
    expect(world.tui.draft).toBe('half a sent')
    expect(world.log).toEqual([])
  })

  it('agent-deck#1793, #1831: never "sent" while a tty cuts lines at 4095 bytes', async () => {
    world = await World.start({ canonical: true })
    await world.send('a', 'y'.repeat(9000))
    await world.pass(60_000)
    expect(world.states('a')).toEqual(['queued'])
    expect(world.log).toEqual([])
  })

  it('agent-deck#1724: a short first line does not hide that the rest is unsent', async () => {
    world = await World.start({ swallowEnters: 9 })
    await world.send('a', `a\n${'rest of it '.repeat(30)}`)
    const [a] = await world.settled('a')
    expect(a?.state).toBe('failed')
    expect(a?.undecided).toBeUndefined()
    expect(world.tui.draft).toBe('')
  })

  it('coder/agentapi#123: a program that does not show the paste fails with words', async () => {
    world = await World.start({ noEcho: true })
    await world.send('a', 'unseen')
    const [a] = await world.settled('a')
    expect(a).toMatchObject({ state: 'failed', reason: expect.stringContaining('did not see') })
    expect(world.log).toEqual([])
  })

  it('coder/agentapi#208: the ESC of a paste cancels no menu', async () => {
    world = await World.start({ dialogIsMenu: true })
    world.tui.ask('Which one?', ['Red', 'Blue'])
    await world.until(() => asked().length === 1, 'the menu')
    await world.send('a', 'text')
    await world.pass(5000)
    expect(world.log).toEqual([])
    await world.outcome(world.session.answer(asked()[0]?.approvalId ?? '', '2', 'ada'))
    await world.settled('a')
    expect(world.received('answer')).toEqual(['Which one? (1): Blue'])
  })

  it('coder/agentapi#11: no Enter is pressed again once the text is gone from the box', async () => {
    world = await World.start({ erasePrompts: 1 })
    await world.send('a', 'once')
    await world.pass(20_000)
    world.tui.ask('Delete all?', ['Yes', 'No'])
    await world.pass(30_000)
    expect(world.received('answer')).toEqual([])
  })

  it('oh-my-codex#107, #647: Enter needs to be pressed three times', async () => {
    world = await World.start({ swallowEnters: 2 })
    await delivered('knock knock')
  })

  it('dliedke/ClaudeCodeExtension#81: one long text is one paste, with one mark', async () => {
    world = await World.start({ collapseFrom: 50, swallowEnters: 1 })
    await world.send('a', LONG)
    await world.until(() => world.receipt('a').state === 'typed', 'its mark')
    await world.pass(300)
    expect(world.session.reading?.().composer?.text).toBe('[Pasted text #1 +59 lines]')
    await world.settled('a')
    expect(world.received('prompt')).toEqual([LONG])
  })

  it('oh-my-claudecode#1000: nothing is typed before the program has loaded', async () => {
    world = await World.start({ bootMs: 20_000 })
    expect(world.log).toEqual([])
    await delivered('after the boot')
  })

  it('omnigent#3011, #4562: a boot of 38 seconds is no error', async () => {
    world = await World.start({ bootMs: 38_000 })
    await delivered('patience')
  })

  it('herdr#2410, #2537: a trust question is not readiness', async () => {
    world = await World.start({
      dialogs: [{ on: 'boot', nth: 1, title: 'Trust it?', options: ['Yes', 'No'] }],
    })
    await world.send('a', 'hello')
    await world.pass(20_000)
    expect(world.session.info().state).toBe('blocked')
    expect(world.log).toEqual([])
  })

  it('herdr#2690: a prompt whose work shows after eight seconds is not reported as stalled', async () => {
    world = await World.start({ swallowEnters: 2, echoMs: 1200 })
    await delivered('slow')
  })

  it('omnigent#1530, nikrich/hungry-ghost-hive#147: a carriage return in the text does not send its lines one by one', async () => {
    world = await World.start()
    await world.send('a', 'first\r\nsecond\rthird')
    await world.settled('a')
    expect(world.received('prompt')).toEqual(['first\nsecond\nthird'])
    expect(world.terminal.sent.filter((s) => s.bytes.includes('\r')).map((s) => s.bytes)).toEqual(['\r'])
  })

  it('shuntaka9576/agentoast#312, anthropics/claude-code#31739: text goes as a paste, also after Esc Esc on lines of a person', async () => {
    world = await World.start({ turnMs: 1000 })
    await world.person('one\x1b\rtwo')
    await world.person('\x1b\x1b')
    await world.pass(200)
    await world.person('\x15')
    await world.send('a', 'x')
    await world.send('b', 'several\nlines')
    await world.settled('a', 'b')
    expect(world.received('prompt')).toEqual(['x', 'several\nlines'])
    const texts = world.terminal.sent.filter((s) => s.by === 'bridge' && s.bytes !== '\r')
    for (const { bytes } of texts) expect(bytes).toMatch(/^\x1b\[200~[^\x1b]*\x1b\[201~$/u)
    expect(texts).toHaveLength(2)
  })

  it("oh-my-codex#2265: no text goes into another session's terminal, whichever of the two ends", async () => {
    const first = await World.start({ turnMs: 500 })
    world = first
    const second = await World.start({ turnMs: 500 }, { beside: first })
    await Promise.all([first.send('a', 'for the first'), second.send('a', 'for the second')])
    await first.send('b', 'second of the first')
    await second.settled('a')
    first.terminal.crash()
    await first.outcome(first.session.ended ?? Promise.resolve())
    const late = await first.outcome(first.send('c', 'too late'))
    expect(late).toHaveProperty('error')
    await second.send('b', 'second of the second')
    await second.settled('b')
    expect(second.received('prompt')).toEqual(['for the second', 'second of the second'])
    expect(first.received('prompt')[0]).toBe('for the first')
    expect(second.terminal.sent.some((s) => s.bytes.includes('of the first'))).toBe(false)
    await second.close()
  })
})

describe('B: slash commands and popups', () => {
  it('NousResearch/hermes-agent#23919, #50639: Enter does not take a completion instead of the text', async () => {
    world = await World.start()
    await delivered('look at @src')
  })

  it('YoanWai/agent-manager#483, Soul-Brews-Studio#425: a command with its argument is run as it is', async () => {
    world = await World.start()
    await world.outcome(world.session.runCommand({ command: 'slash', argument: '/model two' }))
    expect(world.received('command')).toEqual(['/model two'])
  })

  it('omnigent#3319: a modal that a command opens is a card, and swallows nothing', async () => {
    world = await World.start()
    await world.outcome(world.session.runCommand({ command: 'slash', argument: '/help' }))
    await world.send('a', '1')
    await world.pass(5000)
    expect(asked()).toMatchObject([{ title: 'Help (1)' }])
    expect(world.received('answer')).toEqual([])
  })

  it('agent-deck#966: text that begins with a slash is never a command by itself', async () => {
    world = await World.start()
    await delivered('/unknown thing')
    expect(world.received('command')).toEqual([])
  })

  it('siteboon/claudecodeui#547: a prompt "/exit" does not end the program', async () => {
    world = await World.start()
    await delivered('/exit')
    expect(world.terminal.ended).toBe(false)
  })

  it('omnigent#4250: a command whose confirmation comes late is done only when its effect is seen', async () => {
    world = await World.start({ confirmMs: 1900 })
    const done = await world.outcome(world.session.runCommand({ command: 'model', argument: 'two' }))
    expect(done).toMatchObject({ value: { evidence: expect.arrayContaining(['the model is two']) } })
  })
})

describe('D: approvals', () => {
  it('herdr#2788: a prompt to a blocked program does not grant "1. Yes"', async () => {
    world = await World.start()
    world.tui.ask('Run rm -rf?', ['Yes', 'No'])
    await world.pass(200)
    await world.send('a', 'yes please')
    await world.pass(60_000)
    expect(world.log).toEqual([])
    expect(world.tui.asking).toBe(true)
    expect(world.receipt('a').state).toBe('queued')
  })

  it('herdr#2788: nor when the dialog comes up as the prompt is sent', async () => {
    let seen = 0
    for (let after = 1; after < 60; after += 4) {
      world = await World.start({ echoMs: 30 }, { latency: () => 2 })
      await world.send('a', 'yes please')
      await world.pass(after)
      world.tui.ask('Run rm -rf?', ['Yes', 'No'])
      await world.pass(20_000)
      const [opened = 0] = world.tui.askedAt
      const enters = world.terminal.sent.filter((s) => s.bytes === '\r' && s.at > opened)
      // An Enter that was on its way already cannot be taken back.
      if (enters.every((s) => s.at > opened + 2)) {
        seen += 1
        expect(world.received('answer')).toEqual([])
      }
      if (after < 57) await world.close()
    }
    expect(seen).toBeGreaterThan(5)
  })

  it('omnara#225, #183: an answer is a key, and never arrives as text', async () => {
    world = await World.start()
    world.tui.ask('Run it?', ['Yes', 'No'])
    await world.until(() => asked().length === 1, 'the dialog')
    await world.outcome(world.session.answer(asked()[0]?.approvalId ?? '', '1', 'ada'))
    await world.pass(2000)
    expect(world.log.map((e) => e.kind)).toEqual(['answer'])
    expect(world.tui.draft).toBe('')
  })

  it('omnigent#4076: an answered question does not wedge the prompts after it', async () => {
    world = await World.start()
    world.tui.ask('Which?', ['This', 'That'])
    await world.until(() => asked().length === 1, 'the question')
    await world.send('a', 'then')
    await world.person('2')
    await world.settled('a')
    expect(world.received('prompt')).toEqual(['then'])
  })

  it('omnigent#1094: an answer to one dialog does not clear another that reads alike', async () => {
    world = await World.start()
    world.tui.ask('Run ls?', ['Yes', 'No'])
    await world.until(() => asked().length === 1, 'the first')
    await world.outcome(world.session.answer(asked()[0]?.approvalId ?? '', '1', 'ada'))
    world.tui.ask('Run ls?', ['Yes', 'No'])
    await world.until(() => asked().length === 2, 'the second')
    expect(world.told('approval.resolved')).toHaveLength(1)
    const again = await world.outcome(world.session.answer(asked()[0]?.approvalId ?? '', '1', 'ada'))
    expect(again).toHaveProperty('error')
    expect(world.received('answer')).toHaveLength(1)
  })

  it('slopus/happy#1035: an answer that comes twice is pressed once', async () => {
    world = await World.start()
    world.tui.ask('Run it?', ['Yes', 'No'])
    await world.until(() => asked().length === 1, 'the dialog')
    const id = asked()[0]?.approvalId ?? ''
    await world.outcome(world.session.answer(id, '1', 'phone'))
    await world.outcome(world.session.answer(id, '1', 'phone'))
    expect(world.received('answer')).toHaveLength(1)
  })

  it('claude-code#67088, #17362: what a person had typed outlives a dialog', async () => {
    world = await World.start()
    await world.person('half a line')
    await world.pass(100)
    world.tui.ask('Run it?', ['Yes', 'No'])
    await world.until(() => asked().length === 1, 'the dialog')
    await world.send('a', 'web')
    await world.outcome(world.session.answer(asked()[0]?.approvalId ?? '', '2', 'ada'))
    await world.pass(2000)
    expect(world.tui.draft).toBe('half a line')
    expect(world.session.snapshot(0).board.draft).toBe('half a line')
    expect(world.receipt('a').state).toBe('queued')
  })

  it('oh-my-codex#1084: no answer is given by the bridge itself, however long a dialog stands', async () => {
    world = await World.start()
    world.tui.ask('Proceed?', ['Yes', 'No'])
    await world.pass(600_000)
    expect(world.log).toEqual([])
  })

  it('omnigent#6111: a side channel that says nothing hides no dialog, and no receipt waits for ever', async () => {
    const dialogs = [{ on: 'turn' as const, nth: 1, title: 'Run rm?', options: ['Yes', 'No'] }]
    world = await World.start({ dialogs }, { hook: 'silent' })
    await world.send('a', 'clean up')
    await world.until(() => asked().length === 1, 'the card', 1000)
    expect(world.session.info().state).toBe('blocked')
    const [a] = await world.settled('a')
    expect(a).toMatchObject({ state: 'failed', undecided: true })
    expect(world.received('prompt')).toEqual(['clean up'])
  })

  it('omnigent#1094: an answer to one of two dialogs of the same tool is not pressed into the other', async () => {
    world = await World.start()
    world.tui.ask('Bash: ls', ['Yes', 'No'])
    await world.until(() => asked().length === 1, 'the first')
    const ls = asked()[0]?.approvalId ?? ''
    await world.person('2')
    await world.until(() => !world.tui.asking, 'the first to go')
    world.tui.ask('Bash: pwd', ['Yes', 'No'])
    await world.until(() => asked().length === 2, 'the second')
    const late = await world.outcome(world.session.answer(ls, '1', 'ada'))
    expect(late).toMatchObject({ error: { code: 'conflict' } })
    expect(world.received('answer')).toEqual(['Bash: ls (1): No'])
    expect(world.told('approval.resolved').map((e) => e.approvalId)).toEqual([ls])
    await world.outcome(world.session.answer(asked()[1]?.approvalId ?? '', '1', 'ada'))
    expect(world.received('answer')).toEqual(['Bash: ls (1): No', 'Bash: pwd (2): Yes'])
  })

  it('omnigent#1782, #1813: an answer that did nothing is told and not tried again, in a whole day', async () => {
    world = await World.start({ deafDialogKeys: 1 })
    world.tui.ask('Run it?', ['Yes', 'No'])
    await world.until(() => asked().length === 1, 'the dialog')
    const result = await world.outcome(world.session.answer(asked()[0]?.approvalId ?? '', '1', 'ada'))
    expect(result).toMatchObject({ error: { code: 'delivery_failed' } })
    await world.pass(24 * 3_600_000)
    expect(world.terminal.sent.map((s) => s.bytes)).toEqual(['\r'])
    expect(world.tui.asking).toBe(true)
    expect(asked()).toHaveLength(1)
  })

  it('siteboon/claudecodeui#462: whoever comes later, or again, has the card of a dialog that stands there', async () => {
    world = await World.start()
    world.tui.ask('Run it?', ['Yes', 'No'])
    await world.until(() => asked().length === 1, 'the dialog')
    await world.pass(3_600_000)
    const later = world.session.snapshot(0)
    const cards = later.events.filter((e) => e.type === 'approval.requested')
    expect(cards).toMatchObject([{ title: 'Run it? (1)', options: [{ key: '1' }, { key: '2' }] }])
    expect(later.events.filter((e) => e.type === 'approval.resolved')).toEqual([])
    expect(later.info.state).toBe('blocked')
  })
})
