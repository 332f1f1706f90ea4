/** @module session/run-command - a command of the session, run once and verified by its effect. */
import type { Adapter, VendorCommand } from '../adapter/index.js'
import { settledWithin } from '../protocol/bounded.js'
import type { CommandResult, RunCommand, SessionCommand } from '../protocol/commands.js'
import { asMeowError, MeowError } from '../protocol/errors.js'
import type { EventDraft } from '../protocol/events.js'
import { sanitize } from './sanitize.js'
import { type Ran, runScript, type ScriptIo } from './script.js'

/** Longest wait for a program to end after it was told to, in ms. */
const ENDS_MS = 15_000

export interface CommandHost {
  readonly adapter: Adapter
  readonly io: Omit<ScriptIo, 'receipt'>
  readonly signal: AbortSignal
  /** Why no command can be run now, as an error; null when one can. */
  refuses(command: VendorCommand): MeowError | null
  exclusive<T>(work: () => Promise<T>): Promise<T>
  record(drafts: readonly EventDraft[]): boolean
  newId(): string
  /** Settles when the program is gone. */
  readonly gone: Promise<unknown>
}

/** The commands of a vendor, without their scripts. */
export function commandsOf(adapter: Adapter): SessionCommand[] {
  return (adapter.commands ?? []).map(({ steps: _, ends: __, ...command }) => ({ ...command }))
}

/**
 * Runs a command. `unsupported`: the vendor has none of that name; `invalid_argument`; `conflict`, `blocked`,
 * `draft_present`: not now; any other error: it was begun and its effect was not seen.
 */
export async function runCommand(host: CommandHost, given: RunCommand): Promise<CommandResult> {
  const { adapter, io, signal } = host
  const command = adapter.commands?.find((c) => c.name === given.command)
  if (!command) {
    const names = (adapter.commands ?? []).map((c) => c.name).join(', ')
    throw new MeowError('unsupported', `${adapter.vendor.name} has no command ${given.command}`, {
      hint: names === '' ? 'it takes none from outside its terminal' : `it has: ${names}`,
    })
  }
  const argument = argumentOf(command, given.argument)
  const steps = command.steps(argument)
  return await host.exclusive(async () => {
    const refusal = host.refuses(command)
    if (refusal) throw refusal
    const commandId = host.newId()
    const tell = (state: 'started' | 'done' | 'failed', detail: string | null) =>
      host.record([
        {
          type: 'session.command',
          source: 'bridge',
          commandId,
          command: command.name,
          argument: argument === '' ? null : argument,
          state,
          detail,
        },
      ])
    tell('started', null)
    try {
      const evidence = await effect(command, host, () =>
        runScript(steps, { ...io, receipt: () => undefined }, signal),
      )
      tell('done', evidence.join('; '))
      return { command: command.name, argument: argument === '' ? null : argument, evidence }
    } catch (error) {
      tell('failed', asMeowError(error).detail)
      throw error
    }
  })
}

async function effect(command: VendorCommand, host: CommandHost, run: () => Promise<Ran>): Promise<string[]> {
  if (!command.ends) return [...(await run()).seen]
  try {
    await run()
  } catch (error) {
    if (!host.signal.aborted) throw error
  }
  // Told apart from the session's own end, which is journalled after the answer.
  await settledWithin(host.gone, ENDS_MS)
  if (host.signal.aborted) return ["the vendor's program has ended"]
  throw new MeowError('timeout', `the program still runs ${ENDS_MS / 1000} s after ${command.name}`)
}

function argumentOf(command: VendorCommand, given: string | undefined): string {
  const argument = sanitize(given ?? '').trim()
  if (/\n/u.test(argument))
    throw new MeowError('invalid_argument', `the argument of ${command.name} must be one line`)
  if (argument !== '' && command.argument === 'none')
    throw new MeowError('invalid_argument', `${command.name} takes no argument`)
  if (argument === '' && command.argument === 'required') {
    const choices = command.choices ? `: ${command.choices.join(', ')}` : ''
    throw new MeowError(
      'invalid_argument',
      `${command.name} needs ${command.argumentHint ?? 'an argument'}`,
      {
        hint: `give it${choices}`,
      },
    )
  }
  return argument
}
