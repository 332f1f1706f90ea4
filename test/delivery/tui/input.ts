/** @module test/delivery/tui/input - bytes of a terminal become keys, text and pastes. */

export type TuiInput =
  | { readonly type: 'paste'; readonly text: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'key'; readonly key: string }

const PASTE = '\x1b[200~'
const PASTE_END = '\x1b[201~'
const KEYS: Readonly<Record<string, string>> = {
  '\r': 'Enter',
  '\n': 'Newline',
  '\t': 'Tab',
  '\x7f': 'BSpace',
  '\x03': 'C-c',
  '\x15': 'C-u',
  '\x0c': 'C-l',
  '\x1b\r': 'Newline',
  '\x1b[A': 'Up',
  '\x1b[B': 'Down',
}
/** A lone ESC is the key when nothing follows for so long, in ms. */
export const ESC_MS = 20

export class InputReader {
  private held = ''
  private pasted: string | null = null
  private disarm: (() => void) | null = null
  /** The next input began with bytes of an earlier time. */
  private carried = false
  private readonly decoder = new TextDecoder()

  constructor(
    /** `carried`: it began with bytes that came before the newest ones. */
    private readonly told: (input: TuiInput, carried: boolean) => void,
    private readonly after: (ms: number, callback: () => void) => () => void,
  ) {}

  feed(bytes: Uint8Array): void {
    this.disarm?.()
    this.disarm = null
    this.carried ||= this.held !== '' || this.pasted !== null
    this.held += this.decoder.decode(bytes, { stream: true })
    while (this.step()) {
      // Each step takes one input off the head.
    }
    if (this.held.startsWith('\x1b') && this.pasted === null) {
      this.disarm = this.after(ESC_MS, () => {
        this.held = this.held.slice(1)
        this.carried = true
        this.take({ type: 'key', key: 'Escape' })
        this.feed(new Uint8Array())
      })
    }
  }

  /** Forgets what is half read. */
  reset(): void {
    this.disarm?.()
    this.held = ''
    this.pasted = null
    this.carried = false
  }

  private take(input: TuiInput): void {
    const { carried } = this
    this.carried = false
    this.told(input, carried)
  }

  private step(): boolean {
    if (this.pasted !== null) return this.stepPaste(this.pasted)
    const { held } = this
    if (held === '') return false
    if (held.startsWith(PASTE)) {
      this.held = held.slice(PASTE.length)
      this.pasted = ''
      return true
    }
    if (held.startsWith('\x1b')) return this.stepEscape()
    const key = KEYS[held[0] ?? '']
    if (key !== undefined) {
      this.held = held.slice(1)
      this.take({ type: 'key', key })
      return true
    }
    const text = /^[^\u0000-\u001f\u007f]+/u.exec(held)?.[0]
    this.held = held.slice(text?.length ?? 1)
    if (text !== undefined) this.take({ type: 'text', text })
    return true
  }

  private stepPaste(sofar: string): boolean {
    const end = this.held.indexOf(PASTE_END)
    if (end < 0) {
      // The mark itself may be cut.
      const keep = Math.min(this.held.length, PASTE_END.length - 1)
      this.pasted = sofar + this.held.slice(0, this.held.length - keep)
      this.held = this.held.slice(this.held.length - keep)
      return false
    }
    const text = sofar + this.held.slice(0, end)
    this.held = this.held.slice(end + PASTE_END.length)
    this.pasted = null
    this.take({ type: 'paste', text })
    return true
  }

  private stepEscape(): boolean {
    const sequence = /^\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z]|[\r\x7f]|\x1b(?=.|$))/u.exec(this.held)?.[0]
    if (sequence === undefined) {
      if (this.held.length === 1 || /^\x1b(?:\[[0-9;]*|O)$/u.test(this.held)) return false
      this.held = this.held.slice(1)
      this.take({ type: 'key', key: 'Escape' })
      return true
    }
    const length = sequence === '\x1b\x1b' ? 1 : sequence.length
    this.held = this.held.slice(length)
    this.take({ type: 'key', key: sequence === '\x1b\x1b' ? 'Escape' : (KEYS[sequence] ?? 'other') })
    return true
  }
}
