/** @module tmux's own traps, each by name: the guard holds, and the same thing unguarded really does the damage. */
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { warn } from '../../src/terminal/events.js'
import { TmuxControl } from '../../src/terminal/tmux-control.js'
import { cursorKeyCommands, PANE_DEAD, pasteCommands, writeCommands } from '../../src/terminal/tmux-input.js'
import { ControlLines, type ControlMessage } from '../../src/terminal/tmux-lines.js'
import { command, quote, quoteBytes, sequence } from '../../src/terminal/tmux-quote.js'
import { TmuxServer } from '../../src/terminal/tmux-server.js'
import { serverEnv } from '../../src/terminal/tmux-setup.js'
import { alive, removeFolder, tempFolder } from './support.js'

let folder: string
beforeAll(() => {
  folder = tempFolder()
})
afterAll(() => removeFolder(folder))

/** A server without any of our care, for the control experiments. */
const raw = (name: string) => {
  const socket = join(folder, name)
  const run = (...args: string[]) =>
    spawnSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8', timeout: 10_000 })
  return { run, up: () => run('list-sessions').status === 0 }
}

/** Makes a pane whose program ended and that is kept, on our server; the hook that takes such panes away is off. */
const deadPane = async (server: TmuxServer): Promise<string> => {
  await server.run('unhook', command('set-hook', '-gu', 'pane-died'))
  const made = command('new-session', '-d', '-P', '-F', '#{pane_id}', '--', '/bin/sh', '-c', 'exit 0')
  const [pane = ''] = await server.run('new-session', made)
  for (let look = 0; look < 1000; look++) {
    const [state = ''] = await server.run(
      'look',
      command('display-message', '-p', '-t', pane, '#{pane_dead}'),
    )
    if (state === '1') return pane
    await server.run('give it time', command('run-shell', ':'))
  }
  throw new Error('the program does not end')
}

describe('paste into a dead pane', () => {
  test('unguarded it kills the whole server (if not, the guard has become needless)', async () => {
    const server = raw('dead')
    server.run('new-session', '-d', '-s', 'keep', 'cat')
    server.run('set-option', '-g', 'remain-on-exit', 'on')
    server.run('new-session', '-d', '-s', 'dead', 'exit 0')
    const isDead = () => server.run('list-panes', '-t', 'dead', '-F', '#{pane_dead}').stdout.trim() === '1'
    for (let look = 0; look < 200 && !isDead(); look++) server.run('run-shell', ':')
    server.run('set-buffer', 'x')
    expect(server.up()).toBe(true)
    server.run('paste-buffer', '-t', 'dead')
    expect(server.up()).toBe(false)
  })

  test('ours answers that the pane is dead, and the server lives', async () => {
    const server = await TmuxServer.open('tmux', join(folder, 's1'))
    const pane = await deadPane(server)
    const bytes = Buffer.from('x\0y')
    expect(await server.run('paste', pasteCommands(pane, 'x'))).toContain(PANE_DEAD)
    expect(await server.run('write', writeCommands(pane, bytes))).toContain(PANE_DEAD)
    expect(await server.run('keys', cursorKeyCommands(pane, bytes, bytes))).toContain(PANE_DEAD)
    expect(await server.run('alive', command('display-message', '-p', 'yes'))).toEqual(['yes'])
    // Nothing of the text stays in the server.
    expect(await server.run('buffers', command('list-buffers'))).toEqual([''])
    await server.dispose()
  })
})

describe('global window-size manual', () => {
  test('kills a raw server at the next session', () => {
    const server = raw('manual')
    server.run('new-session', '-d', '-s', 'keep', 'cat')
    server.run('set-option', '-g', 'window-size', 'manual')
    expect(server.up()).toBe(true)
    server.run('new-session', '-d', '-s', 'next', 'cat')
    expect(server.up()).toBe(false)
  })

  test('is never set by ours', async () => {
    const server = await TmuxServer.open('tmux', join(folder, 's2'))
    expect(await server.run('option', command('show-options', '-gwv', 'window-size'))).toEqual(['latest'])
    await server.dispose()
  })
})

describe('quoting', () => {
  let server: TmuxServer
  beforeAll(async () => {
    server = await TmuxServer.open('tmux', join(folder, 's3'))
  })
  afterAll(() => server.dispose())
  const file = () => join(folder, 'buffer')
  const roundTrip = async (quoted: string): Promise<Buffer> => {
    const commands = [`set-buffer -b q -- ${quoted}`, command('save-buffer', '-b', 'q', file())]
    await server.run('round trip', sequence(...commands))
    return readFileSync(file())
  }

  test('any text goes through tmux unchanged', async () => {
    const awkward = fc.constantFrom(
      ';',
      '\\;',
      '"',
      "'",
      '$HOME',
      '~',
      '#{pane_id}',
      '\n',
      '-b',
      '{',
      '}',
      '%if',
      '猫',
    )
    const text = fc.oneof(
      fc
        .array(fc.oneof(awkward, fc.string({ unit: 'binary' })), { maxLength: 6 })
        .map((parts) => parts.join('')),
      fc.string({ unit: 'grapheme' }),
    )
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        fc.pre(value !== '' && !value.includes('\0'))
        expect((await roundTrip(quote(value))).equals(Buffer.from(value, 'utf8'))).toBe(true)
      }),
      { numRuns: 150 },
    )
  })

  test('any bytes but NUL, too; NUL is refused', async () => {
    const every = Buffer.from(Array.from({ length: 255 }, (_, i) => i + 1))
    expect((await roundTrip(quoteBytes(every))).equals(every)).toBe(true)
    expect(() => quote('a\0b')).toThrow('NUL')
  })

  test('a command in a command (if-shell) keeps its arguments', async () => {
    const value = `a "b" 'c' \\ $d ; #{e} ~ é\n{`
    const inner = command('set-buffer', '-b', 'q', value)
    await server.run('nested', command('if-shell', '-F', '1', command('if-shell', '-F', '1', inner)))
    await server.run('save', command('save-buffer', '-b', 'q', file()))
    expect(readFileSync(file(), 'utf8')).toBe(value)
  })
})

describe('control client', () => {
  test('an error names the command and not its arguments; the next command is not disturbed', async () => {
    const server = await TmuxServer.open('tmux', join(folder, 's4'))
    const failing = server.run(
      'the label',
      sequence(command('kill-session', '-t', 'no-such'), 'display-message -p no'),
    )
    const next = server.run(
      'next',
      sequence(command('display-message', '-p', 'a'), command('display-message', '-p', 'b')),
    )
    await expect(failing).rejects.toMatchObject({
      code: 'tmux_failed',
      message: expect.stringContaining('the label'),
    })
    expect(await next).toEqual(['a', 'b'])
    await expect(server.run('not a command', 'no-such-command secret')).rejects.toMatchObject({
      code: 'tmux_failed',
    })
    await server.dispose()
    await expect(server.run('late', 'list-sessions')).rejects.toMatchObject({ code: 'tmux_failed' })
  })

  test('a tmux that does not answer is a timeout that names the command; replies stay matched after it', async () => {
    const socket = join(folder, 'stop')
    const args = [
      '-S',
      socket,
      '-f',
      '/dev/null',
      '-u',
      '-C',
      'new-session',
      '-A',
      '-s',
      'h',
      '--',
      'cat',
      '-',
    ]
    const control = await TmuxControl.open({
      tmuxPath: 'tmux',
      args,
      env: serverEnv(process.env),
      onFault: warn,
    })
    const [pid] = await control.run('pid', command('display-message', '-p', '#{pid}'))
    process.kill(Number(pid), 'SIGSTOP')
    try {
      await expect(control.run('first', command('display-message', '-p', '1'), 200)).rejects.toMatchObject({
        code: 'timeout',
        message: expect.stringContaining('first'),
      })
    } finally {
      process.kill(Number(pid), 'SIGCONT')
    }
    expect(await control.run('second', command('display-message', '-p', '2'))).toEqual(['2'])
    const queued = Array.from({ length: 1005 }, (_, i) =>
      control.run(`q${i}`, command('display-message', '-p', String(i))).catch((error) => error.code),
    )
    const answers = await Promise.all(queued)
    expect(answers.slice(0, 3)).toEqual([['0'], ['1'], ['2']])
    // One under way, a thousand waiting, the rest refused.
    expect(answers.filter((answer) => answer === 'tmux_failed')).toHaveLength(4)
    await control.run('kill-server', 'kill-server').catch(() => {})
    await control.closed
  })

  test('replies are read alike in any chunks, whatever their text looks like', () => {
    const stream = Buffer.from(
      '%begin 1 1 0\n%end 1 1 0\n%session-changed $0 h\n%begin 5 7 1\n%end 5 6 1\n%begin x\n猫\n%end 5 7 1\n' +
        '%layout-change @1 a b c\n%begin 5 8 1\noops\n%error 5 8 1\n%exit\n',
    )
    const expected: ControlMessage[] = [
      { type: 'notice', name: '%session-changed', rest: '$0 h' },
      { type: 'reply', ok: true, text: '%end 5 6 1\n%begin x\n猫' },
      { type: 'notice', name: '%layout-change', rest: '@1 a b c' },
      { type: 'reply', ok: false, text: 'oops' },
      { type: 'notice', name: '%exit', rest: '' },
    ]
    fc.assert(
      fc.property(fc.array(fc.nat(stream.length), { maxLength: 12 }), (cuts) => {
        const messages: ControlMessage[] = []
        const lines = new ControlLines((message) => messages.push(message))
        const points = [0, ...cuts.sort((a, b) => a - b), stream.length]
        for (let i = 1; i < points.length; i++) lines.feed(stream.subarray(points[i - 1], points[i]))
        expect(messages).toEqual(expected)
      }),
    )
  })
})

describe('what stands in the way of a start', () => {
  const open = (path: string, tmux = 'tmux') => TmuxServer.open(tmux, path)

  test('no tmux, or one that is too old', async () => {
    const missing = open(join(folder, 'm'), '/no/such/tmux')
    await expect(missing).rejects.toMatchObject({
      code: 'tmux_missing',
      hint: expect.stringContaining('--backend pty'),
    })
    const old = join(folder, 'old-tmux')
    execFileSync('/bin/sh', ['-c', `printf '#!/bin/sh\\necho tmux 3.1c\\n' > "$1"; chmod +x "$1"`, 'sh', old])
    await expect(open(join(folder, 'm'), old)).rejects.toMatchObject({
      message: expect.stringContaining('too old'),
    })
  })

  test('a folder that is not only ours, a link, a path that is too long', async () => {
    const refused = { code: 'invalid_argument' }
    const shared = join(folder, 'shared')
    mkdirSync(shared, { mode: 0o755 })
    await expect(open(shared)).rejects.toMatchObject(refused)
    const link = join(folder, 'link')
    execFileSync('ln', ['-s', folder, link])
    await expect(open(link)).rejects.toMatchObject(refused)
    await expect(open('relative')).rejects.toMatchObject(refused)
    const long = open(join(folder, 'x'.repeat(100)))
    await expect(long).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('103'),
    })
  })

  test("the user's own tmux configuration and environment are not read", async () => {
    const server = await open(join(folder, 's5'))
    const [globals = ''] = await server.run('environment', command('show-environment', '-g'))
    expect(globals).toBe('')
    const pid = (await server.run('pid', command('display-message', '-p', '#{pid}')))[0] ?? ''
    if (process.platform === 'linux') {
      const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
        .split('\0')
        .map((entry) => entry.split('=')[0])
      expect(
        names.filter((name) => !['', 'PATH', 'HOME', 'LANG', 'LC_ALL', 'PWD'].includes(name ?? '')),
      ).toEqual([])
    }
    await server.dispose()
    const left = await promisify(execFile)('ls', ['-A', join(folder, 's5')])
    expect(left.stdout).toBe('')
    expect(alive(Number(pid))).toBe(false)
  })
})
