/** @module test/replay/cast-text - a recording as the text of an asciicast v3. */
import type { CastEvent } from '../../src/terminal/index.js'

export interface CastTextOptions {
  /** Whose program it shows; null for a header that does not say. */
  readonly vendor?: string | null
  readonly cols?: number
  readonly rows?: number
}

/** Events must be in order of time. */
export function castText(events: readonly CastEvent[], options: CastTextOptions = {}): string {
  const { vendor = 'painter', cols = 80, rows = 24 } = options
  const term = { cols, rows, type: 'xterm-256color' }
  const head = { version: 3, term, ...(vendor === null ? {} : { vendor: { id: vendor, version: '1.0' } }) }
  let before = 0
  const lines = events.map(({ at, kind, data }) => {
    const line = JSON.stringify([(at - before) / 1000, kind, data])
    before = at
    return line
  })
  return `${[JSON.stringify(head), ...lines].join('\n')}\n`
}
