/** @module pi/sources - the extension inside Pi as this session's side channel. */
import type { LaunchPlan, SideChannel, SourceContext } from '../../src/adapter/index.js'
import { MeowError } from '../../src/protocol/errors.js'
import { FACTS } from './launch.js'
import { PiListener } from './listener.js'
import { PiMapper } from './mapper.js'
import { differences } from './transcript.js'
import type { Hello, Numbered } from './wire.js'

export function sources(plan: LaunchPlan): readonly SideChannel[] {
  return [new PiChannel(fact(plan, FACTS.socket), fact(plan, FACTS.token))]
}

function fact(plan: LaunchPlan, name: string): string {
  const value = plan.facts[name]
  if (!value) throw new MeowError('internal', `the launch plan has no ${name}`)
  return value
}

/** How long a call may take, in ms, where it waits for more than Pi's own hands: a model sums up the conversation. */
const SLOW_MS: Readonly<Record<string, number>> = {
  compact: 600_000,
  clear: 60_000,
  fork: 60_000,
  resume: 60_000,
}

export class PiChannel implements SideChannel {
  readonly name = 'pi.extension'
  private readonly mapper = new PiMapper()
  private readonly comparing = new Set<Promise<void>>()
  private listener: PiListener | null = null
  private stopped: Promise<void> | null = null

  constructor(
    private readonly socket: string,
    private readonly token: string,
  ) {}

  async start(context: SourceContext): Promise<void> {
    // The context's signal is not for the listener: what a dead Pi has left in the socket is read by `stop`.
    this.listener = new PiListener({
      path: this.socket,
      token: this.token,
      onInstance: (hello) => this.greeted(hello, context),
      onFact: (f, instance) => this.tell(f, instance, context),
      onGap: (detail) => context.emit({ source: 'hook', type: 'gap', what: this.name, detail }),
      resumed: context.resumed,
      onCaughtUp: () => {
        if (context.resumed) context.emit({ source: 'hook', type: 'caught_up' })
      },
    })
    await this.listener.start()
  }

  stop(): Promise<void> {
    this.stopped ??= this.finish()
    return this.stopped
  }

  /** `send` {messageId, text, images, deliverAs?}, `abort`, `command` {name, argument}, `state`. */
  call(method: string, params: unknown): Promise<unknown> {
    if (!this.listener) return Promise.reject(new MeowError('conflict', 'the side channel is not running'))
    const name = method === 'command' ? (params as { name?: unknown } | null)?.name : null
    return this.listener.call(method, params, typeof name === 'string' ? SLOW_MS[name] : undefined)
  }

  private async finish(): Promise<void> {
    const listener = this.listener
    this.listener = null
    if (listener) await listener.stop()
    await Promise.all(this.comparing)
  }

  private greeted(hello: Hello, context: SourceContext): void {
    if (typeof hello.piVersion === 'string')
      context.emit({ source: 'hook', type: 'vendor.version', version: hello.piVersion })
  }

  private tell(f: Numbered, instance: string, context: SourceContext): void {
    for (const observation of this.mapper.map(f, instance)) context.emit(observation)
    if (f.ev !== 'agent_settled') return
    const { transcript, entries } = this.mapper.takeSaid()
    if (transcript === null) return
    const compare = differences(transcript, entries).then((found) => {
      for (const detail of found)
        context.emit({ source: 'transcript', type: 'gap', what: 'pi.transcript', detail })
    })
    this.comparing.add(compare)
    void compare.finally(() => this.comparing.delete(compare))
  }
}
