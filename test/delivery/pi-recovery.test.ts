import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Observation } from '../../src/adapter/index.js'
import { PiStage } from './pi-stage.js'
import { userTexts } from './pi-user-texts.js'

let pi: PiStage
beforeAll(async () => {
  pi = await PiStage.open()
}, 120_000)
afterAll(() => pi?.close())

const caughtUp = () => pi.of('caught_up').length
const keyed = (list: readonly Observation[]) =>
  list.flatMap((o) => ('key' in o && o.type !== 'text.delta' ? [`${o.type} ${o.key}`] : []))
/** The bridge comes back and has heard all there is. */
async function back(): Promise<Observation[]> {
  const [before, from] = [caughtUp(), pi.all.length]
  await pi.bridge(true)
  await pi.until('it has caught up', () => caughtUp() > before)
  return pi.all.slice(from)
}

describe('a bridge that was gone, the real pi', () => {
  it('hears once what came meanwhile, and then where Pi stands', async () => {
    pi.server.script([
      { when: { text: 'first' }, steps: 'text One ;; gate away;; text two.' },
      { reply: 'typed ok', times: 0 },
    ])
    await pi.send('first')
    await pi.until('it streams', () => pi.of('text.delta').length > 0)
    await pi.bridge(false)
    pi.server.gate('away').release()
    await pi.server.requests.at(-1)?.ended
    await pi.until('Pi is idle', () => pi.reading?.state === 'idle')
    await pi.terminal.paste('from the keyboard')
    await pi.terminal.keys(['Enter'])
    await expect.poll(() => pi.server.requests.length, { timeout: 15_000 }).toBe(2)
    await pi.server.requests.at(-1)?.ended
    await pi.until('Pi is idle', () => pi.text().includes('typed ok') && pi.reading?.state === 'idle')
    const missed = await back()
    const of = <T extends Observation['type']>(type: T) => missed.filter((o) => o.type === type)
    expect(of('text.completed')).toMatchObject([{ text: 'One two.' }, { text: 'typed ok' }])
    expect(of('user.message')).toMatchObject([{ text: 'from the keyboard' }])
    expect(of('turn.ended')).toHaveLength(2)
    expect(missed.slice(-2)).toMatchObject([{ type: 'state', state: 'idle' }, { type: 'caught_up' }])
    const keys = keyed(pi.all)
    expect(new Set(keys).size).toBe(keys.length)
    expect(pi.of('gap')).toEqual([])
  })

  it('hands a prompt over again and Pi does not take it twice, whatever became of it', async () => {
    pi.server.script([{ reply: 'ok', times: 0 }])
    const done = await pi.send('only once')
    await pi.until('it ran', () => pi.of('text.completed').at(-1)?.text === 'ok')
    const requests = pi.server.requests.length
    await pi.bridge(false)
    await back()
    await pi.hand(done, 'only once')
    await pi.hand(done, 'only once')
    const file = join(pi.work, 'go')
    pi.server.script([
      { when: { text: 'busy' }, steps: `bash while [ ! -e ${file} ]; do sleep 0.05; done;; text done.` },
      { reply: 'ok', times: 0 },
    ])
    const ends = pi.of('turn.ended').length
    await pi.send('busy')
    const aside = await pi.send('aside', 'steer')
    await pi.bridge(false)
    await back()
    const { observations } = await pi.hand(aside, 'aside', 'steer')
    expect(observations).toContainEqual(
      expect.objectContaining({ type: 'prompt.accepted', messageId: aside }),
    )
    writeFileSync(file, '')
    await pi.until('the turn ends', () => pi.of('turn.ended').length > ends)
    expect(userTexts(pi.server.requests.at(-1)).slice(-3)).toEqual(['only once', 'busy', 'aside'])
    expect(pi.server.requests.length).toBe(requests + 2)
  })

  it('still compares with Pi’s session file', async () => {
    await pi.bridge(false)
    await back()
    await pi.turn('compared')
    await pi.bridge(false)
    expect(pi.of('gap')).toEqual([])
  })
})
