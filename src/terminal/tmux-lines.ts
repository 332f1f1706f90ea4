/**
 * @module The control-mode protocol, read: reply blocks and notices from bytes in any chunks.
 */

/** What a line, or a block of lines, meant. */
export type ControlMessage =
  /** The reply to one command of ours. */
  | { readonly type: 'reply'; readonly ok: boolean; readonly text: string }
  /** `%name rest`: something happened. */
  | { readonly type: 'notice'; readonly name: string; readonly rest: string }

/** tmux sets this flag on blocks that answer our stdin; hooks and the start command have 0. */
const OURS = '1'

export class ControlLines {
  readonly #onMessage: (message: ControlMessage) => void
  #partial: Buffer[] = []
  /** `time number flags` of the open block: a body line that looks like an end carries another one. */
  #open: string | null = null
  #body: string[] = []

  constructor(onMessage: (message: ControlMessage) => void) {
    this.#onMessage = onMessage
  }

  feed(chunk: Buffer): void {
    let start = 0
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      // Decoded by whole lines: a character may be split over chunks.
      const line = Buffer.concat([...this.#partial, chunk.subarray(start, end)]).toString('utf8')
      this.#partial = []
      start = end + 1
      this.#line(line)
    }
    if (start < chunk.length) this.#partial.push(chunk.subarray(start))
  }

  #line(line: string): void {
    if (this.#open === null) {
      if (line.startsWith('%begin ')) {
        this.#open = line.slice('%begin '.length)
        this.#body = []
      } else if (line.startsWith('%')) {
        const space = line.indexOf(' ')
        const name = space < 0 ? line : line.slice(0, space)
        this.#onMessage({ type: 'notice', name, rest: space < 0 ? '' : line.slice(space + 1) })
      }
      return
    }
    const ok = line === `%end ${this.#open}`
    if (!ok && line !== `%error ${this.#open}`) {
      this.#body.push(line)
      return
    }
    const ours = this.#open.split(' ')[2] === OURS
    this.#open = null
    if (ours) this.#onMessage({ type: 'reply', ok, text: this.#body.join('\n') })
  }
}
