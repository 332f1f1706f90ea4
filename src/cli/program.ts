/** @module cli/program - makes the command line of the declarative commands and runs one. */
import { Command, CommanderError, Option } from 'commander'
import type { CommandSpec } from './command.js'
import { EXIT, EXIT_CODES_HELP, UsageError } from './exits.js'
import { tellFailure } from './failure.js'
import type { Shell } from './shell.js'

const PROGRAM = 'agent-meow'
const INTRO =
  "Wraps the terminal UIs of coding agents: runs the vendor's own TUI, mirrors it as a conversation to a web page, " +
  'and drives the same live process from anywhere.'

/** Commander's own ways to say that nothing is wrong. */
const CALM = new Set(['commander.helpDisplayed', 'commander.help', 'commander.version'])

export interface ProgramParts {
  readonly commands: readonly CommandSpec[]
  readonly version: string
}

/** Runs one command line (without node and script) and answers the exit code. Never throws. */
export async function runProgram(
  argv: readonly string[],
  shell: Shell,
  parts: ProgramParts,
): Promise<number> {
  const end = argv.indexOf('--')
  const json = (end === -1 ? argv : argv.slice(0, end)).includes('--json')
  const box = { code: EXIT.ok as number }
  try {
    await buildProgram(shell, parts, box).parseAsync(argv.length === 0 ? ['help'] : [...argv], {
      from: 'user',
    })
    return box.code
  } catch (thrown) {
    if (thrown instanceof CommanderError) {
      if (CALM.has(thrown.code)) return EXIT.ok
      return tellFailure(shell, usageError(thrown, argv, parts), json)
    }
    // What was under way when the person pressed Ctrl-C fails in its own words; the reason is the key.
    return shell.signal.aborted ? EXIT.ctrlC : tellFailure(shell, thrown, json)
  }
}

function buildProgram(shell: Shell, parts: ProgramParts, box: { code: number }): Command {
  const program = prepare(new Command(PROGRAM), shell)
    .description(INTRO)
    .version(parts.version, '-V, --version', 'print the version')
    // A command may have an option of that name.
    .enablePositionalOptions()
    .helpCommand('help [command]', 'show what a command does')
    .addHelpText(
      'after',
      `\n${EXIT_CODES_HELP}\nEvery command takes --json; examples: ${PROGRAM} help <command>`,
    )
  for (const spec of parts.commands) program.addCommand(buildCommand(spec, shell, box))
  return program
}

function buildCommand(spec: CommandSpec, shell: Shell, box: { code: number }): Command {
  const command = prepare(new Command(spec.name), shell).description(spec.summary)
  for (const { flags, about } of spec.args) command.argument(flags, about)
  for (const { flags, about, repeats } of spec.options) {
    const option = new Option(flags, about)
    if (repeats === true) option.argParser((value, before: string[] = []) => [...before, value])
    command.addOption(option)
  }
  command.option('--json', 'print JSON for programs')
  if (spec.notes !== undefined) command.addHelpText('after', `\n${spec.notes}`)
  command.addHelpText('after', `\nExamples:\n${examplesText(spec)}\n\n${EXIT_CODES_HELP}`)
  return command.action(async () => {
    const input: Record<string, unknown> = { ...command.opts<Record<string, unknown>>() }
    command.registeredArguments.forEach((argument, index) => {
      const value: unknown = command.processedArgs[index]
      if (value !== undefined) input[camelCase(argument.name())] = value
    })
    box.code = await spec.run(shell, input)
  })
}

/** Errors are thrown, text goes to the shell, and nothing exits the process. */
function prepare(command: Command, shell: Shell): Command {
  return command
    .exitOverride()
    .configureHelp({ helpWidth: Math.min(shell.columns, 110) })
    .configureOutput({
      writeOut: (text) => shell.out(text),
      // Kept silent: the error is told once, by `tellFailure`.
      writeErr: () => {},
      getOutHasColors: () => shell.color,
    })
}

function examplesText(spec: CommandSpec): string {
  const width = Math.max(...spec.examples.map(([line]) => line.length))
  return spec.examples.map(([line, about]) => `  ${PROGRAM} ${line.padEnd(width)}  ${about}`).join('\n')
}

function camelCase(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Commander's message as detail and hint. */
function usageError(error: CommanderError, argv: readonly string[], parts: ProgramParts): UsageError {
  const [first = '', ...rest] = error.message.split('\n')
  const detail = first.replace(/^error: /, '')
  const suggestion = /\(Did you mean (?:one of )?(.*?)\?\)/.exec(rest.join(' '))?.[1]
  if (suggestion !== undefined) return new UsageError(detail, { hint: `did you mean: ${suggestion}` })
  const spec = parts.commands.find((one) => one.name === argv[0])
  if (spec === undefined) return new UsageError(detail, { hint: `see ${PROGRAM} help` })
  const isVendors = spec.vendorArgs === true && error.code === 'commander.unknownOption'
  const where = `see ${PROGRAM} help ${spec.name}`
  return new UsageError(detail, {
    hint: isVendors ? `options of the vendor's own program go after --; ${where}` : where,
  })
}
