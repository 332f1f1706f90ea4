/** @module test/recording/scene - a person at the program, and a notary beside: acts, and writes down what is sure. */
import type { LoggedRequest, ModelServer, Step } from '../../src/model-server/index.js'
import { AttemptCounter, planSteps } from '../../src/model-server/plan-steps.js'
import type { VendorSetup } from '../support/homes/home.js'
import type { DialogKit, Kit, SlashKit } from './kit.js'
import { BOUND_MS, letters, type Stage } from './stage.js'
import { type CallStatus, type KnownState, Timeline, type TruthDialog, type TurnStop } from './truth.js'
import { within } from './wait.js'

/** So long nothing is drawn before a moment counts as settled. */
const SETTLED_MS = 1200
/** What keeps on drawing is looked at after this. */
const GLANCE_MS = 1500
/** A key that follows a paste at once is a part of it for some. */
const AFTER_PASTE_MS = 250
/** A program that has not asked the model by now has not taken the key. */
const TAKEN_MS = 12_000
/** Where programs tell that they work. */
const LOWEST_ROWS = 16

export class Scene {
  readonly timeline = new Timeline()
  readonly states: { t: number; state: KnownState }[] = []
  readonly turns: { stop: TurnStop }[] = []
  readonly dialogs: TruthDialog[] = []
  readonly notes: string[] = []
  readonly #scripts: { prompt: string; steps: readonly Step[] }[] = []
  readonly #seen = new Set<LoggedRequest>()
  /** Requests up to this one belong to earlier turns. */
  #before = 0

  constructor(
    readonly kit: Kit,
    readonly stage: Stage,
    readonly model: ModelServer,
    readonly setup: VendorSetup,
  ) {
    const attempts = new AttemptCounter()
    model.script(({ request, prompt }) => {
      const said = letters(prompt)
      const script = this.#scripts.findLast((one) => said.includes(letters(one.prompt)))
      return script === undefined ? undefined : planSteps(script.steps, request, attempts)
    })
    model.onChange((request) => {
      if (request.kind !== 'turn' || this.#seen.has(request)) return
      this.#seen.add(request)
      this.timeline.request(request)
      stage.mark(`model request ${request.n}`)
    })
  }

  /** The program is ready for a prompt. */
  async ready(): Promise<void> {
    await this.stage.see('a ready prompt', this.setup.ready)
    await this.#idle()
  }

  /** Types a prompt and sends it; the model is asked. */
  async ask(prompt: string, ...steps: Step[]): Promise<void> {
    await this.#put(prompt, steps)
    await this.#send(prompt)
  }

  /** Types a prompt while a turn runs, to come after it. */
  async queue(prompt: string, ...steps: Step[]): Promise<void> {
    await this.#put(prompt, steps)
    await this.stage.keys(...this.kit.queue)
    await this.stage.quiet(400, GLANCE_MS, false)
  }

  /** The model waits at the gate, so the turn runs; all that it sent before is on the screen. */
  async held(gate: string, shown?: string): Promise<void> {
    await within(`the model at gate ${gate}`, BOUND_MS, this.model.gate(gate).reached)
    if (shown !== undefined) await this.stage.seeWords(shown)
    await this.stage.quiet(600, GLANCE_MS, false)
    this.#sure('running')
  }

  release(gate: string): void {
    this.model.gate(gate).release()
  }

  /** The model has said its last word of the turn, and it can be read. */
  async answered(last?: string): Promise<void> {
    await this.model.waitForRequest(
      ({ n, kind, response }) =>
        n > this.#before &&
        kind === 'turn' &&
        response.finished === 'completed' &&
        response.toolCalls.length === 0,
      { timeoutMs: BOUND_MS },
    )
    if (last !== undefined) await this.stage.seeWords(last)
    await this.over('end_turn')
  }

  /** The turn is over, by whatever end, and the program waits for a prompt. */
  async over(stop: TurnStop): Promise<void> {
    await this.#idle()
    const thought = this.kit.thought?.exec(this.stage.text())?.[0]
    if (thought !== undefined) this.timeline.thought(this.kit.thoughtAlone?.(thought) ?? thought)
    this.turns.push({ stop })
    this.#before = this.#last()
  }

  /** A dialog is open; answers it. */
  async dialog(kind: TruthDialog['kind'], dialog: DialogKit, answer: 'allow' | 'deny'): Promise<void> {
    await this.stage.see(`the dialog "${dialog.question}"`, dialog.open)
    await this.stage.quiet(600, GLANCE_MS, false)
    this.#sure('blocked')
    const { words, give } = dialog[answer]
    this.dialogs.push({ kind, question: dialog.question, options: dialog.options, answer: words })
    await give(this.stage)
    await this.stage.see(`the end of the dialog "${dialog.question}"`, (text) => !dialog.open.test(text))
  }

  /** A command of the program's own, typed as a person does. */
  async slash({ command, shown, done, close }: SlashKit): Promise<void> {
    const before = this.stage.count(command)
    await this.stage.type(command)
    await this.stage.seeWords(command, before)
    await this.stage.quiet(AFTER_PASTE_MS * 2, GLANCE_MS, false)
    if (shown !== null) this.timeline.item({ kind: 'command', text: command, ...shown })
    await this.stage.keys('Enter')
    await this.stage.see(`${command} has worked`, done)
    if (close === undefined) return
    await this.stage.quiet(600, GLANCE_MS, false)
    await this.stage.keys(...close)
  }

  /** Opens the list of models and closes it again. */
  async picker(): Promise<void> {
    const { picker } = this.kit
    await this.slash(picker)
    await this.stage.quiet(600, GLANCE_MS, false)
    this.dialogs.push({
      kind: 'model',
      question: picker.question,
      options: picker.options,
      answer: 'Escape (closed)',
    })
    await this.stage.keys('Escape')
    await this.stage.see('the end of the list', (text) => !picker.done.test(text))
    await this.#idle()
  }

  /** The tool of the turn runs: a file says so that its command makes. */
  async toolRuns(seen: () => boolean): Promise<void> {
    const deadline = performance.now() + BOUND_MS
    const look = async (): Promise<void> => {
      while (!seen() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50))
      if (!seen()) throw new Error(`not within ${BOUND_MS / 1000} s: the tool's command has begun`)
    }
    await look()
    await this.stage.quiet(600, GLANCE_MS, false)
    this.#sure('running')
  }

  /** Stops the turn; what was on the screen of its answer stays. */
  async interrupt(what: 'text' | 'tool'): Promise<void> {
    const request = this.lastRequest()
    if (what === 'text') this.timeline.cut(request, request.response.text)
    await this.kit.interrupt(this.stage)
    await this.stage.see('the turn was stopped', this.kit.interrupted[what])
    if (this.kit.emptyBox !== undefined) await this.stage.keys(...this.kit.emptyBox)
    await this.over('interrupted')
  }

  /** A call whose input has this in it ends so. */
  expect(part: string, status: CallStatus | null): void {
    this.timeline.expect(part, status)
  }

  lastRequest(): LoggedRequest {
    const request = [...this.#seen].at(-1)
    if (request === undefined) throw new Error('the model was not asked yet')
    return request
  }

  /** Nothing goes on: the model has answered, the program shows no work, and draws nothing. */
  async #idle(): Promise<void> {
    const rests = (text: string): boolean => !this.kit.busy.test(lowest(text))
    await this.stage.see('no sign of work', rests)
    await this.stage.quiet(SETTLED_MS, 30_000)
    await this.stage.see('no sign of work', rests)
    this.#sure('idle')
  }

  #sure(state: KnownState): void {
    this.states.push({ t: this.stage.now(), state })
    this.stage.mark(`sure: ${state}`)
  }

  async #put(prompt: string, steps: readonly Step[]): Promise<void> {
    this.#scripts.push({ prompt, steps })
    this.timeline.prompt(prompt, { onScreen: true })
    const end = prompt.trimEnd().split('\n').at(-1)?.slice(-16) ?? prompt
    const before = this.stage.count(end)
    await this.stage.paste(prompt)
    await this.stage.see(
      `"${end}" in the box`,
      (text) => this.stage.count(end) > before || this.kit.pasted?.test(text) === true,
    )
    await this.stage.quiet(AFTER_PASTE_MS, GLANCE_MS, false)
  }

  /** Enter, and once more where the program has not taken it. */
  async #send(prompt: string): Promise<void> {
    const from = this.#last()
    const asked = (r: LoggedRequest): boolean => r.n > from && r.kind === 'turn'
    for (let tries = 1; ; tries += 1) {
      await this.stage.keys('Enter')
      const timeoutMs = tries === 3 ? BOUND_MS : TAKEN_MS
      try {
        await this.model.waitForRequest(asked, { timeoutMs })
        return
      } catch (error) {
        if (tries === 3) throw new Error(`the model was not asked: ${prompt}`, { cause: error })
      }
    }
  }

  #last(): number {
    return this.model.requests.at(-1)?.n ?? 0
  }
}

/** The lowest rows that have text: a resize may leave an old sign of work higher up. */
function lowest(text: string): string {
  const rows = text.split('\n').filter((row) => row.trim() !== '')
  return rows.slice(-LOWEST_ROWS).join('\n')
}
