/** @module adapters/claude/sources - hooks, transcript and status file, as they happen. */
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import {
  type Following,
  followFile,
  JsonlTail,
  type LaunchPlan,
  type Observation,
  type SideChannel,
  type SourceContext,
} from '../../src/adapter/index.js'
import { MeowError } from '../../src/protocol/errors.js'
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
  private correlator = new Correlator(new Date().toISOString())
  private context: SourceContext | null = null
  private readonly tails = new Map<string, JsonlTail>()
  private current = ''
  private statusFollow: Following | null = null
  private statusText = ''
  private sessionId = ''
  private idleTimer: NodeJS.Timeout | null = null
  private readonly faults = new Set<string>()

  constructor(private readonly plan: LaunchPlan) {}

  async start(context: SourceContext): Promise<void> {
    this.context = context
    context.onHook(async (body) => this.onHook(body))
    const { transcript = '', configFolder = '' } = this.plan.facts
    if (transcript && !context.resumed) this.followTranscript(transcript, 'bridge')
    void context.pid.then((pid) => {
      if (context.signal.aborted) return
      const file = statusFile(configFolder, pid)
      if (context.resumed) this.tellAgain(file, transcript)
      this.followStatus(file)
      if (context.resumed) this.emit([{ type: 'caught_up', source: 'transcript' }])
    })
  }

  /**
   * The program ran before this bridge: its transcripts from their start, the one of the launch and the one that it is
   * in now. What is older than the program is another's history, as it was at the launch.
   */
  private tellAgain(status: string, launched: string): void {
    const now = readStatus(status)
    const since = now?.startedAt === undefined ? '' : new Date(now.startedAt).toISOString()
    this.correlator = new Correlator(launched ? '' : since)
    const current = now?.sessionId ? this.transcriptOf(now.sessionId) : ''
    if (launched && launched !== current) this.tail(launched)
    if (current || launched) this.followTranscript(current || launched, 'bridge')
    this.sessionId = now?.sessionId ?? ''
    // Records whose parent was not written yet: what is there is told.
    this.emit(this.correlator.releaseLate())
  }

  /** What a side channel of the session can be asked: to tell what a script saw and no record has. */
  async call(method: string, params: unknown): Promise<unknown> {
    const seen = SeenByScript.safeParse(params)
    if (method !== 'mode' || !seen.success)
      throw new MeowError('unsupported', `Claude Code's side channel has no call ${method}`)
    this.emit(this.correlator.modeSeen(seen.data.mode))
    return {}
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
    // What is queued is in the transcript before the hook has its turn.
    if (hook.hook_event_name === 'UserPromptSubmit') this.drain()
    this.emit(this.correlator.hook(hook))
    if (hook.hook_event_name.startsWith('Stop')) this.drain()
    return {}
  }

  private followTranscript(file: string, source: 'bridge' | 'hook' | 'transcript'): void {
    this.current = file
    this.emit([
      { type: 'vendor.session', source, vendorSessionId: basename(file, '.jsonl'), transcript: file },
    ])
    this.tail(file)
  }

  private transcriptOf(sessionId: string): string {
    const { projectFolder = '', transcript = '' } = this.plan.facts
    return join(
      this.current ? dirname(this.current) : projectFolder || dirname(transcript),
      `${sessionId}.jsonl`,
    )
  }

  /** One that was followed before goes on where it was: nothing of it is read again. */
  private tail(file: string): void {
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
        const text = readText(file)
        if (text === null || text === this.statusText) return
        const status = parseStatus(text)
        // Half written: the rest of the write tells again.
        if (!status) return
        this.statusText = text
        this.switched(status)
        this.emit(this.correlator.status(status))
        this.watchIdle(status.status === 'idle')
      },
      (detail) => this.fault('transcript', detail),
    )
  }

  /** The program went to another session (`/clear`, `/branch`, `/resume`): no hook is called for that. */
  private switched(status: Status): void {
    const { sessionId = '' } = status
    if (sessionId === '' || sessionId === this.sessionId) return
    this.sessionId = sessionId
    const file = this.transcriptOf(sessionId)
    const known = isTranscript(this.plan.facts.configFolder ?? '', file) && file !== this.current
    if (known) this.followTranscript(file, 'transcript')
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

const SeenByScript = z.object({ mode: z.string() })

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function readStatus(file: string): Status | null {
  const text = readText(file)
  return text === null ? null : parseStatus(text)
}

function parseStatus(text: string): Status | null {
  try {
    return Status.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
