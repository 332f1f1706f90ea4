/**
 * Fits a tool intent ("run this command") to the tools that a request offers: their names and the
 * argument names in their JSON schemas differ from vendor to vendor.
 *
 * @module model-server/tools
 */

import { isAbsolute, join } from 'node:path'
import { workingDirectory } from './conversation.js'
import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from './json.js'
import type { ToolIntent } from './reply.js'
import type { ModelRequest, OfferedTool } from './request.js'
import { patchFor } from './tools-patch.js'

type FittedKind = Exclude<ToolIntent['tool'], 'named'>

/** Names by kind, compared without case, `_` and `-`; the first that is offered wins. */
const TOOL_NAMES: Record<FittedKind, string[]> = {
  shell: ['bash', 'shell', 'runshellcommand', 'shellcommand', 'execcommand', 'executecommand', 'localshell'],
  read: ['read', 'readfile', 'view', 'viewfile'],
  write: ['write', 'writefile', 'create', 'createfile'],
  edit: ['edit', 'editfile', 'replace', 'strreplace'],
}

const COMMAND_KEYS = ['command', 'cmd', 'script']
const PATH_KEYS = ['file_path', 'filePath', 'path', 'absolute_path', 'filename']
const CONTENT_KEYS = ['content', 'contents', 'file_text', 'text']
const OLD_KEYS = ['old_string', 'oldString', 'oldText', 'old_str']
const NEW_KEYS = ['new_string', 'newString', 'newText', 'new_str']
const SANDBOX_MODE = /`sandbox_mode` is `([\w-]+)`/
const PATCH_KEYS = ['input', 'patch', 'patchText', 'patch_text']
const LABEL_KEYS = ['description', 'instruction', 'explanation']

const plain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '')

function findTool(kind: FittedKind, tools: readonly OfferedTool[]): OfferedTool | null {
  for (const name of TOOL_NAMES[kind]) {
    const found = tools.find((tool) => plain(tool.name) === name)
    if (found) return found
  }
  return null
}

/** Writes known values under the keys that one JSON schema has. */
class Arguments {
  readonly values: JsonObject = {}
  private readonly properties: JsonObject

  constructor(private readonly schema: JsonObject) {
    this.properties = objectAt(schema, 'properties')
  }

  /** Sets the first of the keys that the schema has; tells which one, or null. */
  put(keys: readonly string[], value: unknown): string | null {
    const key = keys.find((candidate) => candidate in this.properties)
    if (key !== undefined) this.values[key] = value
    return key ?? null
  }

  property(key: string): JsonObject {
    return objectAt(this.properties, key)
  }

  /** Fills what the schema requires and nobody set with the emptiest value of its type. */
  fillRequired(): JsonObject {
    for (const key of arrayAt(this.schema, 'required')) {
      if (typeof key !== 'string' || key in this.values) continue
      const type = stringAt(this.property(key), 'type', 'string')
      this.values[key] = EMPTY_VALUES[type] ?? ''
    }
    return this.values
  }
}

const EMPTY_VALUES: Record<string, unknown> = { string: '', number: 0, integer: 0, boolean: false, array: [] }

const NO_RELATIVE = /relative paths? (?:is|are) not\b/gi

/** A path as the tool wants it: absolute where its schema says so and the working directory is known. */
function fitPath(path: string, args: Arguments, request: ModelRequest): string {
  const key = PATH_KEYS.find((candidate) => Object.keys(args.property(candidate)).length > 0)
  const description = stringAt(args.property(key ?? ''), 'description').replace(NO_RELATIVE, '')
  const wantsAbsolute =
    key === 'absolute_path' || (/absolute/i.test(description) && !/relative/i.test(description))
  const directory = wantsAbsolute && !isAbsolute(path) ? workingDirectory(request) : null
  return directory === null ? path : join(directory, path)
}

function fitEdit(intent: Extract<ToolIntent, { tool: 'edit' }>, args: Arguments): void {
  const items = objectAt(args.property('edits'), 'items')
  if (Object.keys(args.property('edits')).length === 0) {
    args.put(OLD_KEYS, intent.old)
    args.put(NEW_KEYS, intent.new)
    return
  }
  const edit = new Arguments(items)
  edit.put(OLD_KEYS, intent.old)
  edit.put(NEW_KEYS, intent.new)
  args.put(['edits'], [edit.fillRequired()])
}

/** Whether the client's last word on its sandbox was that commands may only read (Codex). */
function readOnlySandbox(request: ModelRequest): boolean {
  const said = request.items.flatMap((item) => {
    const mode = item.type === 'note' ? SANDBOX_MODE.exec(item.text)?.[1] : undefined
    return mode === undefined ? [] : [mode]
  })
  return said.at(-1) === 'read-only'
}

/** A tool intent as a call of an offered tool. */
export interface FittedTool {
  name: string
  input: JsonObject
  freeform?: true
}

function callOf(tool: OfferedTool, input: JsonObject): FittedTool {
  return { name: tool.name, input, ...(tool.freeform ? { freeform: true as const } : {}) }
}

/** One shell word, whatever is in it. */
const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** A command as a shell call. A model in a read-only sandbox asks to get out of it with what may write. */
function fitShell(command: string, request: ModelRequest, does: { writes: boolean }): FittedTool | null {
  const tool = findTool('shell', request.tools)
  if (tool === null) return null
  const args = new Arguments(tool.schema)
  const key = args.put(COMMAND_KEYS, command)
  if (key !== null && stringAt(args.property(key), 'type') === 'array') {
    args.put([key], ['bash', '-lc', command])
  }
  args.put(LABEL_KEYS, 'Run a scripted command')
  if (does.writes && readOnlySandbox(request)) {
    args.put(['sandbox_permissions'], 'require_escalated')
    args.put(['justification'], 'May I run this scripted command outside the sandbox?')
  }
  return callOf(tool, args.fillRequired())
}

/** What does the same where the request offers no tool for a file intent: the shell, or a patch. */
function fitOtherwise(intent: ToolIntent, request: ModelRequest): FittedTool | null {
  if (intent.tool === 'read') {
    return fitShell(`cat ${quoted(intent.path)}`, request, { writes: false })
  }
  if (intent.tool !== 'write' && intent.tool !== 'edit') return null
  const tool = request.tools.find((offered) => plain(offered.name) === 'applypatch')
  if (tool === undefined) return null
  const args = new Arguments(tool.schema)
  args.put(PATCH_KEYS, patchFor(intent, request))
  return callOf(tool, args.fillRequired())
}

/** Name and input for a tool intent, or null when the request offers no fitting tool. */
export function fitTool(intent: ToolIntent, request: ModelRequest): FittedTool | null {
  if (intent.tool === 'named') {
    const offered = request.tools.find((tool) => tool.name === intent.name)
    return offered ? callOf(offered, intent.input) : { name: intent.name, input: intent.input }
  }
  if (intent.tool === 'shell') return fitShell(intent.command, request, { writes: true })
  const tool = findTool(intent.tool, request.tools)
  if (tool === null) return fitOtherwise(intent, request)
  const args = new Arguments(tool.schema)
  args.put(PATH_KEYS, fitPath(intent.path, args, request))
  if (intent.tool === 'write') args.put(CONTENT_KEYS, intent.content)
  if (intent.tool === 'edit') {
    fitEdit(intent, args)
    args.put(['instruction'], 'Make a scripted change')
  }
  return callOf(tool, args.fillRequired())
}

/** The intent in words, for telling a person that no tool fits. */
export function describeIntent(intent: ToolIntent): string {
  if (intent.tool === 'named') return `call ${intent.name}`
  return intent.tool === 'shell' ? `bash ${intent.command}` : `${intent.tool} ${intent.path}`
}

/** The schema's own idea of an empty answer, with known values set; for structured output. */
export function fillSchema(schema: JsonObject, known: JsonObject): JsonObject {
  const args = new Arguments(schema)
  for (const [key, value] of Object.entries(known)) args.put([key], value)
  const filled = args.fillRequired()
  for (const [key, value] of Object.entries(filled)) {
    const choices = arrayAt(args.property(key), 'enum')
    const most = args.property(key).maxLength
    if (choices.length > 0 && !choices.includes(value)) filled[key] = choices[0]
    if (typeof value === 'string' && typeof most === 'number') filled[key] = value.slice(0, most)
    if (isObject(args.property(key).properties)) filled[key] = fillSchema(args.property(key), known)
  }
  return filled
}
