/**
 * @module test/delivery/tui/races - what a bridge cannot know: what happened in the program while its key was on the way,
 * or so shortly before that no frame had shown it. Each excuse needs the thing itself, not only the moment.
 */
import { ESC_MS } from './input.js'
import type { LogEntry } from './script.js'
import type { Asked } from './truth.js'
import type { World } from './world.js'

/** How long what stands on the screen may not be known to the bridge, in ms, beside the way: a frame. */
const UNSEEN_MS = 0

type Entry = LogEntry & { readonly at: number }

export class Races {
  constructor(
    private readonly world: World,
    private readonly texts: ReadonlySet<string>,
    private readonly asked: Asked,
    private readonly latency: number,
  ) {}

  /** The race that explains an entry which nobody asked for; null: none does. */
  explains(entry: Entry): string | null {
    const { world, latency } = this
    // A lone ESC is a key only when nothing has followed for a while.
    const esc = entry.kind === 'answer' && entry.text.endsWith(': cancelled')
    const pressed = world.terminal.sent.findLast(
      (s) => s.by === 'bridge' && s.at <= entry.at && (!esc || s.bytes.startsWith('\x1b')),
    )
    if (!pressed || entry.at - pressed.at > latency + (esc ? ESC_MS : 0)) return null
    // What the program did after this moment the bridge had not seen when it pressed.
    const seen = pressed.at - latency - UNSEEN_MS
    if (entry.kind === 'answer') return this.answer(entry, seen, pressed.at - latency)
    if (entry.kind === 'lost') return this.restarted(entry, seen)
    return this.mixed(entry, seen)
  }

  /** A key in a dialog: it was not open yet, or a person moved its selection. `wire`: what is newer had not arrived. */
  private answer(entry: Entry, seen: number, wire: number): string | null {
    const [, title = '', nth = ''] = /^(.* \((\d+)\)): [^:]*$/u.exec(entry.text) ?? []
    const opened = this.world.tui.askedAt[Number(nth) - 1]
    if (opened !== undefined && opened >= seen && opened <= entry.at)
      return opened >= wire ? 'the dialog opened while it was on its way' : 'no frame had shown the dialog'
    const wanted = [...this.asked.answers].some((a) => a.startsWith(`${title}: `))
    const moved = this.personKeys(seen, entry.at).includes('\x1b[B')
    return wanted && moved ? 'a person moved the selection' : null
  }

  private restarted(entry: Entry, seen: number): string | null {
    const began = this.world.tui.restartedAt.some((at) => at >= seen && at <= entry.at)
    return began ? 'the program had just started itself anew' : null
  }

  /** A text of the bridge's and of a person's keys, or of those alone. */
  private mixed(entry: Entry, seen: number): string | null {
    const keys = this.personKeys(seen, entry.at)
    const known = [...this.texts, ...this.asked.commands].filter((t) => entry.text.includes(t))
    const own = known.sort((a, b) => b.length - a.length)[0]
    const rest = own === undefined ? entry.text : entry.text.replace(own, '').trim()
    if (!/^P[P\d ]*$/u.test(rest)) return null
    if (own !== undefined && keys.some((k) => `${rest} `.includes(k))) return 'a person typed into it'
    if (own === undefined && keys.includes('\x15')) return 'a person had put their own text in its place'
    const answers = this.world.log.filter((e) => e.kind === 'answer' && e !== entry)
    const gone = answers.some((e) => e.at >= seen && e.at <= entry.at)
    return gone ? 'the dialog that it was for had just gone' : null
  }

  /** What a person pressed that reached the program in this time. */
  private personKeys(from: number, to: number): string[] {
    const { latency } = this
    return this.world.terminal.sent
      .filter((s) => s.by === 'person' && s.at >= from - latency && s.at <= to)
      .map((s) => s.bytes)
  }
}
