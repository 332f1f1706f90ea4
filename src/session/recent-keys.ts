/** @module session/recent-keys - the keys already told, bounded: the oldest are forgotten first. */

/** A set that remembers the newest `limit` keys. */
export class RecentKeys {
  private readonly keys = new Set<string>()

  constructor(private readonly limit: number) {}

  /** Adds a key; false when it was there already. */
  add(key: string): boolean {
    if (this.keys.has(key)) return false
    this.keys.add(key)
    if (this.keys.size > this.limit) {
      for (const oldest of this.keys) {
        this.keys.delete(oldest)
        break
      }
    }
    return true
  }

  has(key: string): boolean {
    return this.keys.has(key)
  }
}
