/** @module web/model/draft - a view being changed: copies a list or map once, when it is first written. */
import type { Conversation, Delivery, Entry, ItemEntry, Turn } from './view.js'
import { itemKey } from './view.js'

/** The plain fields of a view that reducers may set. */
type Fields = Omit<Conversation, 'entries' | 'places' | 'turns' | 'deliveries' | 'sessionId'>

/** Changes to a view; nothing is seen outside before {@link Draft.finish}. */
export class Draft {
  readonly #base: Conversation
  readonly #fields: { -readonly [K in keyof Fields]?: Fields[K] } = {}
  #entries: Entry[] | null = null
  #places: Map<string, number> | null = null
  #turns: Map<string, Turn> | null = null
  #deliveries: Map<string, Delivery> | null = null
  #touched = false

  constructor(base: Conversation) {
    this.#base = base
  }

  /** A plain field as it stands in this draft. */
  get<K extends keyof Fields>(field: K): Fields[K] {
    const own = this.#fields[field]
    return own === undefined ? this.#base[field] : (own as Fields[K])
  }

  set(fields: Partial<Fields>): void {
    Object.assign(this.#fields, fields)
    this.#touched = true
  }

  entries(): readonly Entry[] {
    return this.#entries ?? this.#base.entries
  }

  entry(key: string): Entry | undefined {
    const place = (this.#places ?? this.#base.places).get(key)
    return place === undefined ? undefined : this.entries()[place]
  }

  item(itemId: string): ItemEntry | undefined {
    const found = this.entry(itemKey(itemId))
    return found?.type === 'item' ? found : undefined
  }

  /** Replaces the entry with this key where it stands, or adds it: before the entry named `before`, else at the end. */
  put(entry: Entry, before?: string): void {
    this.#touched = true
    this.#entries ??= [...this.#base.entries]
    const place = (this.#places ?? this.#base.places).get(entry.key)
    if (place !== undefined) {
      this.#entries[place] = entry
      return
    }
    this.#places ??= new Map(this.#base.places)
    const at = before === undefined ? undefined : this.#places.get(before)
    if (at === undefined) {
      this.#places.set(entry.key, this.#entries.length)
      this.#entries.push(entry)
      return
    }
    this.#entries.splice(at, 0, entry)
    for (const [n, moved] of this.#entries.entries()) if (n >= at) this.#places.set(moved.key, n)
  }

  turn(turnId: string): Turn | undefined {
    return (this.#turns ?? this.#base.turns).get(turnId)
  }

  putTurn(turn: Turn): void {
    this.#touched = true
    this.#turns ??= new Map(this.#base.turns)
    this.#turns.set(turn.turnId, turn)
  }

  delivery(messageId: string): Delivery | undefined {
    return (this.#deliveries ?? this.#base.deliveries).get(messageId)
  }

  putDelivery(delivery: Delivery): void {
    this.#touched = true
    this.#deliveries ??= new Map(this.#base.deliveries)
    this.#deliveries.set(delivery.messageId, delivery)
  }

  /** The new view; the very same object when nothing changed. */
  finish(): Conversation {
    if (!this.#touched) return this.#base
    return {
      ...this.#base,
      ...this.#fields,
      entries: this.entries(),
      places: this.#places ?? this.#base.places,
      turns: this.#turns ?? this.#base.turns,
      deliveries: this.#deliveries ?? this.#base.deliveries,
    }
  }
}
