/** @module adapters/claude/sources - hooks, transcript and status file, as they happen. */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import {
  type Following,
  followFile,
  JsonlTail,
  type LaunchPlan,
  type Observation,
  type SideChannel,
  type SourceContext,
} from '../../src/adapter/index.js'
import { Correlator } from './correlate.js'
import { isTranscript, statusFile } from './paths.js'
import { Hook, Status, TranscriptRecord } from './records.js'

/** Transcripts that stay followed: a session may go back to one (`/resume`). */
const TAILS = 10
/** How long an idle status may stand beside a turn that nothing has answered: an interrupt before the first word. */
const UNANSWERED_MS = 2500
/** The same beside an answered turn, whose end the transcript will have (measured 0.15 to 0.45 s later). */
const ANSWERED_MS = 20_000

export function sources(plan: LaunchPlan): readonly SideChannel[] {
  return [new ClaudeChannel(plan)]
}

class ClaudeChannel implements SideChannel {
  readonly name = 'claude'
  private readonly correlator = new Correlator(new Date().toISOString())
  private context: SourceContext | null = null
  private readonly tails = new Map<string, JsonlTail>()
  private current = ''
  private statusFollow: Following | null = null
  private statusText = ''
  private idleTimer: NodeJS.Timeout | null = null
  private readonly faults = new Set<string>()

  constructor(private readonly plan: LaunchPlan) {}

  async start(context: SourceContext): Promise<void> {
    this.context = context
    context.onHook(async (body) => this.onHook(body))
    if (this.plan.facts.transcript) this.followTranscript(this.plan.facts.transcript, 'bridge')
    void context.pid.then((pid) => {
      if (!context.signal.aborted) this.followStatus(statusFile(this.plan.facts.configFolder ?? '', pid))
    })
  }

  async stop(): Promise<void> {
    for (const tail of this.tails.values()) tail.stop()
    this.statusFollow?.stop()
    this.clearIdle()
  }

  /** Answered at once: the vendor's display waits for it. */
  private onHook(body: unknown): unknown {
    const parsed = Hook.safeParse(body)
    if (!parsed.success) {
      this.fault('hook', `a hook post has an unknown shape: ${parsed.error.issues[0]?.path.join('.') ?? ''}`)
      return {}
    }
    const hook = parsed.data
    const transcript = hook.transcript_path ?? ''
    if (
      transcript !== this.current &&
      !hook.agent_id &&
      isTranscript(this.plan.facts.configFolder ?? '', transcript)
    ) {
      this.followTranscript(transcript, 'hook')
    }
    this.emit(this.correlator.hook(hook))
    if (hook.hook_event_name.startsWith('Stop')) this.drain()
    return {}
  }

  private followTranscript(file: string, source: 'bridge' | 'hook'): void {
    this.current = file
    this.emit([
      { type: 'vendor.session', source, vendorSessionId: basename(file, '.jsonl'), transcript: file },
    ])
    // One that was followed before goes on where it was: nothing of it is read again.
    if (this.tails.has(file)) return
    for (const [oldest, tail] of this.tails) {
      if (this.tails.size < TAILS) break
      tail.stop()
      this.tails.delete(oldest)
    }
    const tail = new JsonlTail(file, {
      onRecord: (record) => {
        const parsed = TranscriptRecord.safeParse(record)
        if (parsed.success) this.emit(this.correlator.record(parsed.data))
        else
          this.fault(
            'transcript',
            `a record has an unknown shape: ${parsed.error.issues[0]?.path.join('.') ?? ''}`,
          )
      },
      onFault: (detail) => this.fault('transcript', detail),
    })
    this.tails.set(file, tail)
  }

  private drain(): void {
    this.tails.get(this.current)?.drain()
  }

  private followStatus(file: string): void {
    this.statusFollow = followFile(
      file,
      () => {
        let text: string
        try {
          text = readFileSync(file, 'utf8')
        } catch {
          return
        }
        if (text === this.statusText) return
        const status = parseStatus(text)
        // Half written: the rest of the write tells again.
        if (!status) return
        this.statusText = text
        this.emit(this.correlator.status(status))
        this.watchIdle(status.status === 'idle')
      },
      (detail) => this.fault('transcript', detail),
    )
  }

  private watchIdle(idle: boolean): void {
    this.clearIdle()
    if (!idle) return
    this.drain()
    const turn = this.correlator.openTurn
    if (turn === null) return
    const ms = this.correlator.endExpected ? ANSWERED_MS : UNANSWERED_MS
    this.idleTimer = setTimeout(() => {
      this.drain()
      if (this.correlator.openTurn === turn) this.emit(this.correlator.idleWithoutEnd())
    }, ms)
  }

  private clearIdle(): void {
    if (this.idleTimer) clearTimeout(this.idleTimer)
    this.idleTimer = null
  }

  private emit(observations: readonly Observation[]): void {
    for (const o of observations) this.context?.emit(o)
  }

  /** Each kind of fault once: a changed vendor would otherwise tell one with every record. */
  private fault(what: string, detail: string): void {
    if (this.faults.has(detail) || this.faults.size > 50) return
    this.faults.add(detail)
    this.emit([
      { type: 'gap', source: what === 'hook' ? 'hook' : 'transcript', what: `claude.${what}`, detail },
    ])
  }
}

function parseStatus(text: string): Status | null {
  try {
    return Status.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
