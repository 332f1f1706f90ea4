/** `agent-meow record` and `run --record`, on a hub of plain answers. */
import { describe, expect, it } from 'vitest'
import { allCommands } from '../../src/cli/commands/index.js'
import type { Hub } from '../../src/cli/hub-access.js'
import { runProgram } from '../../src/cli/program.js'
import { fakeHub, fakeShell, recording } from './cli-fakes.js'

const commands = allCommands([{ id: 'pi', name: 'Pi' }])

async function meow(argv: string[], hub: Hub | null) {
  const { shell, said } = fakeShell(hub, { cwd: '/here' })
  const code = await runProgram(argv, shell, { commands, version: '0' })
  return { code, ...said }
}

describe('record', () => {
  it('start tells the file, and how to end it', async () => {
    const { hub, calls } = fakeHub()
    const { code, out, err } = await meow(
      ['record', 'start', 'docs', '--out', 'a/b.cast', '--max-mb', '5'],
      hub,
    )
    expect([code, out]).toEqual([0, '/here/a/b.cast\n'])
    expect(err).toContain('agent-meow record stop s_1111')
    expect(calls).toEqual([['record', 's_1111', { file: '/here/a/b.cast', maxBytes: 5 * 1024 * 1024 }]])
  })

  it('stop tells what the last look for secrets said; one that is refused is an error', async () => {
    const { hub } = fakeHub()
    const ended = await meow(['record', 'stop', 's_1'], hub)
    expect(ended.code).toBe(0)
    expect(ended.err).toContain('stopped, 1.5 KB; no secret is seen in it')
    expect(ended.err).toContain('play it: http://127.0.0.1:4747/#/recordings/s_1111-1\n')
    hub.stopRecording = async () => recording({ state: 'stopped', check: 'refused', detail: 'a\u001b[2Jkey' })
    const refused = await meow(['record', 'stop', 's_1'], hub)
    expect(refused.code).toBe(1)
    expect(refused.err).toContain('do not share it')
    expect(refused.err).not.toContain('play it')
    expect(refused.err).not.toContain('\u001b')
  })

  it('ls lists them, for people and for programs', async () => {
    const { hub } = fakeHub()
    const { out } = await meow(['record', 'ls'], hub)
    expect(out.split('\n')[1]).toMatch(
      /^s_1111-1\s+pi\s+1\.6\.0\s+recording\s+unchecked\s+1\.5 KB\s+\S+\s+\/state/,
    )
    expect(JSON.parse((await meow(['record', 'ls', '--json'], hub)).out)).toEqual({
      recordings: [recording()],
    })
    hub.recordings = async () => [recording({ state: 'capped', endedAt: 2000 })]
    expect((await meow(['record', 'ls'], hub)).out).toMatch(/\s1\.6\.0\s+capped\s/)
    hub.recordings = async () => []
    expect((await meow(['record', 'ls'], hub)).err).toContain('agent-meow record start')
  })

  it.each([
    [['record', 'pause', 'docs'], 'start, stop or ls'],
    [['record', 'start'], 'agent-meow ls shows'],
    [['record', 'stop', 'docs', '--out', 'a.cast'], 'belong to record start'],
    [['record', 'ls', 'docs'], 'takes no session'],
    [['record', 'start', 'docs', '--max-mb', '0'], 'from 1 to 900'],
    [['record', 'start', 'nope'], 'no session is called'],
  ])('%j says what to do', async (argv, text) => {
    const { hub, calls } = fakeHub()
    const { code, err } = await meow(argv, hub)
    expect(code).not.toBe(0)
    expect(err).toContain(text)
    expect(calls).toEqual([])
  })

  it('has examples in its help', async () => {
    expect((await meow(['record', '--help'], null)).out).toContain(
      'agent-meow record start docs --out demo.cast',
    )
  })
})

describe('run --record', () => {
  it.each([
    [['run', 'pi', '--detach', '--record'], {}],
    [['run', 'pi', '--detach', '--record', 'demo.cast'], { file: '/here/demo.cast' }],
    [['pi', '--detach', '--record=/x/demo.cast'], { file: '/x/demo.cast' }],
    [['run', 'pi', '--detach'], undefined],
  ])('%j', async (argv, record) => {
    const { hub, calls } = fakeHub()
    expect((await meow(argv, hub)).code).toBe(0)
    const [, request] = calls.find(([name]) => name === 'create') ?? []
    expect((request as { record?: unknown }).record).toEqual(record)
  })
})
