/** @module test/delivery/tui/core - the test TUI: an agent-like program by script, without a terminal of its own. */
import { Box } from './box.js'
import { type Look, Painter } from './draw.js'
import { InputReader, type TuiInput } from './input.js'
import type { ScriptedDialog, Seat, TuiIo, TuiScript } from './script.js'
import { Turns } from './turns.js'

interface OpenDialog {
  readonly title: string
  readonly options: readonly string[]
  readonly chosen: (option: number | null) => void
  selected: number
  answered: boolean
}

const COMMANDS = ['/clear', '/compact', '/exit', '/help', '/model']
/** A line of a tty in canonical mode is cut there. */
const LINE_BYTES = 4095
const SPINNER = ['✻', '✽', '✶', '✢']

export class TestTui {
  private on = false
  private readonly box = new Box()
  private readonly reader: InputReader
  private readonly turns: Turns
  private readonly painter: Painter
  private dialog: OpenDialog | null = null
  private popup: string[] = []
  private pasteEnd = Number.NEGATIVE_INFINITY
  private swallowed = 0
  private pastes = 0
  private submits = 0
  private dialogs = 0
  private deaf = 0
  private session = 1
  private model = 'one'
  private tick = 0
  private life = 0
  private exited = false
  /** Who types at this moment. */
  private by: Seat = 'bridge'
  /** Who typed what came before the newest bytes. */
  private before: Seat = 'bridge'
  /** When dialogs were opened. */
  readonly askedAt: number[] = []
  /** When it started itself anew. */
  readonly restartedAt: number[] = []
  private line: number[] = []
  private readonly used = new Set<ScriptedDialog>()

  constructor(
    readonly script: TuiScript,
    private readonly io: TuiIo,
    private size: { cols: number; rows: number },
  ) {
    const after = (ms: number, callback: () => void) => this.after(ms, callback)
    const guarded: TuiIo = {
      write: (text) => io.write(text),
      after,
      now: () => io.now(),
      log: (kind, text, by) => io.log(kind, text, by),
      told: (fact) => io.told(fact),
      exit: (code) => io.exit(code),
    }
    this.reader = new InputReader((input, carried) => this.take(input, carried), after)
    this.painter = new Painter((text) => io.write(text))
    this.turns = new Turns({
      script,
      io: guarded,
      add: (line) => this.painter.add(line),
      begun: (nth) => this.scripted('turn', nth),
      restore: (text) => this.box.set(text),
      changed: () => this.paint(),
    })
  }

  /** Starts; `raw` is called when it takes keys. */
  start(raw: () => void): void {
    this.io.write('starting\r\n')
    if (this.script.restartAtMs !== null && this.life === 0)
      this.after(this.script.restartAtMs, () => this.restart(raw))
    if (this.script.canonical) return
    this.after(this.script.bootMs, () => {
      this.on = true
      raw()
      if (this.script.bracketed) this.io.write('\x1b[?2004h')
      this.painter.clear(true)
      this.painter.add({ kind: 'notice', text: '! welcome' })
      if (this.script.staleMark) this.painter.add({ kind: 'notice', text: '! [Pasted text #1 +3 lines]' })
      this.scripted('boot', 1)
      this.paint()
      this.animate()
    })
  }

  /** The program starts itself anew in its place: what it held is gone. */
  restart(raw: () => void): void {
    this.life += 1
    this.restartedAt.push(this.io.now())
    this.on = false
    this.turns.forget()
    this.dialog = null
    this.popup = []
    this.box.set('')
    this.reader.reset()
    this.session += 1
    this.io.write('\x1b[?2004l\x1b[2J\x1b[3J\x1b[H')
    this.start(raw)
  }

  input(bytes: Uint8Array, by: Seat = 'bridge'): void {
    if (this.exited) return
    this.by = by
    if (this.on) this.reader.feed(bytes)
    else this.tty(bytes)
    this.before = by
  }

  resize(cols: number, rows: number): void {
    this.size = { cols, rows }
    if (!this.on) return
    this.painter.clear(false)
    this.paint()
  }

  /** Opens a dialog now; the turn stands still meanwhile. */
  ask(title: string, options: readonly string[], chosen: OpenDialog['chosen'] = () => undefined): void {
    if (this.dialog || !this.on) return
    this.dialogs += 1
    this.askedAt.push(this.io.now())
    this.turns.pause()
    this.dialog = { title: `${title} (${this.dialogs})`, options, chosen, selected: 0, answered: false }
    if (this.script.dialogIsMenu) this.io.write('\x1b[?2004l')
    this.paint()
  }

  get asking(): boolean {
    return this.dialog !== null
  }

  get running(): boolean {
    return this.turns.running
  }

  /** What stands in the box, unsent. */
  get draft(): string {
    return this.box.text
  }

  /** The program ends by itself. */
  quit(code: number): void {
    if (this.exited) return
    this.exited = true
    this.life += 1
    this.io.exit(code)
  }

  private after(ms: number, callback: () => void): () => void {
    const { life } = this
    return this.io.after(ms, () => {
      if (life === this.life && !this.exited) callback()
    })
  }

  private animate(): void {
    const { animateMs } = this.script
    if (animateMs === 0) return
    this.after(animateMs, () => {
      this.tick += 1
      if (this.turns.running) this.paint()
      this.animate()
    })
  }

  /** Before raw mode: the tty's own lines, shown by the tty. */
  private tty(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (byte === 10 || byte === 13) {
        const text = Buffer.from(this.line.slice(0, LINE_BYTES)).toString('utf8')
        this.line = []
        this.io.write('\r\n')
        this.io.log(this.script.canonical ? 'prompt' : 'lost', text, this.by)
      } else this.line.push(byte)
    }
    this.io.write(
      Buffer.from(bytes)
        .toString('utf8')
        .replace(/[\u0000-\u001f]/gu, ''),
    )
  }

  private take(input: TuiInput, carried: boolean): void {
    const { by } = this
    if (carried) this.by = this.before
    this.handle(input)
    this.by = by
  }

  private handle(input: TuiInput): void {
    if (this.dialog) this.dialogInput(input)
    else if (input.type === 'paste') this.pasted(input.text)
    else if (input.type === 'text') this.typed(input.text)
    else this.key(input.key)
  }

  private typed(text: string): void {
    this.box.type(text)
    this.complete()
    this.paint()
  }

  private pasted(text: string): void {
    this.pastes += 1
    const nth = this.pastes
    if (nth <= this.script.losePastes) return
    this.pasteEnd = this.io.now()
    const show = () => {
      this.box.paste(text.replaceAll('\t', '    '), this.script.collapseFrom, this.script.noEcho)
      this.complete()
      this.paint()
      this.scripted('paste', nth)
    }
    if (this.script.echoMs === 0) show()
    else this.after(this.script.echoMs, show)
  }

  private complete(): void {
    const { text } = this.box
    this.popup = []
    if (!this.script.popup) return
    if (/^\/\S*$/u.test(text)) this.popup = COMMANDS.filter((c) => c.startsWith(text) && c !== text)
    if (/(?:^|\s)@\S*$/u.test(text)) this.popup = ['@README.md', '@src/main.ts']
  }

  private key(key: string): void {
    if (key === 'Enter') this.enter()
    else if (key === 'Newline') this.box.type('\n')
    else if (key === 'BSpace') {
      this.box.back()
      this.complete()
    } else if (key === 'C-u') this.empty()
    else if (key === 'C-c') {
      if (this.box.text !== '') this.empty()
      else this.turns.interrupt()
    } else if (key === 'Escape') {
      if (this.popup.length > 0) this.popup = []
      else this.turns.interrupt()
    }
    this.paint()
  }

  private empty(): void {
    this.box.set('')
    this.popup = []
  }

  private enter(): void {
    if (this.io.now() - this.pasteEnd < this.script.burstMs) {
      this.box.type('\n')
      return
    }
    if (this.swallowed < this.script.swallowEnters) {
      this.swallowed += 1
      return
    }
    const choice = this.popup[0]
    if (choice !== undefined) {
      this.box.set(choice.startsWith('@') ? this.box.text.replace(/@\S*$/u, `${choice} `) : choice)
      this.popup = []
      return
    }
    const text = this.box.text.trim()
    if (text === '') return
    const raw = this.box.text
    this.submits += 1
    if (this.scripted('submit', this.submits)) return
    if (raw.startsWith('/')) this.command(text)
    else if (raw.startsWith('!')) {
      this.empty()
      this.io.log('shell', text, this.by)
      this.painter.add({ kind: 'command', text })
    } else if (this.turns.submit(text, this.by)) this.empty()
  }

  private command(text: string): void {
    const [name = '', argument = ''] = text.split(/\s+/u)
    this.empty()
    this.io.log('command', text, this.by)
    if (name === '/clear') {
      this.session += 1
      this.painter.clear(true)
      this.painter.add({ kind: 'notice', text: '! welcome' })
    } else if (name === '/model') this.chooseModel(argument)
    else if (name === '/compact') this.painter.add({ kind: 'notice', text: '! compacted' })
    else if (name === '/help') this.ask('Help', ['Close'])
    else if (name === '/exit') this.quit(0)
    else this.painter.add({ kind: 'notice', text: `! unknown command ${name}` })
  }

  private chooseModel(model: string): void {
    const choose = () => {
      this.model = model
      this.paint()
    }
    if (this.script.confirmMs === null) choose()
    else
      this.after(this.script.confirmMs, () =>
        this.ask('Switch model?', ['Yes', 'No'], (option) => {
          if (option === 0) choose()
        }),
      )
  }

  private dialogInput(input: TuiInput): void {
    const { dialog } = this
    if (!dialog || dialog.answered) return
    if (input.type === 'paste') {
      // A menu reads the ESC of the paste as its own key.
      if (this.script.dialogIsMenu) this.choose(dialog, null)
      else for (const c of input.text) this.dialogKey(dialog, c === '\n' ? 'Enter' : c)
    } else if (input.type === 'text') for (const c of input.text) this.dialogKey(dialog, c)
    else this.dialogKey(dialog, input.key)
    this.paint()
  }

  private dialogKey(dialog: OpenDialog, key: string): void {
    if (this.dialog !== dialog || dialog.answered) return
    const digit = /^[1-9]$/u.test(key) ? Number(key) - 1 : -1
    const decides = key === 'Enter' || key === 'Escape' || (digit >= 0 && digit < dialog.options.length)
    if (decides && this.deaf < this.script.deafDialogKeys) {
      this.deaf += 1
      return
    }
    if (key === 'Down') dialog.selected = Math.min(dialog.options.length - 1, dialog.selected + 1)
    else if (key === 'Up') dialog.selected = Math.max(0, dialog.selected - 1)
    else if (decides) this.choose(dialog, key === 'Escape' ? null : key === 'Enter' ? dialog.selected : digit)
  }

  private choose(dialog: OpenDialog, option: number | null): void {
    dialog.answered = true
    const label = option === null ? 'cancelled' : (dialog.options[option] ?? '')
    this.io.log('answer', `${dialog.title}: ${label}`, this.by)
    const close = () => {
      this.dialog = null
      if (this.script.dialogIsMenu && this.script.bracketed) this.io.write('\x1b[?2004h')
      dialog.chosen(option)
      this.turns.resume()
      this.paint()
    }
    if (this.script.dialogLagMs === 0) close()
    else this.after(this.script.dialogLagMs, close)
  }

  /** Opens the dialog that the script has for this moment. */
  private scripted(on: ScriptedDialog['on'], nth: number): boolean {
    const one = this.script.dialogs.find((d) => d.on === on && d.nth === nth)
    if (!one || this.used.has(one)) return false
    this.used.add(one)
    this.ask(one.title, one.options)
    return true
  }

  private paint(): void {
    if (!this.on || this.exited) return
    const { dialog, turns, session, model } = this
    const word = dialog ? 'asks' : turns.running ? 'busy' : 'idle'
    const spinner = SPINNER[this.tick % SPINNER.length] ?? ''
    const look: Look = {
      ...this.size,
      status: turns.running ? `${spinner} Working… (${this.tick})` : null,
      waiting: turns.waiting,
      popup: this.popup,
      box: this.box.shown,
      ghost: this.script.ghost,
      dialog,
      footer: ` ${word} · s${session} · ${model}`,
    }
    this.painter.paint(look)
  }
}
