/** @module One suite over both backends: what a Terminal promises. */
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type KeyName, keyNames, type TerminalHost } from '../../src/terminal/index.js'
import { keyBytes } from '../../src/terminal/keys.js'
import { alive, backends, js, openHost, probe, removeFolder, specOf, tempFolder, Watch } from './support.js'

describe.each(backends)('%s', (backend) => {
  let folder: string
  let host: TerminalHost
  const faults: unknown[] = []

  beforeAll(async () => {
    folder = tempFolder()
    host = await openHost(backend, folder, (error) => faults.push(error))
  })
  beforeEach(() => {
    faults.length = 0
  })
  afterAll(async () => {
    await host.dispose()
    removeFolder(folder)
  })
  const start = async (argv: readonly string[], more = {}): Promise<Watch> =>
    new Watch(await host.open(specOf(folder, argv, more)))
  const probing = async (...wants: string[]): Promise<Watch> => {
    const watch = await start(probe(...wants))
    await watch.ready()
    return watch
  }

  describe('output', () => {
    test('all bytes from 0, in order, once, whatever they are, then the exit', async () => {
      const parts = [
        Buffer.from('first\x1b[?2026h\x1b]0;t\x07'),
        // Invalid UTF-8, C1, a lone continuation, NUL, backslashes, something like a control-mode line.
        Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x80, 0x00, 0x5c, 0x33, 0x33]),
        Buffer.from('%output %1 x\r\n%end 1 1 1\r\n'),
        // A character cut in the middle of its bytes.
        Buffer.from('猫').subarray(0, 2),
        Buffer.from('猫').subarray(2),
        Buffer.from('👩‍👩‍👧 end'),
      ]
      const code = `const fs=require('fs');for(const p of ${JSON.stringify(parts.map((p) => p.toString('hex')))}){
        fs.writeSync(1,Buffer.from(p,'hex'));Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,20)}`
      // The tty must not post-process: it would double the carriage returns.
      const watch = await start(['/bin/sh', '-c', 'stty -opost; exec "$@"', 'sh', ...js(code)])
      expect(await watch.exit).toEqual({ code: 0, signal: null })
      const expected = Buffer.concat(parts)
      expect(watch.bytes.toString('hex')).toBe(expected.toString('hex'))
      expect(watch.chunks.length).toBeGreaterThan(1)
      let offset = 0
      for (const chunk of watch.chunks) {
        expect(chunk.offset).toBe(offset)
        offset += chunk.bytes.length
      }
      const record = join(folder, `${watch.terminal.id}.raw`)
      expect(readFileSync(record).equals(expected)).toBe(true)
      expect(statSync(record).mode & 0o777).toBe(0o600)
    })

    test('a flood is complete, and the exit comes after its last byte', async () => {
      const code = `const fs=require('fs');for(let i=0;i<3000;i++){const b=Buffer.from(String(i).padStart(9,'0')+'x'.repeat(990)+'\\r\\n');
        for(let n=0;n<b.length;)try{n+=fs.writeSync(1,b,n)}catch(e){if(e.code!=='EAGAIN')throw e}}process.exitCode=9`
      const watch = await start(['/bin/sh', '-c', `stty -opost; exec "$@"`, 'sh', ...js(code)])
      let atExit = -1
      watch.terminal.onExit(() => {
        atExit = watch.bytes.length
      })
      expect(await watch.exit).toEqual({ code: 9, signal: null })
      expect(watch.bytes.length).toBe(3000 * 1001)
      expect(atExit).toBe(3000 * 1001)
      for (const i of [0, 1, 1499, 2999])
        expect(watch.bytes.subarray(i * 1001, i * 1001 + 9).toString()).toBe(String(i).padStart(9, '0'))
    })

    test('a listener that comes late, even after the exit, gets every byte, and then the exit', async () => {
      const first = await start(['/bin/sh', '-c', 'printf early'])
      await first.exit
      const late = new Watch(first.terminal)
      await late.exit
      expect(late.text).toBe('early')
      expect(late.chunks[0]?.offset).toBe(0)
    })

    test('a listener that throws or leaves does not take the bytes from another', async () => {
      const terminal = await host.open(specOf(folder, probe()))
      const broken = new Error('a broken listener')
      terminal.onData(() => {
        throw broken
      })
      terminal.onExit(() => {
        throw broken
      })
      const gone = terminal.onData(() => gone.dispose())
      const watch = new Watch(terminal)
      await watch.ready()
      await terminal.type('a')
      await watch.gets(Buffer.from('a'))
      expect(watch.received.toString()).toBe('a')
      await terminal.kill()
      await watch.exit
      expect(new Set(faults)).toEqual(new Set([broken]))
      // Its bytes, in one chunk or more, and its exit.
      expect(faults.length).toBeGreaterThan(2)
    })

    test('a record that cannot be read is told, and the exit comes all the same', async () => {
      const terminal = await host.open(specOf(folder, ['/bin/sh', '-c', 'printf up; read x; exit 4']))
      const record = join(folder, `${terminal.id}.raw`)
      await expect.poll(() => statSync(record).size).toBe(2)
      // Nobody has listened, so it has not been opened for reading yet.
      rmSync(record)
      const watch = new Watch(terminal)
      await terminal.type('\n')
      expect(await watch.exit).toEqual({ code: 4, signal: null })
      expect(faults).toEqual([expect.objectContaining({ code: 'ENOENT' })])
    })

    test('a program that prints and dies at once: nothing is lost, twenty times', async () => {
      const watches = await Promise.all(
        Array.from({ length: 20 }, (_, i) => start(['/bin/sh', '-c', `printf 'bye ${i}'; exit ${i + 1}`])),
      )
      for (const [i, watch] of watches.entries()) {
        expect(await watch.exit).toEqual({ code: i + 1, signal: null })
        expect(watch.text).toBe(`bye ${i}`)
      }
    })
  })

  describe('input', () => {
    const awkward = [
      'plain',
      'two\nlines\n',
      'trailing ;',
      ';',
      '\\;',
      '-leading -l dash',
      '~/home $HOME #{pane_id} #[x] %1 %% `id` "q" \'q\' \\ \\n',
      ['$', '{X}'].join(''),
      '漢字かな交じり文 한국어',
      '👩‍👩‍👧‍👦 🏳️‍🌈 e\u0301',
      '\ttab\r\n  ',
    ]
    test.each(awkward)('paste %j arrives exactly', async (text) => {
      const plain = await probing()
      await plain.terminal.paste(text)
      await plain.gets(Buffer.from(text))
      expect(plain.received.toString()).toBe(text)
      const bracketed = await probing('bracketed')
      const expected = Buffer.from(`\x1b[200~${text}\x1b[201~`)
      await bracketed.terminal.paste(text)
      await bracketed.gets(expected)
      expect(bracketed.received.toString()).toBe(expected.toString())
      await Promise.all([plain.terminal.kill(), bracketed.terminal.kill()])
    })

    test.each([100, 1000])('a paste of %i KB arrives exactly', async (kb) => {
      const watch = await probing('bracketed')
      const text = Array.from({ length: kb }, (_, i) => `${i} 猫 ;${'x'.repeat(1012)}`).join('\n')
      await watch.terminal.paste(text)
      const expected = Buffer.from(`\x1b[200~${text}\x1b[201~`)
      await watch.gets(expected)
      expect(watch.received.equals(expected)).toBe(true)
    })

    test('a paste that would end its own brackets is refused', async () => {
      const watch = await probing('bracketed')
      await expect(watch.terminal.paste('x\x1b[201~y')).rejects.toMatchObject({ code: 'invalid_argument' })
      await watch.terminal.paste('')
      await watch.terminal.type('z')
      await watch.gets(Buffer.from('z'))
      expect(watch.received.toString()).toBe('z')
    })

    test('typed text, raw bytes and keys keep the order of the calls', async () => {
      const watch = await probing()
      const every = Buffer.from(Array.from({ length: 256 }, (_, i) => i))
      await Promise.all([
        watch.terminal.type('-a;'),
        watch.terminal.keys(['Enter']),
        watch.terminal.paste('b;'),
        watch.terminal.write(every),
        watch.terminal.keys(['Up', 'C-c']),
        watch.terminal.type('é'),
      ])
      const expected = Buffer.concat([Buffer.from('-a;\rb;'), every, Buffer.from('\x1b[A\x03é')])
      await watch.gets(expected)
      expect(watch.received.toString('hex')).toBe(expected.toString('hex'))
    })

    test.each(['', 'app-cursor'])('every key of the table arrives as its bytes %s', async (mode) => {
      const watch = await probing(mode)
      const expected = Buffer.from(keyBytes(keyNames, mode !== ''), 'latin1')
      await watch.terminal.keys(keyNames)
      await watch.gets(expected)
      expect(watch.received.toString('hex')).toBe(expected.toString('hex'))
      expect(expected.includes(mode === '' ? '\x1b[A' : '\x1bOA')).toBe(true)
    })

    test('an unknown key is an error and presses nothing', async () => {
      const watch = await probing()
      const names = ['a', 'Nope'] as unknown as KeyName[]
      await expect(watch.terminal.keys(names)).rejects.toMatchObject({ code: 'invalid_argument' })
      await watch.terminal.keys(['Space'])
      await watch.gets(Buffer.from(' '))
      expect(watch.received.toString()).toBe(' ')
    })

    test('after the end, every kind of input says terminal_gone', async () => {
      const watch = await start(['/bin/sh', '-c', 'exit 0'])
      await watch.exit
      const gone = { code: 'terminal_gone' }
      await expect(watch.terminal.paste('x')).rejects.toMatchObject(gone)
      await expect(watch.terminal.type('x')).rejects.toMatchObject(gone)
      await expect(watch.terminal.keys(['Enter'])).rejects.toMatchObject(gone)
      await expect(watch.terminal.write(Buffer.from('x'))).rejects.toMatchObject(gone)
      await expect(watch.terminal.resize(80, 24)).rejects.toMatchObject(gone)
    })

    test('a program that does not read does not block the bridge', async () => {
      const watch = await start(['/bin/sh', '-c', 'stty raw -echo; printf up; exec sleep 100'])
      await watch.until(() => watch.text.includes('up'), 'up')
      const before = performance.now()
      await watch.terminal.write(Buffer.alloc(300_000, 'x'))
      await new Promise((resolve) => setImmediate(resolve))
      expect(performance.now() - before).toBeLessThan(5000)
      await watch.terminal.kill()
    })
  })

  describe('size', () => {
    test('at birth, and after a resize, as the program and the listeners see it', async () => {
      const watch = await start(probe(), { cols: 101, rows: 31 })
      expect((await watch.ready()).size).toEqual([101, 31])
      const sizes: unknown[] = []
      watch.terminal.onResize((size) => sizes.push(size))
      await watch.terminal.resize(70, 20)
      expect(watch.terminal.size).toEqual({ cols: 70, rows: 20 })
      await watch.until(
        () => watch.reports.some(({ size }) => size?.[0] === 70 && size[1] === 20),
        'SIGWINCH',
      )
      await watch.terminal.resize(71, 21)
      await watch.until(
        () => watch.reports.some(({ size }) => size?.[0] === 71 && size[1] === 21),
        'SIGWINCH',
      )
      expect(sizes).toEqual([
        { cols: 70, rows: 20 },
        { cols: 71, rows: 21 },
      ])
      await expect(watch.terminal.resize(0, 20)).rejects.toMatchObject({ code: 'invalid_argument' })
    })
  })

  describe('end', () => {
    test.each(['SIGKILL', 'SIGTERM'] as const)('death by %s is told as such', async (signal) => {
      const watch = await probing()
      process.kill(watch.terminal.pid, signal)
      expect(await watch.exit).toEqual({ code: null, signal })
    })

    test('kill ends a program by SIGHUP, and says so', async () => {
      const watch = await probing()
      expect(alive(watch.terminal.pid)).toBe(true)
      expect(await watch.terminal.kill()).toEqual({ code: null, signal: 'SIGHUP' })
      expect(alive(watch.terminal.pid)).toBe(false)
      expect(await watch.terminal.kill()).toEqual({ code: null, signal: 'SIGHUP' })
    })

    test('kill ends what ignores SIGHUP: the program after its grace, its child with it', async () => {
      const watch = await probing('ignore-hup', 'child-ignores-hup')
      await watch.until(() => watch.reports.some(({ child }) => child !== undefined), 'the child')
      const child = watch.reports.find((report) => report.child !== undefined)?.child ?? 0
      expect(alive(child)).toBe(true)
      expect(await watch.terminal.kill({ graceMs: 300 })).toEqual({ code: null, signal: 'SIGKILL' })
      // It was asked first.
      expect(watch.reports.some(({ signal }) => signal === 'SIGHUP')).toBe(true)
      expect(alive(watch.terminal.pid)).toBe(false)
      expect(alive(child)).toBe(false)
    })

    test('kill ends a child that ignores SIGHUP and outlives its parent', async () => {
      const watch = await probing('child-ignores-hup')
      await watch.until(() => watch.reports.some(({ child }) => child !== undefined), 'the child')
      const child = watch.reports.find((report) => report.child !== undefined)?.child ?? 0
      await watch.terminal.kill()
      expect(alive(child)).toBe(false)
    })
  })

  describe('start', () => {
    test('the environment is the spec and nothing else, and no argv shows it', async () => {
      process.env.MEOW_LEAK = 'from the bridge'
      const secret = `s3cret-${Math.random()}`
      const env = {
        PATH: process.env.PATH ?? '',
        API_KEY: secret,
        ODD: 'a;b "c" \'d\' $e #{f}\n~\\',
        EMPTY: '',
      }
      const watch = await start(probe('env'), { env })
      await watch.ready()
      delete process.env.MEOW_LEAK
      const seen = { ...watch.reports.find((report) => report.env !== undefined)?.env }
      if (backend === 'tmux') {
        expect(seen.TERM).toBe('tmux-256color')
        for (const name of ['TERM', 'TMUX', 'TMUX_PANE']) delete seen[name]
      }
      expect(seen).toEqual(env)
      if (process.platform !== 'linux') return
      const { readdirSync } = await import('node:fs')
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
        let line = ''
        try {
          line = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        } catch {
          continue
        }
        expect(line).not.toContain(secret)
      }
    })

    test("names that a backend would set are the spec's, too", async () => {
      const env = { PATH: process.env.PATH ?? '', SHELL: '/bin/odd', PWD: '/x y', TERM_PROGRAM: 'mine' }
      const watch = await start(probe('env'), { env })
      await watch.ready()
      expect(watch.reports.find((report) => report.env !== undefined)?.env).toMatchObject(env)
    })

    test.each(['plain', 'a#[b', '#{pane_id}', '%H ;$x', "it's", 'größe 猫'])('cwd %j', async (name) => {
      const cwd = join(folder, name)
      mkdirSync(cwd, { recursive: true })
      const recordFile = join(cwd, 'record.raw')
      const watch = await start(probe('cwd'), { cwd, recordFile })
      await watch.ready()
      expect(watch.reports.find((report) => report.cwd !== undefined)?.cwd).toBe(cwd)
      expect(statSync(recordFile).size).toBeGreaterThan(0)
    })

    test('mistakes are errors of the call', async () => {
      const code = (value: string) => ({ code: value })
      const open = (argv: string[], more = {}) => host.open(specOf(folder, argv, more))
      await expect(open(['/bin/cat'], { cwd: join(folder, 'none') })).rejects.toMatchObject({
        code: 'invalid_argument',
        message: expect.stringContaining('none'),
      })
      await expect(open(['/bin/cat'], { cwd: '/etc/passwd' })).rejects.toMatchObject(code('invalid_argument'))
      await expect(open(['no-such-program'])).rejects.toMatchObject(code('terminal_start_failed'))
      await expect(open(['/no/such/program'])).rejects.toMatchObject(code('terminal_start_failed'))
      await expect(open([])).rejects.toMatchObject(code('invalid_argument'))
      await expect(open(['/bin/cat'], { id: 'Bad_Id' })).rejects.toMatchObject(code('invalid_argument'))
      await expect(open(['/bin/cat'], { rows: 1 })).rejects.toMatchObject(code('invalid_argument'))
      await expect(open(['/bin/cat', 'a\0b'])).rejects.toMatchObject(code('invalid_argument'))
      await expect(open(['/bin/cat'], { env: { 'A=B': 'x' } })).rejects.toMatchObject(
        code('invalid_argument'),
      )
      const plain = join(folder, 'not-executable')
      writeFileSync(plain, 'x')
      chmodSync(plain, 0o600)
      await expect(open([plain])).rejects.toMatchObject(code('terminal_start_failed'))
      const full = join(folder, 'full.raw')
      writeFileSync(full, 'older bytes')
      await expect(open(['/bin/cat'], { recordFile: full })).rejects.toMatchObject(code('invalid_argument'))
      const link = join(folder, 'link.raw')
      symlinkSync(join(folder, 'elsewhere'), link)
      await expect(open(['/bin/cat'], { recordFile: link })).rejects.toMatchObject(
        code('terminal_start_failed'),
      )
      const live = await open(probe())
      await expect(
        host.open(specOf(folder, ['/bin/cat'], { id: live.id, recordFile: join(folder, 'other.raw') })),
      ).rejects.toMatchObject(code('terminal_start_failed'))
      // The one that lives was not harmed by the refusal.
      expect(alive(live.pid)).toBe(true)
    })
  })

  describe('host', () => {
    test('many terminals at once, each with its own bytes; list names them', async () => {
      const watches = await Promise.all(Array.from({ length: 12 }, () => probing()))
      await Promise.all(watches.map((watch, i) => watch.terminal.paste(`for ${i};`)))
      for (const [i, watch] of watches.entries()) {
        const expected = Buffer.from(`for ${i};`)
        await watch.gets(expected)
        expect(watch.received.toString()).toBe(expected.toString())
        expect((await watch.ready()).ready).toBe(watch.terminal.pid)
      }
      const listed = await host.list()
      for (const { terminal } of watches)
        expect(listed).toContainEqual({ id: terminal.id, pid: terminal.pid, dead: false })
      await Promise.all(watches.map(({ terminal }) => terminal.kill()))
      const after = await host.list()
      for (const { terminal } of watches) expect(after.map(({ id }) => id)).not.toContain(terminal.id)
    })

    test('dispose leaves no process behind and tells every terminal its end', async () => {
      const own = tempFolder()
      const other = await openHost(backend, own)
      const watches = await Promise.all(
        [1, 2, 3].map(async () => new Watch(await other.open(specOf(own, probe())))),
      )
      for (const watch of watches) await watch.ready()
      await other.dispose()
      await other.dispose()
      for (const watch of watches) {
        expect(await watch.exit).toEqual({ code: null, signal: 'SIGHUP' })
        expect(alive(watch.terminal.pid)).toBe(false)
      }
      await expect(other.open(specOf(own, probe()))).rejects.toMatchObject({ code: 'terminal_start_failed' })
      removeFolder(own)
    })

    test('idle costs no timer', async () => {
      const watch = await probing()
      await watch.terminal.type('x')
      await watch.gets(Buffer.from('x'))
      const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
      const before = timers()
      const idle = await Promise.all([probing(), probing()])
      // What the waiting above used is gone; two more terminals have added nothing.
      expect(timers()).toBeLessThanOrEqual(before)
      await Promise.all(idle.map(({ terminal }) => terminal.kill()))
    })
  })
})
