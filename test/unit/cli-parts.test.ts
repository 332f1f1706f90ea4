import { describe, expect, it } from 'vitest'
import { splitInput } from '../../src/cli/detach-key.js'
import { isOlder } from '../../src/cli/doctor/machine.js'
import { checkVendor } from '../../src/cli/doctor/vendors.js'
import { eventLine } from '../../src/cli/event-line.js'
import { findSession } from '../../src/cli/find-session.js'
import { safeLine, safeText } from '../../src/cli/safe-text.js'
import type { VendorInfo } from '../../src/protocol/api.js'
import type { DurableDraft, DurableEvent } from '../../src/protocol/events.js'
import { session } from './cli-fakes.js'

describe('findSession', () => {
  const one = session({ id: 's_aaa1', name: 'docs' })
  const two = session({ id: 's_aab2', name: 'web' })
  const old = session({ id: 's_aac3', name: 'docs', state: 'ended' })
  const all = [one, two, old]

  it.each([
    ['s_aab2', two],
    ['web', two],
    ['s_aab', two],
    ['aab', two],
    ['docs', one],
    ['s_aac', old],
  ])('%s', (ref, meant) => {
    expect(findSession(ref, all)).toBe(meant)
  })

  it('names the candidates when several fit', () => {
    expect(() => findSession('s_aa', all)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', hint: 'say which: s_aaa1 (docs), s_aab2 (web)' }),
    )
  })

  it('names what there is when none fits, and what to do when there is none', () => {
    expect(() => findSession('x', all)).toThrow(
      expect.objectContaining({ code: 'not_found', hint: 'there are: s_aaa1 (docs), s_aab2 (web)' }),
    )
    expect(() => findSession('', [])).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('run') }),
    )
  })
})

describe('eventLine', () => {
  const line = (draft: DurableDraft, width = 200) => {
    const event = { v: 1, sessionId: 's', id: 'e', ts: 0, seq: 12, ...draft } as DurableEvent
    return eventLine(event, { width, color: false })?.slice(9) ?? null
  }

  it.each<[DurableDraft, string]>([
    [{ type: 'turn.started', source: 'rpc', turnId: 't' }, '   12 turn.started       t'],
    [
      {
        type: 'item.completed',
        source: 'rpc',
        itemId: 'i',
        turnId: 't',
        item: {
          kind: 'tool_call',
          callId: 'c',
          tool: 'shell',
          name: 'bash',
          input: { command: 'ls' },
          status: 'completed',
          output: 'a\nb',
        },
      },
      '   12 item.completed     bash (completed) {"command":"ls"} -> a b',
    ],
    [
      { type: 'delivery', source: 'bridge', messageId: 'm', state: 'failed', reason: 'no\u001b[2Jway' },
      '   12 delivery           m failed: noway',
    ],
    [
      {
        type: 'delivery',
        source: 'bridge',
        messageId: 'm',
        state: 'queued',
        reason: null,
        text: 'go\non',
        how: 'steer',
        images: ['/a', '/b'],
        attempt: 2,
      },
      '   12 delivery           m queued (steer, 2 images, attempt 2) -> go on',
    ],
    [
      {
        type: 'delivery',
        source: 'bridge',
        messageId: 'm',
        state: 'failed',
        reason: 'lost',
        undecided: true,
      },
      '   12 delivery           m failed (undecided: it may have arrived): lost',
    ],
    [{ type: 'queue', source: 'bridge', order: ['b', 'a'] }, '   12 queue              order: b, a'],
    [
      { type: 'interrupt', source: 'bridge', turnId: 't', stage: 'again', detail: 'not seen yet' },
      '   12 interrupt          again: not seen yet',
    ],
    [
      {
        type: 'session.command',
        source: 'bridge',
        commandId: 'c',
        command: 'model',
        argument: 'big',
        state: 'failed',
        detail: 'no',
      },
      '   12 session.command    model big failed: no',
    ],
    [
      {
        type: 'approval.requested',
        source: 'screen',
        approvalId: 'a',
        title: 'Run?',
        detail: 'ls',
        kind: 'permission',
        options: [{ key: '1', label: 'Yes' }],
      },
      '   12 approval.requested permission: Run? [1 Yes]: ls',
    ],
    [
      {
        type: 'approval.resolved',
        source: 'screen',
        approvalId: 'a',
        verdict: 'answered',
        by: 'page',
        option: 'Yes',
      },
      '   12 approval.resolved  answered by page: Yes',
    ],
    [
      {
        type: 'turn.completed',
        source: 'rpc',
        turnId: 't',
        outcome: 'completed',
        detail: null,
        usage: {
          tokens: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 },
          usd: 0.00123,
          pricedBy: 'table',
        },
      },
      '   12 turn.completed     completed, 10 in, 5 out, $0.0012',
    ],
  ])('%#', (draft, expected) => {
    expect(line(draft)).toBe(expected)
  })

  it('cuts to the width and leaves live events out', () => {
    expect(line({ type: 'model', source: 'rpc', model: 'x'.repeat(300) }, 80)).toHaveLength(80 - 9)
    expect(
      eventLine(
        {
          v: 1,
          sessionId: 's',
          id: 'e',
          ts: 0,
          source: 'rpc',
          type: 'session.activity',
          activity: 'a',
          detail: null,
        },
        { width: 80, color: false },
      ),
    ).toBeNull()
  })
})

it('safe text has nothing that a terminal acts on', () => {
  expect(safeText('a\u001b[31mb\u0007\r\nc\td\u009b1m\u202e')).toBe('ab\nc\td')
  expect(safeLine('  a\n\tb 😀😀😀', 5)).toBe('a b …')
})

describe('the pty bridge', () => {
  const split = (text: string) => {
    const { forward, detach } = splitInput(Buffer.from(text))
    return [Buffer.from(forward).toString(), detach]
  }

  it.each([
    ['abc', 'abc', false],
    ['ab\u001dcd', 'ab', true],
    ['\u001b[93;5u', '', true],
    ['\u001b[27;5;93~', '', true],
    ['é漢\u001b[A\u001b[1;5R', 'é漢\u001b[A\u001b[1;5R', false],
    ['\u001b[?62;22cx\u001b[>0;276;0c', 'x', false],
    ['\u001b]11;rgb:0000/0000/0000\u001b\\y\u001bP>|xterm\u001b\\', 'y', false],
    ['\u001b[?2026;2$y\u001b[?1u', '', false],
  ])('%j', (text, forward, detach) => {
    expect(split(text)).toEqual([forward, detach])
  })
})

describe('doctor', () => {
  const vendor = (over: Partial<VendorInfo>): VendorInfo => ({
    id: 'pi',
    name: 'Pi',
    binary: '/bin/pi',
    version: '1.6.0',
    testedVersions: ['1.6.0'],
    auth: { status: 'ok', detail: 'a key' },
    installHint: 'npm install -g pi',
    loginHint: 'run pi',
    capabilities: [],
    ...over,
  })

  it.each([
    [{}, 'ok', null],
    [{ binary: null }, 'missing', 'npm install -g pi'],
    [{ auth: { status: 'missing' as const, detail: 'no key' } }, 'missing', 'run pi'],
    [{ auth: { status: 'unknown' as const, detail: '?' } }, 'warn', 'run pi'],
    [{ version: '2.0.0' }, 'warn', null],
  ])('%j', (over, status, fix) => {
    expect(checkVendor(vendor(over))).toMatchObject({ status, fix })
  })

  it.each([
    ['3.3a', '3.2', false],
    ['3.1c', '3.2', true],
    ['20.18.9', '20.19.0', true],
    ['22.0.0', '20.19.0', false],
  ])('%s older than %s: %s', (version, least, older) => {
    expect(isOlder(version, least)).toBe(older)
  })
})
