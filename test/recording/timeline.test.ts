/** What truly happened, from prompts and the model's log: order, statuses, and what is on the screen of it. */
import { describe, expect, it } from 'vitest'
import type { LoggedRequest } from '../../src/model-server/index.js'
import { readCast } from '../../src/terminal/index.js'
import { unseen } from './seen.js'
import { Timeline, type Truth, toolOf } from './truth.js'

const DRAWING = {
  call: () => ({ onScreen: true }) as const,
  reasoning: { onScreen: 'partial' } as const,
}

function request(lastUserText: string, response: Partial<LoggedRequest['response']>): LoggedRequest {
  const whole = { text: '', reasoning: '', toolCalls: [], usage: null, ...response }
  return { lastUserText, response: whole } as unknown as LoggedRequest
}

describe('a timeline', () => {
  it('puts a prompt that was typed during an answer behind it', () => {
    const line = new Timeline()
    line.prompt('one', { onScreen: true })
    line.request(request('one', { text: 'first' }))
    line.prompt('two', { onScreen: true })
    line.request(request('two', { text: 'second' }))
    expect(line.items(DRAWING).map(({ text }) => text)).toEqual(['one', 'first', 'two', 'second'])
  })

  it('lets a queued prompt wait for the request that carries it, and knows it over broken lines', () => {
    const line = new Timeline()
    line.prompt('one', { onScreen: true })
    line.request(request('one', { toolCalls: [{ id: 'a', name: 'Bash', input: { command: 'ls' } }] }))
    line.prompt('two\n  more', { onScreen: true })
    line.request(request('one', { text: 'first' }))
    line.request(request('context\ntwo more', { text: 'second' }))
    expect(line.items(DRAWING).map(({ text, name }) => text ?? name)).toEqual([
      'one',
      'Bash',
      'first',
      'two\n  more',
      'second',
    ])
  })

  it('says how a call ended, and nothing where nobody is told', () => {
    const line = new Timeline()
    line.expect('rm', 'denied')
    line.expect('exit', null)
    const call = (command: string) => ({ id: command, name: 'run_shell_command', input: { command } })
    line.request(request('', { toolCalls: [call('ls'), call('rm x'), call('exit 3')] }))
    expect(line.items(DRAWING).map(({ tool, status }) => [tool, status])).toEqual([
      ['shell', 'completed'],
      ['shell', 'denied'],
      ['shell', undefined],
    ])
  })

  it('has what stayed of an interrupted answer, and the label of a thought', () => {
    const line = new Timeline()
    const asked = request('', { text: 'a b c', reasoning: 'hm' })
    line.request(asked)
    line.cut(asked, 'a b')
    line.thought('Thought for 2s')
    expect(line.items(DRAWING)).toEqual([
      { kind: 'reasoning', text: 'hm', onScreen: 'partial', screenText: 'Thought for 2s' },
      { kind: 'assistant_message', text: 'a b c', onScreen: true, partialText: 'a b' },
    ])
  })

  it('knows the tools of every vendor by their kind', () => {
    const names = [
      'exec_command',
      'ReadFile',
      'replace',
      'apply_patch',
      'create',
      'view',
      'WriteFile',
      'todo',
    ]
    expect(names.map(toolOf)).toEqual([
      ...(['shell', 'read', 'edit', 'edit'] as const),
      ...(['write', 'read', 'write', 'other'] as const),
    ])
  })
})

describe('what a recording shows', () => {
  const truth = (text: string): Truth => ({
    ...{ vendor: 'x', version: '1', cols: 20, rows: 3, alternateScreen: false, turns: [] },
    ...{ dialogs: [], states: [], usage: [] },
    items: [{ kind: 'assistant_message', text, onScreen: true }],
  })
  const cast = (...outputs: string[]) =>
    readCast(
      [
        '{"version":3,"term":{"cols":20,"rows":3}}',
        ...outputs.map((data) => JSON.stringify([0.1, 'o', data])),
      ].join('\n'),
    )

  it('is found over soft wraps, and after it scrolled away', () => {
    const text = 'a first line that is broken\nanother one\nand a third'
    const drawn = text.replaceAll('\n', '\r\n')
    expect(unseen(cast(`${drawn}\r\n\r\n\r\n\r\n`), truth(text))).toEqual([])
  })

  it('is missed where it was never drawn, or erased before any moment', () => {
    expect(unseen(cast('something else'), truth('never drawn'))).toEqual(['assistant_message: never drawn'])
    expect(unseen(cast('erased line\x1b[2J'), truth('erased line'))).toEqual([
      'assistant_message: erased line',
    ])
  })
})
