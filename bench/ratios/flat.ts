/** @module bench/ratios/flat - what a MB costs at the start of one session and after many. */
import { Pipeline } from '../pipeline.js'
import type { Ratio, Row } from '../ratio.js'
import { FRAME_MS, PROGRAMS } from '../streams/index.js'

const MB = 1_000_000
const CHUNK = 16_384

/** CPU of each MB, in ms. The program is one that never stops. */
function costs(
  bytes: number,
  note: (line: string) => void,
): { readonly perMb: number[]; readonly rss: number[] } {
  const { make, vendor } = PROGRAMS.stream
  const session = new Pipeline({ cols: 120, rows: 40, vendor })
  const [perMb, rss]: [number[], number[]] = [[], []]
  let [pending, held, fed, at] = [[] as string[], 0, 0, 0]
  let before = process.cpuUsage()
  let making = 0
  const frames = make(1)
  while (fed < bytes) {
    const start = process.cpuUsage()
    while (held < CHUNK) {
      const frame = frames.next().value as string
      pending.push(frame)
      held += frame.length
    }
    const piece = Buffer.from(pending.join(''))
    const spent = process.cpuUsage(start)
    making += spent.user + spent.system
    pending = []
    held = 0
    at += FRAME_MS
    session.feed({ at, bytes: piece })
    const mb = Math.floor(fed / MB)
    fed += piece.length
    if (Math.floor(fed / MB) === mb) continue
    const { user, system } = process.cpuUsage(before)
    perMb.push((user + system - making) / 1000)
    rss.push(process.memoryUsage.rss() / MB)
    before = process.cpuUsage()
    making = 0
    if (perMb.length % 10 === 0) note(`flat ${perMb.length} MB`)
  }
  session.close()
  return { perMb, rss }
}

const middle = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

export const flat: Ratio = {
  id: 'flat',
  run({ longBytes, quick, note }) {
    const bytes = quick ? Math.min(longBytes, 12 * MB) : longBytes
    const { perMb, rss } = costs(bytes, note)
    // The first MB warm the compiler up.
    const warm = Math.min(5, perMb.length >> 2)
    const part = Math.max(1, Math.floor((perMb.length - warm) / 4))
    const [first, last] = [middle(perMb.slice(warm, warm + part)), middle(perMb.slice(-part))]
    const rows: Row[] = [
      {
        id: 'flat',
        on: `stream, one session of ${Math.round(bytes / MB)} MB: last quarter / first`,
        value: last / first,
        unit: 'x',
        aim: 1.25,
        detail: `${first.toFixed(1)} and ${last.toFixed(1)} ms/MB; RSS ${rss[warm]?.toFixed(0)} to ${rss.at(-1)?.toFixed(0)} MB`,
      },
    ]
    return rows
  },
}
