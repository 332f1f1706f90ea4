/** @module test/delivery/tui/box - the prompt box: what is in it, and how it is shown. */

export class Box {
  private parts: { readonly text: string; readonly shown: string }[] = []
  private marks = 0

  get text(): string {
    return this.parts.map((p) => p.text).join('')
  }

  get shown(): string {
    return this.parts.map((p) => p.shown).join('')
  }

  type(text: string): void {
    this.parts.push({ text, shown: text })
  }

  paste(text: string, collapseFrom: number, hidden: boolean): void {
    const lines = text.split('\n').length - 1
    if (text.length < collapseFrom) {
      this.parts.push({ text, shown: hidden ? '' : text })
      return
    }
    this.marks += 1
    const shown = `[Pasted text #${this.marks}${lines > 0 ? ` +${lines} lines` : ''}]`
    this.parts.push({ text, shown })
  }

  /** Takes the last character, or the whole of a mark. */
  back(): void {
    const last = this.parts.pop()
    if (!last || last.shown !== last.text) return
    const text = [...last.text].slice(0, -1).join('')
    if (text !== '') this.parts.push({ text, shown: text })
  }

  set(text: string): void {
    this.parts = text === '' ? [] : [{ text, shown: text }]
  }
}
