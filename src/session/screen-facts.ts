/** @module session/screen-facts - what the screen alone can tell of a live session: dialogs, a person's draft. Pure. */
import type { Dialog, Observation, Reading } from '../adapter/index.js'

/** The newest dialogs that can still be named, so that an answer to one that is gone is told from nonsense. */
const KEPT = 200

/** Dialogs as they come and go. */
export class DialogWatch {
  private open: { readonly key: string; readonly dialog: Dialog } | null = null
  private readonly past = new Map<string, Dialog>()
  private count = 0

  get current(): { readonly key: string; readonly dialog: Dialog } | null {
    return this.open
  }

  /** The dialog of a key, open or gone. */
  find(key: string): Dialog | null {
    return this.open?.key === key ? this.open.dialog : (this.past.get(key) ?? null)
  }

  /** What a new reading says of dialogs. */
  read(reading: Reading, answerable: boolean): Observation[] {
    const { dialog } = reading
    if (dialog?.fingerprint === this.open?.dialog.fingerprint) return []
    // A screen that nobody knows may be half drawn: it does not close a dialog.
    if (!dialog && reading.state === 'unknown') return []
    const told: Observation[] = []
    if (this.open) {
      told.push({ source: 'screen', type: 'dialog.closed', key: this.open.key })
      this.past.set(this.open.key, this.open.dialog)
      for (const oldest of this.past.keys()) {
        if (this.past.size <= KEPT) break
        this.past.delete(oldest)
      }
    }
    this.open = null
    if (!dialog) return told
    this.count += 1
    const key = `screen:${this.count}`
    this.open = { key, dialog }
    const options = dialog.options.filter((o) => o.key !== '').map(({ key, label }) => ({ key, label }))
    told.push({
      source: 'screen',
      type: 'dialog.opened',
      key,
      title: dialog.title,
      detail: [...reading.evidence].join('\n'),
      kind: dialog.kind,
      options: answerable ? options : [],
    })
    return told
  }
}

/** What a person has typed into the prompt box and not sent. */
export class DraftWatch {
  private text: string | null = null

  get current(): string | null {
    return this.text
  }

  /**
   * The new draft; undefined where nothing changed.
   * @param ours the bridge itself is typing: what stands in the box is no draft
   */
  read(reading: Reading, ours: boolean): string | null | undefined {
    if (!reading.composer || ours) return undefined
    const text = reading.composer.text === '' ? null : reading.composer.text
    if (text === this.text) return undefined
    this.text = text
    return text
  }
}
