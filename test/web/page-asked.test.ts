/** @module test/web/page-asked - dialogs that are answered from the page, commands, and the steps of an interrupt. */
import { describe, expect, it } from 'vitest'
import type { SessionCommand } from '../../src/protocol/commands.js'
import { MeowError } from '../../src/protocol/errors.js'
import { SIZES, usePage } from './page-harness.js'

describe.each(SIZES)('a dialog at $name', (size) => {
  const t = usePage(size)
  const option = (key: string) => t.page.locator(`[data-testid=approval-option][data-key="${key}"]`)
  const ask = (approvalId: string, options = ['Yes', 'Yes, always', 'No']) => {
    t.session.setState('blocked', ['Do you want to proceed?'])
    t.session.durable({
      type: 'approval.requested',
      source: 'screen',
      approvalId,
      kind: 'permission',
      title: 'Run this command?',
      detail: `rm -rf build <img src=x>\n${'line\n'.repeat(100)}last line`,
      options: options.map((label, n) => ({ key: String(n + 1), label })),
    })
  }
  const resolved = { type: 'approval.resolved', source: 'screen', verdict: 'allow' } as const

  it('is answered once, by a button or by its key on the card', async () => {
    await t.open()
    ask('p1')
    await t.shows(t.at('approval-card'), /Run this command\?.*permission.*<img src=x>.*last line.*1 Yes/s)
    expect(await t.at('attention').count()).toBe(0)
    const detail = t.at('approval-detail')
    expect(await detail.evaluate((box) => box.scrollHeight > box.clientHeight)).toBe(true)
    // A key that is meant for the composer answers nothing.
    await t.at('composer').focus()
    await t.page.keyboard.type('1')
    await detail.focus()
    await t.page.keyboard.press('9')
    await t.page.keyboard.press('Control+1')
    expect(t.hub.delivery.answers).toEqual([])
    await t.page.keyboard.press('2')
    await t.shows(t.at('approval-note'), 'Answered: Yes, always')
    expect(await option('1').isDisabled()).toBe(true)
    await t.page.keyboard.press('3')
    t.session.durable({ ...resolved, approvalId: 'p1', by: 'web', option: 'Yes, always' })
    await t.at('approval-card').waitFor({ state: 'detached' })
    await t.shows(t.at('approval'), /allowed by web: Yes, always/)
    expect(t.hub.delivery.answers).toEqual([{ approvalId: 'p1', option: '2' }])
    ask('p2')
    await option('1').click()
    await t.shows(t.at('approval-note'), 'Answered: Yes')
    expect(t.hub.delivery.answers.at(-1)).toEqual({ approvalId: 'p2', option: '1' })
  })

  it('says why an answer did not count, and repeats nothing', async () => {
    await t.open()
    ask('p1')
    t.hub.delivery.refuseAnswer = new MeowError('conflict', 'another dialog stands there')
    await option('1').click()
    await t.shows(t.at('approval-fault'), /The dialog has changed.*another dialog stands there/s)
    t.hub.delivery.refuseAnswer = new MeowError('delivery_failed', 'the key 1 had no effect')
    await option('3').click()
    await t.shows(t.at('approval-fault'), /did not go.*the key 1 had no effect/s)
    expect(t.hub.delivery.answers.map((one) => one.option)).toEqual(['1', '3'])
    // The next dialog begins without what was said of this one.
    ask('p2')
    t.session.durable({ ...resolved, approvalId: 'p1', by: 'terminal' })
    await t.shows(t.at('approval').nth(0), 'allowed in the terminal')
    await expect.poll(() => t.at('approval-fault').count()).toBe(0)
    t.hub.delivery.refuseAnswer = new MeowError('forbidden', 'this call needs the scope approve')
    await option('1').click()
    await t.shows(t.at('approval-note'), 'no right to approve')
    expect(await option('1').isDisabled()).toBe(true)
  })

  it('without the right or without options is left to the terminal', async () => {
    t.hub.scopes = ['view', 'type']
    await t.open()
    ask('p1', [])
    await t.shows(t.at('attention'), 'answer it in the terminal')
    expect(await t.at('approval-card').count()).toBe(0)
    ask('p2')
    await t.shows(t.at('approval-note'), 'no right to approve')
    expect(await option('2').isDisabled()).toBe(true)
    await t.at('approval-detail').focus()
    await t.page.keyboard.press('2')
    await t.page.keyboard.press('Tab')
    expect(t.hub.delivery.answers).toEqual([])
  })
})

const command = (name: string, fields: Partial<SessionCommand> = {}): SessionCommand => ({
  name,
  description: `what ${name} does`,
  argument: 'none',
  argumentHint: null,
  choices: null,
  whileRunning: false,
  ...fields,
})

describe.each(SIZES)('commands at $name', (size) => {
  const t = usePage(size)
  const set = () => {
    t.hub.delivery.commands = [
      command('clear'),
      command('compact', { argument: 'optional', argumentHint: 'focus' }),
      command('model', { argument: 'required', argumentHint: 'model', choices: ['small', 'large'] }),
    ]
  }
  const rows = () => t.at('command-menu').getByRole('option')

  it('are chosen from the menu, run with their argument, and tell what came of them', async () => {
    set()
    await t.open()
    await t.at('composer').press('/')
    await expect.poll(() => rows().allTextContents()).toHaveLength(4)
    await t.shows(t.at('command-menu'), /clear.*what clear does.*compact focus.*model model.*own command/s)
    await t.page.keyboard.type('cl')
    await expect.poll(() => rows().count()).toBe(2)
    await t.page.keyboard.press('Enter')
    await t.shows(t.at('command-run').nth(0), /Command clear done: seen: clear/)
    await expect.poll(() => t.at('composer').inputValue()).toBe('')
    await t.at('command-form').waitFor({ state: 'detached' })
    expect(t.hub.delivery.ran).toEqual([{ command: 'clear' }])

    await t.at('commands').click()
    await t.page.keyboard.press('ArrowDown')
    await t.page.keyboard.press('ArrowDown')
    await t.page.keyboard.press('Enter')
    await t.page.getByLabel('model', { exact: true }).selectOption('large')
    await t.button('Run').click()
    await t.shows(t.at('command-run').nth(1), /model large done/)
    expect(t.hub.delivery.ran.at(-1)).toEqual({ command: 'model', argument: 'large' })

    t.hub.delivery.refuseCommand = new MeowError('conflict', 'a turn runs')
    await t.at('commands').click()
    await rows().nth(1).click()
    await t.page.getByLabel('focus (optional)').press('Enter')
    await t.shows(t.at('fault'), 'a turn runs')
    await t.page.getByLabel('focus (optional)').press('Escape')
    await t.at('command-form').waitFor({ state: 'detached' })
    t.session.durable({
      type: 'session.command',
      source: 'bridge',
      commandId: 'x',
      command: 'effort',
      argument: null,
      state: 'failed',
      detail: 'the dialog did not come',
    })
    await t.shows(t.at('command-run').nth(2), 'Command effort failed: the dialog did not come')
    t.run()
    await t.at('commands').click()
    await t.shows(rows().nth(0), 'not while a turn runs')
    expect(await rows().nth(0).isDisabled()).toBe(true)
    expect(t.hub.posts).toEqual([])
  })

  it("leave a text with a slash a text, and take the vendor's own only when it is chosen", async () => {
    set()
    await t.open()
    for (const text of ['/etc/hosts is wrong', '/nothing', '/clear it, please']) {
      await t.at('composer').pressSequentially(text)
      await t.page.keyboard.press('Enter')
      await expect.poll(() => t.posted()?.text).toBe(text)
      await expect.poll(() => t.at('composer').inputValue()).toBe('')
    }
    await t.at('composer').pressSequentially('/clear')
    await t.at('command-menu').waitFor()
    await t.page.keyboard.press('Escape')
    await t.at('command-menu').waitFor({ state: 'detached' })
    await t.page.keyboard.press('Enter')
    await expect.poll(() => t.posted()?.text).toBe('/clear')
    await expect.poll(() => t.at('composer').inputValue()).toBe('')
    expect(t.hub.delivery.ran).toEqual([])
    await t.at('composer').press('/')
    await rows().nth(3).waitFor()
    await t.page.keyboard.press('ArrowUp')
    await t.page.keyboard.press('Enter')
    await t.page.getByLabel('/command').fill('/doctor')
    await t.page.keyboard.press('Enter')
    await t.shows(t.at('command-run'), /own command \/doctor done/)
    expect(t.hub.delivery.ran).toEqual([{ command: 'slash', argument: '/doctor' }])
    expect(t.hub.posts).toHaveLength(4)
  })
})

describe.each(SIZES)('an interrupt at $name', (size) => {
  const t = usePage(size)

  it('shows its stages to every page, and the evidence in the end', async () => {
    await t.open()
    t.run()
    const step = (stage: 'asked' | 'again' | 'seen' | 'failed', detail: string) =>
      t.session.durable({ type: 'interrupt', source: 'bridge', turnId: 't1', stage, detail })
    step('asked', 'Escape was pressed')
    await t.shows(t.at('interrupt-outcome'), 'Asked: Escape was pressed')
    step('again', 'Escape once more')
    await t.shows(t.at('interrupt-outcome'), 'Asked again: Escape once more')
    step('seen', 'the spinner left, the model connection is closed')
    await t.shows(
      t.at('interrupt-stages'),
      /asked: Escape was pressed.*asked again: Escape once more.*seen: the spinner left/s,
    )
    await t.shows(t.at('interrupt-outcome'), /^$/)
    await t.at('interrupt').click()
    await t.shows(t.at('interrupt-outcome'), 'Interrupted; seen: the spinner left the screen')
    step('asked', 'a second one')
    step('failed', 'the turn still runs')
    await expect.poll(() => t.at('interrupt-stages').count()).toBe(2)
    await t.shows(t.at('interrupt-stages').nth(1), /asked: a second one.*failed: the turn still runs/s)
  })
})
