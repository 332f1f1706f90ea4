/** @module test/web/page-queue - the prompts that wait: seen and changed from two browsers, and who types. */
import { describe, expect, it } from 'vitest'
import { waitingOrder } from './fake-delivery.js'
import { SIZES, usePage } from './page-harness.js'

describe.each(SIZES)('the queue at $name', (size) => {
  const t = usePage(size)
  const ids = (page = t.page) =>
    t.at('queued', page).evaluateAll((rows) => rows.map((row) => row.getAttribute('data-message-id')))

  const fill = () => {
    t.run()
    t.receipt('a', { text: 'first', how: 'queue', reason: 'waits: a turn runs' })
    t.receipt('b', { text: `second\n${'more\n'.repeat(5)}end`, how: 'queue' })
    t.receipt('c', { text: 'third', how: 'steer', images: ['/x.png'] })
  }

  it('is the same in two browsers, whoever changes it', async () => {
    fill()
    await t.open()
    const other = await t.tab()
    await t.open(other)
    await expect.poll(() => ids()).toEqual(['c', 'a', 'b'])
    await t.shows(t.at('queued').nth(0), /third.*steer.*1 image.*goes next/s)
    await t.shows(t.at('queued').nth(1), /first.*in turn.*waits: a turn runs/s)
    await t.shows(t.at('queued').nth(2), /second.*waits for the prompts before it/s)
    await t.button(/Show all/).click()
    await t.shows(t.at('queued').nth(2), 'end')

    await t.button('Move prompt 3 up').click()
    await expect.poll(() => ids(other)).toEqual(['c', 'b', 'a'])
    // By keyboard the moved row keeps the focus.
    const focused = () => t.page.evaluate('document.activeElement.getAttribute("aria-label")')
    await expect.poll(focused).toBe('Move prompt 2 up')
    await t.page.keyboard.press('Enter')
    await expect.poll(() => ids(other)).toEqual(['b', 'c', 'a'])
    await t.button('Move prompt 2 down', other).click()
    await expect.poll(() => ids()).toEqual(['b', 'a', 'c'])
    expect(waitingOrder(t.session)).toEqual(['b', 'a', 'c'])
    expect(t.hub.delivery.edits).toEqual([
      { messageId: 'b', before: 'a' },
      { messageId: 'b', before: 'c' },
      { messageId: 'c', before: null },
    ])

    await t.button('Steer now: prompt 2').click()
    await expect.poll(() => t.at('queued', other).nth(1).getAttribute('data-how')).toBe('steer')
    expect(t.hub.delivery.edits.at(-1)).toEqual({ messageId: 'a', how: 'steer' })
    await t.button('Edit prompt 1').click()
    const editor = t.page.getByRole('textbox', { name: 'Text of prompt 1' })
    await expect.poll(() => editor.inputValue()).toContain('second')
    await editor.fill('changed')
    await editor.press('Control+Enter')
    await t.shows(t.at('queued', other).nth(0), /changed/)
    await editor.waitFor({ state: 'detached' })
    expect(t.hub.delivery.edits.at(-1)).toEqual({ messageId: 'b', text: 'changed' })
    await t.button('Remove prompt 2', other).click()
    await expect.poll(() => ids()).toEqual(['b', 'c'])
    await t.shows(t.at('failed-delivery'), /first.*withdrawn/s)
    t.receipt('b', { attempt: 1, reason: 'is being handed over' })
    await expect.poll(() => ids(other)).toEqual(['c'])
    await t.shows(t.at('pending', other), /changed.*is being handed over/s)
    t.session.setState('ended')
    await t.at('queue').waitFor({ state: 'detached' })
  })

  it('tells what is on its way already, corrects itself, and loses no text', async () => {
    fill()
    await t.open()
    await expect.poll(() => ids()).toEqual(['c', 'a', 'b'])
    // The page has not heard that it left.
    const left = { messageId: 'c', state: 'typed', reason: null } as const
    t.session.durable({ type: 'delivery', source: 'bridge', ...left }, { lost: true })
    await t.button('Remove prompt 1').click()
    await t.shows(t.at('fault'), /on its way already/)
    await expect.poll(() => ids()).toEqual(['a', 'b'])
    await t.button('Dismiss').click()

    await t.button('Edit prompt 1').click()
    const editor = t.page.getByRole('textbox', { name: 'Text of prompt 1' })
    await editor.fill('my long thought')
    t.receipt('a', { text: 'of another page' })
    await t.shows(t.at('queued').nth(0), /changed in another page meanwhile/)
    t.receipt('a', { state: 'typed' })
    await t.shows(t.at('lost-edit'), /on its way already, without this change.*my long thought/s)
    await t.button('Put it into the composer').click()
    expect(await t.at('composer').inputValue()).toBe('my long thought')
    await t.at('lost-edit').waitFor({ state: 'detached' })
    await t.button('Edit prompt 1').click()
    await t.page.keyboard.press('Escape')
    await t.page.getByRole('textbox', { name: 'Text of prompt 1' }).waitFor({ state: 'detached' })
    expect(t.hub.delivery.edits).toEqual([])
  })

  it('does not come up for a prompt that goes at once', async () => {
    await t.open()
    t.receipt('a', { text: 'now', how: 'queue' })
    await t.shows(t.at('pending'), /now.*queued/s)
    expect(await t.at('queue').count()).toBe(0)
  })
})

describe.each(SIZES)('who types, at $name', (size) => {
  const t = usePage(size)
  const typing = () =>
    t.hub.frames.flatMap((frame) => (frame.type === 'typing' ? [[frame.sessionId, frame.active]] : []))

  it('is told of the terminal', async () => {
    t.session.live({ type: 'session.draft', source: 'screen', text: 'half a tho' })
    await t.open()
    await t.shows(t.at('terminal-draft'), 'Someone is typing in the terminal: half a tho')
    t.session.live({ type: 'session.draft', source: 'screen', text: 'half a thought\u202e' })
    await t.shows(t.at('terminal-draft'), 'half a thought[U+202E]')
    t.session.live({ type: 'session.draft', source: 'screen', text: null })
    await t.at('terminal-draft').waitFor({ state: 'detached' })
  })

  it('is told to other pages while keys come in, until they rest, send, leave, or ten seconds pass', async () => {
    t.hub.addSession('s2', { name: 'second', createdAt: 0 })
    await t.page.clock.install()
    await t.open()
    const other = await t.tab()
    await other.clock.install()
    await t.open(other)
    await t.at('composer').pressSequentially('one')
    await t.shows(t.at('typing', other), 'Someone is typing in another page')
    expect(await t.at('typing').textContent()).toBe('')
    expect(typing()).toEqual([['s1', true]])
    await t.page.clock.fastForward(4100)
    await t.shows(t.at('typing', other), /^$/)
    await t.at('composer').pressSequentially('two')
    await t.shows(t.at('typing', other), 'Someone is typing')
    // Sending ends it: without that, the next key would be told as the same typing.
    await t.at('composer').press('Enter')
    await expect.poll(() => t.at('composer').inputValue()).toBe('')
    await t.at('composer').pressSequentially('three')
    await t.shows(t.at('typing', other), 'Someone is typing')
    // Its page is gone without a word.
    await other.clock.fastForward(10_100)
    await t.shows(t.at('typing', other), /^$/)
    await t.page.evaluate(`location.hash = '#/s/s2'`)
    await expect.poll(() => typing().at(-1)).toEqual(['s1', false])
    expect(typing()).toEqual([true, false, true, false, true, false].map((active) => ['s1', active]))
  })
})
