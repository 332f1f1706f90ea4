/** @module test/unit/hub-fake-vendor - dialogs and commands of a fake session, as strict as a real one. */
import type { AnswerResult, CommandResult, RunCommand, SessionCommand } from '../../src/protocol/commands.js'
import { MeowError } from '../../src/protocol/errors.js'
import type { ApprovalOption, DurableDraft } from '../../src/protocol/events.js'

export const FAKE_COMMANDS: readonly SessionCommand[] = [
  {
    name: 'compact',
    description: 'shortens the conversation',
    argument: 'optional',
    argumentHint: 'what to keep',
    choices: null,
    whileRunning: false,
  },
  {
    name: 'model',
    description: 'changes the model',
    argument: 'required',
    argumentHint: 'model',
    choices: ['small', 'big'],
    whileRunning: true,
  },
]

export class FakeVendor {
  readonly #record: (draft: DurableDraft) => void
  /** Every dialog that ever stood there. */
  readonly #asked = new Map<string, readonly ApprovalOption[]>()
  #open: string | null = null
  #commands = 0

  constructor(record: (draft: DurableDraft) => void) {
    this.#record = record
  }

  /** A dialog opens; the one before is gone. Gives its id. */
  ask(title: string, options: readonly ApprovalOption[]): string {
    const approvalId = `approval_${this.#asked.size + 1}`
    this.#asked.set(approvalId, options)
    this.#open = approvalId
    this.#record({
      type: 'approval.requested',
      source: 'screen',
      approvalId,
      title,
      detail: `detail of ${title}`,
      kind: 'permission',
      options: [...options],
    })
    return approvalId
  }

  answer(approvalId: string, key: string, by: string): AnswerResult {
    const options = this.#asked.get(approvalId)
    if (options === undefined) throw new MeowError('not_found', `there never was a dialog ${approvalId}`)
    if (this.#open !== approvalId) throw new MeowError('conflict', 'the dialog is gone')
    const option = options.find((one) => one.key === key)
    if (option === undefined) throw new MeowError('invalid_argument', `the dialog has no option ${key}`)
    this.#open = null
    const { label } = option
    this.#record({
      type: 'approval.resolved',
      source: 'screen',
      approvalId,
      verdict: 'answered',
      by,
      option: label,
    })
    return { approvalId, option: label, evidence: ['it stood there', 'it is gone'] }
  }

  run(given: RunCommand): CommandResult {
    const { command: name } = given
    const argument = given.argument ?? null
    const command = FAKE_COMMANDS.find((one) => one.name === name)
    if (command === undefined) throw new MeowError('unsupported', `there is no command ${name}`)
    if (argument === null && command.argument === 'required')
      throw new MeowError('invalid_argument', `${name} needs ${command.argumentHint}`)
    this.#commands += 1
    const told = { type: 'session.command', source: 'bridge', commandId: `cmd_${this.#commands}` } as const
    this.#record({ ...told, command: name, argument, state: 'started', detail: null })
    this.#record({ ...told, command: name, argument, state: 'done', detail: 'seen' })
    return { command: name, argument, evidence: [`${name} was seen`] }
  }
}
