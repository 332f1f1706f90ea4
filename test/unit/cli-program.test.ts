import { describe, expect, it } from 'vitest'
import { allCommands } from '../../src/cli/commands/index.js'
import { EXIT_CODES_HELP } from '../../src/cli/exits.js'
import type { Hub } from '../../src/cli/hub-access.js'
import { runProgram } from '../../src/cli/program.js'
import type { Shell } from '../../src/cli/shell.js'
import { fakeHub, fakeShell } from './cli-fakes.js'

const commands = allCommands([
  { id: 'claude', name: 'Claude Code' },
  { id: 'pi', name: 'Pi' },
])

async function meow(argv: string[], hub: Hub | null = null, over: Partial<Shell> = {}) {
  const { shell, said } = fakeShell(hub, over)
  const code = await runProgram(argv, shell, { commands, version: '9.9.9' })
  return { code, ...said }
}

describe('help', () => {
  it.each(commands.map(({ name }) => name))('%s has examples and the exit codes', async (name) => {
    for (const argv of [
      [name, '--help'],
      ['help', name],
    ]) {
      const { code, out, err } = await meow(argv)
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(out).toMatch(new RegExp(`Usage: agent-meow ${name}`))
      expect(out).toMatch(new RegExp(`Examples:\\n  agent-meow ${name}`))
      expect(out).toContain('--json')
      expect(out).toContain(EXIT_CODES_HELP)
    }
  })

  it('lists every command, and is what a bare call prints', async () => {
    const { code, out } = await meow([])
    expect(code).toBe(0)
    for (const { name, summary } of commands)
      expect(out.replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`${name} .*${summary.slice(0, 30)}`))
    expect(out).toContain(EXIT_CODES_HELP)
  })

  it('prints the version', async () => {
    expect(await meow(['--version'])).toEqual({ code: 0, out: '9.9.9\n', err: '' })
  })
})

describe('wrong usage', () => {
  it('suggests the nearest command', async () => {
    const { code, out, err } = await meow(['snd', 'x'])
    expect({ code, out }).toEqual({ code: 64, out: '' })
    expect(err).toBe("error: unknown command 'snd'\nhint: did you mean: send\n")
  })

  it.each([
    [['send', 'docs'], "error: missing required argument 'text'"],
    [['ls', '--nope'], "error: unknown option '--nope'"],
    [['up', '--port', 'many'], 'error: port: a whole number from 1 to 65535 is wanted'],
    [['up', '--port', '70000'], 'error: port: a whole number from 1 to 65535 is wanted'],
    [['run', 'pi', '--backend', 'screen', '-d'], 'error: backend: tmux or pty is wanted'],
    [['send', 'docs', 'x', '--id', 'a b'], 'error: message-id: letters, digits'],
    [['queue', 'show', 'docs'], 'error: action: ls, edit, rm or move is wanted'],
    [['queue', 'ls', 'docs', 'm_1'], 'error: queue ls shows all of them'],
    [['queue', 'rm', 'docs'], 'error: name the message: agent-meow queue rm <session> <message>'],
    [['queue', 'edit', 'docs', 'm_1'], 'error: say what changes'],
    [['queue', 'edit', 'docs', 'm_1', '--how', 'now'], 'error: how: queue, steer or interrupt is wanted'],
    [['queue', 'edit', 'docs', 'm_1', 'x', '--first'], 'error: --before, --first and --last belong to'],
    [['queue', 'rm', 'docs', 'm_1', 'x'], 'error: a text and --how belong to queue edit'],
    [['queue', 'move', 'docs', 'm_1'], 'error: say one of --before, --first and --last'],
    [['queue', 'move', 'docs', 'm_1', '--first', '--last'], 'error: say one of --before'],
    [['send', 'docs', 'x', '--timeout', '3'], 'error: --timeout needs --wait'],
    [['kill'], 'error: name the sessions to end, or say --all'],
    [['kill', 'docs', '--all'], 'error: name the sessions to end, or say --all'],
  ])('%j', async (argv, message) => {
    const { code, out, err } = await meow(argv, fakeHub().hub)
    expect({ code, out }).toEqual({ code: 64, out: '' })
    expect(err).toContain(message)
  })

  it('sends a vendor option behind --', async () => {
    const { code, err } = await meow(['claude', '--resume'])
    expect(code).toBe(64)
    expect(err).toContain("hint: options of the vendor's own program go after --; see agent-meow help claude")
  })

  it('is JSON on stdout when JSON was asked for', async () => {
    const { code, out, err } = await meow(['ls', '--nope', '--json'])
    expect({ code, err }).toEqual({ code: 64, err: '' })
    expect(JSON.parse(out)).toMatchObject({
      error: { code: 'invalid_argument', detail: "unknown option '--nope'" },
    })
  })

  it('a TUI needs a terminal', async () => {
    const { hub, calls } = fakeHub()
    const { code, err } = await meow(['run', 'pi'], hub)
    expect(code).toBe(64)
    expect(err).toContain('hint: agent-meow run pi --detach starts it in the background')
    expect(calls).toEqual([])
  })
})

describe('without a hub', () => {
  it('ls shows nothing and is content', async () => {
    expect(await meow(['ls'])).toEqual({ code: 0, out: '', err: 'no session is running\n' })
    expect(await meow(['ls', '--json'])).toEqual({ code: 0, out: '{"sessions":[]}\n', err: '' })
  })

  it('commands about a live session say what to do', async () => {
    const { code, err } = await meow(['interrupt', 'docs'])
    expect(code).toBe(1)
    expect(err).toBe(
      'error: no hub is running for /state\n' +
        'hint: start a session with: agent-meow run <vendor>; or the hub alone with: agent-meow up\n',
    )
  })

  it('down has nothing to do', async () => {
    expect(await meow(['down'])).toEqual({ code: 0, out: '', err: 'the hub is not running\n' })
  })
})
