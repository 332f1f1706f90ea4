/** @module test/web/page-delivery - a person sends: the choice of how, images, receipts, and what may have arrived. */
import { describe, expect, it } from 'vitest'
import { MeowError } from '../../src/protocol/errors.js'
import { SIZES, usePage } from './page-harness.js'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

/** A script that hands a file to an event's listeners, as a browser does. */
function fileEvent(target: string, make: string, name: string, base64: string, more = 0): string {
  return `(() => {
    const data = new DataTransfer()
    const bytes = Uint8Array.from(atob('${base64}'), (one) => one.charCodeAt(0))
    data.items.add(new File([bytes, new Uint8Array(${more})], '${name}', { type: 'image/png' }))
    ${target}.dispatchEvent(${make})
  })()`
}
const COMPOSER = `document.querySelector('[data-testid=composer]')`
const PASTE = `new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })`
const DROP = `new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })`

describe.each(SIZES)('sending at $name', (size) => {
  const t = usePage(size)
  const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer })

  it('says just Send without a turn, and offers three ways while one runs', async () => {
    await t.open()
    await t.at('way').selectOption('interrupt')
    await t.shows(t.at('send'), /^Send$/)
    await t.at('composer').fill('nothing runs')
    await t.at('composer').press('Enter')
    // What the button says is what is asked for, whatever begins meanwhile.
    await expect.poll(() => t.posted()).toMatchObject({ text: 'nothing runs', how: 'queue' })
    t.run()
    await t.shows(t.at('send'), /^Interrupt and send$/)
    await t.at('composer').fill('stop that')
    await t.at('send').click()
    await expect.poll(() => t.posted()).toMatchObject({ text: 'stop that', how: 'interrupt' })
    await t.at('way').selectOption('steer')
    await t.shows(t.at('send'), /^Steer now$/)
    await t.at('composer').fill('now')
    await t.at('composer').press('Enter')
    await expect.poll(() => t.posted()).toMatchObject({ text: 'now', how: 'steer' })
    await t.at('composer').fill('later')
    await t.at('composer').press('Alt+Enter')
    await expect.poll(() => t.posted()).toMatchObject({ text: 'later', how: 'queue' })
    await t.page.reload()
    await t.shows(t.at('send'), /^Steer now$/)
    await t.at('way').selectOption('queue')
    await t.at('composer').fill('other')
    await t.at('composer').press('Alt+Enter')
    await expect.poll(() => t.posted()).toMatchObject({ text: 'other', how: 'steer' })
  })

  it('takes images by paste, drop and picker, shows them, and sends their bytes', async () => {
    await t.open()
    await t.page.evaluate(fileEvent(COMPOSER, PASTE, 'pasted.png', PNG))
    await expect.poll(() => t.at('image').count()).toBe(1)
    // Dropped anywhere; named wrongly, and known by its bytes.
    await t.page.evaluate(fileEvent('document.body', DROP, 'dropped.png', GIF))
    await expect.poll(() => t.at('image').count()).toBe(2)
    await t
      .at('image-picker')
      .setInputFiles([
        file('text.png', Buffer.from('no image at all')),
        file('broken.png', Buffer.from(PNG, 'base64').subarray(0, 20)),
        file('chosen.png', Buffer.from(PNG, 'base64')),
      ])
    await t.shows(
      t.at('image-note'),
      /^text\.png is not a PNG, JPEG, GIF or WebP image\. broken\.png cannot be read as an image\.$/,
    )
    await t.page.evaluate(fileEvent(COMPOSER, PASTE, 'big.png', PNG, 5_000_000))
    await t.shows(t.at('image-note'), 'big.png has 5.01 MB; an image may have 5 MB.')
    await expect.poll(() => t.at('image').count()).toBe(3)
    expect(await t.at('image').nth(0).locator('img').getAttribute('src')).toMatch(/^data:image\/png/)
    expect(await t.at('send').isDisabled()).toBe(true)
    await t.button('Remove pasted.png').click()
    await expect.poll(() => t.at('image').count()).toBe(2)
    const many = Array.from({ length: 9 }, (_, n) => file(`more${n}.png`, Buffer.from(PNG, 'base64')))
    await t.at('image-picker').setInputFiles(many)
    await t.shows(t.at('image-note'), 'A prompt takes 10 images; 1 was left out.')
    await t.at('composer').fill('look at these')
    await t.at('send').click()
    await expect.poll(() => t.at('image').count()).toBe(0)
    const [post] = t.hub.posts
    expect(post?.images).toHaveLength(10)
    expect(post?.images.slice(0, 2)).toEqual([
      { mime: 'image/gif', base64: GIF },
      { mime: 'image/png', base64: PNG },
    ])
  })

  it('never doubles a message whose answer was lost, with its images', async () => {
    await t.open()
    // A browser repeats a post on a connection that was closed under it; more than all attempts go wrong.
    t.hub.delivery.sabotage = ['before', ...Array.from({ length: 15 }, () => 'after' as const)]
    await t.at('image-picker').setInputFiles([file('one.png', Buffer.from(PNG, 'base64'))])
    await t.at('image').waitFor()
    await t.at('composer').fill('only once')
    await t.at('send').click()
    await expect.poll(() => t.at('fault').getAttribute('data-code'), { timeout: 30_000 }).toBe('network')
    expect(await t.at('image').count()).toBe(1)
    t.hub.delivery.sabotage = []
    // Another way of the same message is no other message.
    await t.at('way').selectOption('steer')
    await t.at('send').click()
    await expect.poll(() => t.at('composer').inputValue()).toBe('')
    expect(new Set(t.hub.posts.map(({ messageId }) => messageId)).size).toBe(1)
    expect(t.hub.messages.size).toBe(1)
  })

  it('shows the receipt of every message on its way', async () => {
    await t.open()
    t.receipt('m1', { text: 'first prompt', how: 'queue' })
    await t.shows(t.at('pending'), /first prompt.*queued/s)
    for (const [state, words] of [
      ['typed', 'typed into the terminal'],
      ['accepted', 'accepted'],
      ['started', 'started'],
    ] as const) {
      t.receipt('m1', { state })
      await t.shows(t.at('pending').getByTestId('receipt'), words)
    }
    const said = { kind: 'user_message', text: 'first prompt', origin: 'bridge', messageId: 'm1' } as const
    t.session.durable({
      type: 'item.completed',
      source: 'transcript',
      itemId: 'u1',
      turnId: 't1',
      item: said,
    })
    const receipt = t.page.locator('[data-item-id=u1]').getByTestId('receipt')
    await t.shows(receipt, 'started')
    t.receipt('m1', { state: 'completed', reason: 'interrupted' })
    await t.shows(receipt, 'completed: interrupted')
    t.receipt('m2', { text: 'second prompt', state: 'failed', reason: 'the box did not take it' })
    await t.shows(t.at('failed-delivery'), /second prompt.*not delivered: the box did not take it/s)
  })

  it('lets a person decide about what may have arrived', async () => {
    await t.open()
    const lost = { state: 'failed', undecided: true, reason: 'Enter was pressed, nothing was seen' } as const
    t.receipt('m1', { ...lost, text: 'did it?', how: 'steer', images: ['/images/a.png'] })
    await t.shows(
      t.at('undecided'),
      /This may have arrived.*did it\?.*nothing was seen.*Look at the terminal/s,
    )
    t.hub.delivery.sabotage = [{ refuse: new MeowError('conflict', 'the session is busy') }]
    await t.button('Send again').click()
    await t.shows(t.at('undecided'), /the session is busy/)
    await t.button('Send again').click()
    await t.shows(t.at('undecided-done'), 'sent again')
    const again = {
      text: 'did it?',
      how: 'steer',
      messageId: 'm1.again1',
      images: [{ path: '/images/a.png' }],
    }
    expect(t.posted()).toMatchObject(again)
    t.receipt('m2', { ...lost, text: 'or this?' })
    await t.at('undecided').waitFor()
    await t.button('Drop').click()
    await t.at('undecided').waitFor({ state: 'detached' })
    expect(t.hub.delivery.withdrawn).toEqual(['m2'])
    await t.page.reload()
    await expect.poll(() => t.at('undecided-done').count()).toBe(2)
    expect(await t.at('undecided').count()).toBe(0)
    // It turned up after all: nothing is left to decide.
    t.receipt('m3', { ...lost, text: 'and this?' })
    await t.at('undecided').waitFor()
    t.receipt('m3', { state: 'started' })
    await t.at('undecided').waitFor({ state: 'detached' })
    expect(t.hub.posts).toHaveLength(2)
  })
})
