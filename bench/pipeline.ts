/**
 * @module bench/pipeline - the two sides of R1 and R2: the bare emulator, and everything from bytes to a journalled
 * event that a client is sent.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import serializeAddon from '@xterm/addon-serialize'
import headless, { type ITerminalAddon, type Terminal } from '@xterm/headless'
import { readers } from '../adapters/registry.js'
import type { VendorReader } from '../src/adapter/index.js'
import type { Journal } from '../src/journal/journal.js'
import { openJournal } from '../src/journal/sqlite-journal.js'
import type { EventDraft } from '../src/protocol/events.js'
import { countingIds } from '../src/protocol/ids.js'
import { Conversation } from '../src/session/conversation.js'
import { EventLog } from '../src/session/event-log.js'
import { ReplayClock } from '../src/session/replay.js'
import { ScreenConversation } from '../src/session/screen-conversation.js'
import { startingInfo } from '../src/session/starting.js'
import { countClusters } from '../src/terminal/clusters.js'
import { SCROLLBACK, Screen } from '../src/terminal/index.js'
import type { Side } from './harness.js'
import type { Workload } from './streams/index.js'

/** What a side did, beside taking time. */
export interface Ran {
  readonly frames: number
  readonly events: number
  /** JSON that a client was sent, in bytes. */
  readonly out: number
}

/** The emulator as `Screen` sets it up, and nothing else. */
export function bareTerminal(
  cols: number,
  rows: number,
): { terminal: Terminal; write(bytes: Uint8Array): void } {
  const terminal = new headless.Terminal({
    cols,
    rows,
    scrollback: SCROLLBACK,
    allowProposedApi: true,
    logLevel: 'off',
  })
  countClusters(terminal)
  terminal.loadAddon(new serializeAddon.SerializeAddon() as unknown as ITerminalAddon)
  const { _core: core } = terminal as unknown as {
    _core: { _writeBuffer: { writeSync(bytes: Uint8Array): void } }
  }
  return { terminal, write: (bytes) => core._writeBuffer.writeSync(bytes) }
}

/** Parses and does nothing else. */
export function bare(load: Workload): Side {
  const { terminal, write } = bareTerminal(load.cols, load.rows)
  return {
    run: () => {
      for (const piece of load.pieces) write(piece.bytes)
    },
    done: () => terminal.dispose(),
  }
}

export function readerOf(vendor: string): VendorReader {
  const reader = readers.find((r) => r.vendor.id === vendor)
  if (!reader) throw new Error(`no reader is called ${vendor}`)
  return reader
}

/** Ways to leave parts out: what each part costs is the difference. */
export type Depth = 'frames' | 'read' | 'whole'

/** One session's road from bytes to the client, on a journal in a temporary folder. */
export class Pipeline {
  readonly screen: Screen
  readonly clock = new ReplayClock()
  private readonly folder: string | null
  private readonly journal: Journal
  private readonly reader: ScreenConversation | null
  private drafts: EventDraft[] = []
  private counted = { frames: 0, events: 0, out: 0 }

  /** @param shared a journal of several sessions; its own unless told */
  constructor(
    load: Pick<Workload, 'cols' | 'rows' | 'vendor'>,
    depth: Depth = 'whole',
    shared: { readonly journal: Journal; readonly id: string } | null = null,
  ) {
    this.folder = shared === null ? mkdtempSync(join(tmpdir(), 'meow-bench-')) : null
    this.journal = shared?.journal ?? openJournal(join(this.folder ?? '', 'journal.db'))
    const { cols, rows, vendor } = load
    this.screen = new Screen({ cols, rows, scrollback: SCROLLBACK, clock: this.clock, onFault: fail })
    const newId = countingIds()
    const conversation = new Conversation(newId, () => null, null)
    const request = { vendor, cwd: '/', args: [], cols, rows, backend: 'tmux' as const, skipAuthCheck: true }
    const deps = { journal: this.journal, now: () => Math.round(this.clock.now()), newId, log: fail }
    const log = new EventLog(deps, startingInfo(shared?.id ?? 'bench', request, 0))
    log.events.add((events) => {
      this.counted.events += events.length
      this.counted.out += Buffer.byteLength(JSON.stringify({ type: 'events', sessionId: 'bench', events }))
    })
    const whole = depth === 'whole'
    this.reader =
      depth === 'frames'
        ? null
        : new ScreenConversation(readerOf(vendor), this.clock, (observations) => {
            if (whole) for (const one of observations) this.drafts.push(...conversation.observe(one))
          })
    this.screen.onFrame((frame) => {
      this.counted.frames += 1
      this.reader?.frame(frame)
      if (this.drafts.length === 0) return
      log.record(this.drafts)
      this.drafts = []
    })
  }

  feed(piece: Workload['pieces'][number]): void {
    this.clock.advance(piece.at)
    this.screen.write(piece.bytes)
  }

  close(): Ran {
    this.screen.dispose()
    if (this.folder !== null) {
      this.journal.close()
      rmSync(this.folder, { recursive: true, force: true })
    }
    return this.counted
  }
}

/** The whole road of a workload, or its beginning. */
export function pipeline(load: Workload, depth: Depth = 'whole', told: (ran: Ran) => void = () => {}): Side {
  const session = new Pipeline(load, depth)
  return {
    run: () => {
      for (const piece of load.pieces) session.feed(piece)
    },
    done: () => told(session.close()),
  }
}

function fail(error: unknown): never {
  throw error instanceof Error ? error : new Error(String(error))
}
