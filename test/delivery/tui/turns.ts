/** @module test/delivery/tui/turns - the test TUI's turns and its own queue. */
import type { Line } from './draw.js'
import type { Seat, TuiIo, TuiScript } from './script.js'

export interface TurnHost {
  readonly script: TuiScript
  readonly io: TuiIo
  add(line: Line): void
  /** A dialog may open: true when it did. */
  begun(nth: number): boolean
  restore(text: string): void
  changed(): void
}

export class Turns {
  private turn: { prompt: string; left: number; answered: boolean } | null = null
  private readonly own: { readonly text: string; readonly by: Seat }[] = []
  private count = 0
  private escs = 0
  private erased = 0
  private keys = 0
  private stopClock: () => void = () => undefined
  private since = 0

  constructor(private readonly host: TurnHost) {}

  get running(): boolean {
    return this.turn !== null
  }

  get waiting(): readonly string[] {
    return this.own.map((one) => one.text)
  }

  /** A prompt was submitted; false: it is refused, and stays where it is. */
  submit(text: string, by: Seat): boolean {
    const { io, script } = this.host
    if (!this.turn) {
      io.told({ type: 'accepted', text, queued: false })
      this.erased += 1
      if (this.erased > script.erasePrompts) this.start(text, by)
      return true
    }
    if (script.midTurn === 'refuse') return false
    this.own.push({ text, by })
    io.log('queued', text, by)
    io.told({ type: 'accepted', text, queued: true })
    this.host.changed()
    return true
  }

  /** Esc: the turn stops, unless it does not hear. */
  interrupt(): void {
    const { io, script } = this.host
    const { turn } = this
    if (!turn) return
    this.escs += 1
    if (this.escs <= script.ignoreEscs) return
    this.stopClock()
    this.turn = null
    this.host.add({ kind: 'notice', text: '■ Interrupted' })
    io.told({ type: 'ended', outcome: 'interrupted' })
    if (script.restorePrompt && !turn.answered) this.host.restore(turn.prompt)
    if (script.onInterrupt !== 'keep') {
      const back = this.own.splice(0).map((one) => one.text)
      if (script.onInterrupt === 'return' && back.length > 0) this.host.restore(back.join('\n'))
      for (const text of back) io.told({ type: 'returned', text })
    }
    this.next()
    this.host.changed()
  }

  /** The clock stands while a dialog is up. */
  pause(): void {
    if (!this.turn) return
    this.stopClock()
    this.turn.left -= this.host.io.now() - this.since
  }

  resume(): void {
    if (this.turn) this.run()
  }

  /** The program starts anew: its hook says that the turn is over. */
  forget(): void {
    this.stopClock()
    if (this.turn) this.host.io.told({ type: 'ended', outcome: 'failed' })
    this.turn = null
    this.own.length = 0
  }

  private start(text: string, by: Seat): void {
    const { script, io } = this.host
    this.count += 1
    this.escs = 0
    this.turn = { prompt: text, left: script.turnMs, answered: false }
    io.log('prompt', text, by)
    this.show(text, true)
    this.host.changed()
    if (!this.host.begun(this.count)) this.run()
  }

  private show(text: string, own: boolean): void {
    this.host.add({ kind: 'prompt', text })
    this.keys += 1
    this.host.io.told({ type: 'started', text, key: `p${this.keys}`, own })
  }

  private run(): void {
    const { turn } = this
    if (!turn) return
    this.since = this.host.io.now()
    const half = turn.answered ? 0 : this.host.script.turnMs / 2
    this.stopClock = this.host.io.after(Math.max(1, turn.left - half), () => this.step())
  }

  /** Half of it: an answer stands there and a steered prompt is taken up. All of it: the end. */
  private step(): void {
    const { turn } = this
    const { io, script } = this.host
    if (!turn) return
    turn.left -= io.now() - this.since
    if (!turn.answered) {
      turn.answered = true
      this.host.add({ kind: 'answer', text: `answer ${this.count}` })
      if (script.midTurn === 'steer') {
        for (const { text, by } of this.own.splice(0)) {
          io.log('prompt', text, by)
          this.show(text, false)
          this.host.add({ kind: 'answer', text: `on it, ${this.keys}` })
        }
      }
      this.host.changed()
      this.run()
      return
    }
    this.turn = null
    io.told({ type: 'ended', outcome: 'completed' })
    this.next()
    this.host.changed()
  }

  private next(): void {
    const one = this.own.shift()
    if (one) this.start(one.text, one.by)
  }
}
