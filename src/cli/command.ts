/** @module cli/command - one declarative entry a command; `program.ts` makes the command line of them. */
import { z } from 'zod'
import type { Shell } from './shell.js'

export interface Flag {
  /** As commander writes it: `-p, --port <n>`. */
  readonly flags: string
  readonly about: string
  /** An option that may be given several times: its value is the list of them. */
  readonly repeats?: boolean
}

export interface CommandSpec {
  readonly name: string
  /** One line for the list of commands. */
  readonly summary: string
  /** Arguments as commander writes them (`<session>`, `[text]`, `[args...]`), each with its meaning. */
  readonly args: readonly Flag[]
  readonly options: readonly Flag[]
  /** Command lines without the leading `agent-meow`; each with what it does. */
  readonly examples: readonly (readonly [string, string])[]
  /** Further paragraphs of `--help`. */
  readonly notes?: string
  /** Hands arguments on to the vendor's program. */
  readonly vendorArgs?: boolean
  /** Takes arguments and options by their camel-case names. Answers the exit code. */
  run(shell: Shell, input: unknown): Promise<number>
}

interface TypedCommand<Input extends z.ZodType> extends Omit<CommandSpec, 'run'> {
  readonly input: Input
  run(shell: Shell, input: z.infer<Input>): Promise<number>
}

/** Ties a command's `run` to the schema of what it takes; a value that does not fit is a usage error. */
export function command<Input extends z.ZodType>(spec: TypedCommand<Input>): CommandSpec {
  return { ...spec, run: async (shell, input) => spec.run(shell, spec.input.parse(input)) }
}

/** What every command takes. */
export const common = { json: z.boolean().default(false) }

/** A whole number as an option's text. */
export function wholeNumber(least: number, most: number) {
  const message = `a whole number from ${least} to ${most} is wanted`
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((n) => n >= least && n <= most, message)
}

/** A number with or without decimals as an option's text. */
export function decimal(least: number, most: number) {
  const message = `a number from ${least} to ${most} is wanted`
  return z
    .string()
    .regex(/^\d{0,12}(\.\d{1,12})?$/, message)
    .refine((text) => /\d/.test(text), message)
    .transform(Number)
    .refine((n) => n >= least && n <= most, message)
}

/** One JSON document on a line. */
export function printJson(shell: Shell, value: unknown): void {
  shell.out(`${JSON.stringify(value)}\n`)
}
