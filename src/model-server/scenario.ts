/**
 * Scripts given in code or in a JSON file, and the choice of the answer to a request.
 *
 * Who answers a turn: the script given in code, else the script file, else a `MEOW:` directive in the
 * prompt, else the persona. Title, summary and other side requests go past all of them, unless a
 * scenario asks for them by `when.kind`.
 *
 * @module model-server/scenario
 */

import { z } from 'zod'
import { turnState } from './conversation.js'
import { findDirective, parseSteps } from './directive.js'
import { ModelServerError } from './errors.js'
import type { Persona } from './persona.js'
import { AttemptCounter, planSteps } from './plan-steps.js'
import { Reply, textReply } from './reply.js'
import type { ModelRequest, ToolResult } from './request.js'
import { type RequestKind, sideReply } from './side-requests.js'

const Match = z.strictObject({
  /** Part of the prompt. */
  text: z.string().optional(),
  /** Regular expression over the prompt. */
  pattern: z
    .string()
    .refine((source) => isPattern(source), 'is no regular expression')
    .optional(),
  model: z.string().optional(),
  wire: z.string().optional(),
  /** Which requests; turns if it is not given. */
  kind: z.enum(['turn', 'title', 'other']).optional(),
})

/** One entry of a script. */
export const Scenario = z
  .strictObject({
    when: Match.optional(),
    /** The answer to one request; a string is a text. */
    reply: z.union([z.string(), Reply]).optional(),
    /** Steps of the directive language, run over the whole loop of every prompt that matches. */
    steps: z.string().optional(),
    /** How many requests `reply` answers before the next entry takes over; 1 if not given, 0 for all. */
    times: z.int().nonnegative().optional(),
  })
  .superRefine((scenario, context) => {
    if ((scenario.reply === undefined) === (scenario.steps === undefined)) {
      context.addIssue({ code: 'custom', message: 'wants either "reply" or "steps"' })
    }
    const parsed = parseSteps(scenario.steps ?? '')
    if ('problem' in parsed) context.addIssue({ code: 'custom', path: ['steps'], message: parsed.problem })
  })
/** See the schema of the same name. */
export type Scenario = z.infer<typeof Scenario>

/** What a script in code is told about a request. */
export interface ScriptContext {
  request: ModelRequest
  wire: string
  /** The last text that a person wrote. */
  prompt: string
  /** Tool results after it. */
  results: ToolResult[]
  /** 1 for the first turn that this script sees. */
  turn: number
}

/** Answers turns in code; `undefined` leaves the turn to directive and persona. */
export type ScriptFunction = (context: ScriptContext) => Reply | undefined | Promise<Reply | undefined>

/** A script in code. */
export type Script = ScriptFunction | Scenario[]

function isPattern(source: string): boolean {
  try {
    new RegExp(source)
    return true
  } catch {
    return false
  }
}

function matches(when: Scenario['when'], context: ScriptContext, kind: RequestKind): boolean {
  if ((when?.kind ?? 'turn') !== kind) return false
  if (when?.text !== undefined && !context.prompt.includes(when.text)) return false
  if (when?.pattern !== undefined && !new RegExp(when.pattern).test(context.prompt)) return false
  if (when?.model !== undefined && when.model !== context.request.model) return false
  return when?.wire === undefined || when.wire === context.wire
}

/** Runs down a list of scenarios. */
class ScenarioList {
  private readonly used: number[]

  constructor(
    private readonly scenarios: readonly Scenario[],
    private readonly attempts: AttemptCounter,
  ) {
    this.used = scenarios.map(() => 0)
  }

  answer(context: ScriptContext, kind: RequestKind): Reply | undefined {
    for (const [index, scenario] of this.scenarios.entries()) {
      const used = this.used[index] ?? 0
      const times = scenario.times ?? 1
      if (scenario.reply !== undefined && times !== 0 && used >= times) continue
      if (!matches(scenario.when, context, kind)) continue
      this.used[index] = used + 1
      if (typeof scenario.reply === 'string') return textReply(scenario.reply)
      return scenario.reply ?? stepsReply(scenario.steps ?? '', context.request, this.attempts)
    }
    return undefined
  }
}

function stepsReply(text: string, request: ModelRequest, attempts: AttemptCounter): Reply {
  const parsed = parseSteps(text)
  if ('problem' in parsed) return textReply(`MEOW: ${parsed.problem}`)
  return planSteps(parsed.steps, request, attempts)
}

/** Chooses the answer to every request. */
export class Director {
  private readonly attempts = new AttemptCounter()
  private script: ScriptFunction | ScenarioList | null = null
  private readonly file: ScenarioList | null
  private turns = 0

  constructor(
    private readonly persona: Persona,
    fileScenarios: readonly Scenario[] | null,
  ) {
    this.file = fileScenarios === null ? null : new ScenarioList(fileScenarios, this.attempts)
  }

  /** Replaces the script in code; `null` takes it away. */
  use(script: Script | null): void {
    this.turns = 0
    if (script === null || typeof script === 'function') this.script = script
    else {
      const parsed = z.array(Scenario).safeParse(script)
      if (!parsed.success) throw new ModelServerError('bad_script', z.prettifyError(parsed.error))
      this.script = new ScenarioList(parsed.data, this.attempts)
    }
  }

  /** The answer to a request. */
  async answer(request: ModelRequest, kind: RequestKind, wire: string): Promise<Reply> {
    if (kind === 'turn') this.turns += 1
    const context: ScriptContext = { request, wire, turn: this.turns, ...turnState(request.items) }
    const scripted = (await this.fromScript(context, kind)) ?? this.file?.answer(context, kind)
    if (scripted) return scripted
    if (kind !== 'turn') return sideReply(request, kind)
    const directive = findDirective(context.prompt)
    if (directive !== null) return stepsReply(directive, request, this.attempts)
    return planSteps(this.persona(request), request, this.attempts)
  }

  private async fromScript(context: ScriptContext, kind: RequestKind): Promise<Reply | undefined> {
    if (typeof this.script !== 'function') return this.script?.answer(context, kind)
    return kind === 'turn' ? this.script(context) : undefined
  }
}
