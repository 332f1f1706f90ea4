/** @module adapters/claude/display - joins the MessageDisplay hook's pieces and meets them with the transcript. */
import type { Observation } from '../../src/adapter/index.js'
import type { Hook } from './records.js'

interface Shown {
  key: string
  /** Pieces in order, joined. */
  text: string
  next: number
  /** The hook's calls overlap (up to three in flight): pieces that came before their turn. */
  readonly early: Map<number, string>
  /** The transcript has told this message; pieces that still come add nothing. */
  recorded: boolean
}

/** So much of a text's first line names it. */
const LINE = 60
/** Most first lines that are counted. */
const COUNTED = 5000
/** Most messages that wait for their other half. */
const KEPT = 50

/**
 * The hook names messages by ids that the transcript does not have. Both keep the order, and the joined pieces equal
 * the transcript's text (72 of 72 messages measured), so a record meets the oldest message whose text begins it.
 */
export class Display {
  private readonly shown = new Map<string, Shown>()
  /** Texts that the transcript told before the hook showed them. */
  private readonly ahead: string[] = []
  private readonly counts = new Map<string, number>()

  /** `scope` names the turn, the same for whoever tells it. */
  constructor(private readonly scope: () => string) {}

  /** The oldest message that is told and not yet recorded. */
  get openKey(): string | undefined {
    for (const s of this.shown.values()) if (!s.recorded && s.text !== '') return s.key
    return undefined
  }

  /** One post of the hook. */
  piece(hook: Hook): Observation[] {
    if (hook.message_id === undefined) return []
    const shown = this.message(hook.message_id)
    shown.early.set(hook.index ?? 0, hook.delta ?? '')
    const before = shown.text
    for (let next = shown.early.get(shown.next); next !== undefined; next = shown.early.get(shown.next)) {
      shown.early.delete(shown.next)
      shown.next += 1
      shown.text += next
    }
    if (shown.recorded || shown.text === before) return []
    const at = this.ahead.findIndex((text) => text.startsWith(shown.text))
    if (at >= 0) {
      this.ahead.splice(at, 1)
      shown.recorded = true
      return []
    }
    // Pieces are whole lines: the first one has the line that names the text.
    if (shown.key === '') shown.key = this.keyOf(shown.text)
    const delta = shown.text.slice(before.length)
    return [{ type: 'text.delta', source: 'hook', key: shown.key, kind: 'assistant_message', delta }]
  }

  /**
   * The key under which a recorded text is to be told. Several texts of one message are shown as one: `rest` is what
   * was shown beyond this one, to be told again under a key of its own.
   */
  recorded(text: string): { key: string; rest: Observation[] } {
    for (const shown of this.shown.values()) {
      if (shown.recorded || shown.text === '') continue
      if (text.startsWith(shown.text)) {
        shown.recorded = true
        return { key: shown.key, rest: [] }
      }
      if (!shown.text.startsWith(text)) continue
      const key = shown.key
      shown.text = shown.text.slice(text.length)
      shown.key = this.keyOf(shown.text)
      const delta = shown.text
      return {
        key,
        rest: [{ type: 'text.delta', source: 'hook', key: shown.key, kind: 'assistant_message', delta }],
      }
    }
    this.ahead.push(text)
    if (this.ahead.length > KEPT) this.ahead.shift()
    return { key: this.keyOf(text), rest: [] }
  }

  /** A new turn begins: what has not met its other half by now never will. */
  clear(): void {
    this.shown.clear()
    this.ahead.length = 0
  }

  /**
   * A text by its turn, its first line and how many of the turn began so: hook and transcript count alike, so that it
   * has the same key whoever tells it, also after a restart.
   */
  private keyOf(text: string): string {
    const line = (text.split('\n', 1)[0] ?? '').slice(0, LINE)
    const name = `text:${this.scope()}:${line}`
    const n = this.counts.get(name) ?? 0
    this.counts.delete(name)
    this.counts.set(name, n + 1)
    for (const oldest of this.counts.keys()) {
      if (this.counts.size <= COUNTED) break
      this.counts.delete(oldest)
    }
    return `${name}:${n}`
  }

  private message(id: string): Shown {
    const known = this.shown.get(id)
    if (known) return known
    const shown: Shown = { key: '', text: '', next: 0, early: new Map(), recorded: false }
    this.shown.set(id, shown)
    if (this.shown.size > KEPT) {
      for (const oldest of this.shown.keys()) {
        this.shown.delete(oldest)
        break
      }
    }
    return shown
  }
}
