/** @module codex/calls - the rules by which Codex's cells of tool calls are known, and the verdicts above them. Pure; 0.171. */
import {
  type BlockContext,
  type BlockRule,
  cutColumns,
  indentOf,
  isBlank,
  type Row,
  type RowPlace,
  type ScreenItem,
  styleAt,
} from '../../src/adapter/index.js'
import {
  below,
  boldWord,
  COMMAND_REST,
  call,
  commandOf,
  EDIT,
  EXPLORE,
  edit,
  explored,
  GREEN,
  HEAD,
  IMAGE,
  INTERRUPTED,
  interrupted,
  MCP,
  MORE,
  mcp,
  outputOf,
  ownBullet,
  QUESTIONS,
  READ,
  RED,
  RUNNING,
  SHELL_MODE,
  VERB,
  VERDICT,
} from './cells.js'
import { lineOf } from './prose.js'
import { toolOfWord } from './tools.js'

export const callRules: readonly BlockRule[] = [
  {
    id: 'codex.verdict',
    starts: (row) => VERDICT.test(row.text) && [RED, GREEN].includes(Number(row.style(0).fg)),
    continues: (row, { open }) => inVerdict(open?.rows ?? [], row),
    item: verdict,
  },
  {
    id: 'codex.explored',
    starts: (row, { below: next }) => boldWord(row) && EXPLORE.test(row.text) && (!next || isRead(next)),
    continues: () => false,
    item: () => null,
  },
  {
    id: 'codex.explored-call',
    starts: isRead,
    continues: (row) => MORE.test(row.text) || /^ {5}/u.test(row.text),
    item: explored,
  },
  {
    id: 'codex.edit',
    starts: (row) =>
      boldWord(row) && EDIT.test(row.text) && styleAt(row, row.text.lastIndexOf('(+') + 1).fg === GREEN,
    // An edit is drawn before it is asked about; a refusal says no more than that the turn ended here.
    continues: (row, { open }) =>
      below(row) || (INTERRUPTED.test(row.text) && !interrupted(open?.rows ?? [])),
    item: edit,
  },
  {
    id: 'codex.answers',
    starts: (row) => boldWord(row) && QUESTIONS.test(row.text),
    continues: (row) => row.text.startsWith('  '),
    item: (rows) => ({
      kind: 'tool_call',
      tool: 'question',
      name: 'request_user_input',
      input: null,
      status: 'completed',
      output: rows
        .slice(1)
        .map((row) => cutColumns(row, 2).trimEnd())
        .join('\n'),
    }),
  },
  {
    id: 'codex.image',
    starts: (row) => boldWord(row) && IMAGE.test(row.text) && styleAt(row, row.text.length - 1).dim,
    continues: below,
    item: (rows) => ({
      kind: 'tool_call',
      tool: 'read',
      name: 'view_image',
      input: { path: IMAGE.exec(rows[0]?.text ?? '')?.[1] ?? '' },
      status: 'completed',
      output: '',
    }),
  },
  {
    id: 'codex.shell-mode',
    starts: (row) => ownBullet(row) && SHELL_MODE.test(row.text),
    continues: below,
    item: (rows, { cols }) => ({ kind: 'command', text: `!${commandOf(rows, cols)}` }),
  },
  {
    id: 'codex.mcp',
    starts: (row) => boldWord(row) && MCP.test(row.text),
    continues: below,
    item: mcp,
  },
  {
    // After a call it is the result that was withheld.
    id: 'codex.withheld',
    starts: (row, { open }) => blockedByHook(row) && CALLS.has(open?.rule.id ?? ''),
    continues: below,
    item: (rows) => ({ kind: 'notice', level: 'warning', text: `Blocked by hook: ${outputOf(rows)}` }),
  },
  {
    id: 'codex.blocked-by-hook',
    starts: blockedByHook,
    continues: below,
    item: (rows) => ({
      kind: 'tool_call',
      tool: 'other',
      name: 'Blocked by hook',
      input: null,
      status: 'denied',
      output: outputOf(rows),
    }),
  },
  {
    // Outside a turn it is the person's own command that runs: it is told when it has run.
    id: 'codex.shell-running',
    starts: (row, { open }) => ownBullet(row) && RUNNING.test(row.text) && OUTSIDE.has(open?.rule.id ?? ''),
    continues: (row) => below(row) || COMMAND_REST.test(row.text),
    item: () => null,
  },
  {
    id: 'codex.call',
    starts: (row, place) => ownBullet(row) && HEAD.test(row.text) && !isVerdictsRun(row, place),
    continues: (row) => below(row) || COMMAND_REST.test(row.text),
    item: (rows, { cols }) => call(rows, cols),
  },
]

/** What can stand above a row that begins no call of the model: the turn before is over. */
const OUTSIDE: ReadonlySet<string> = new Set([
  '',
  'codex.header',
  'codex.worked',
  'codex.command',
  'codex.shell-mode',
  'codex.own-words',
  'codex.error',
])

const CALLS: ReadonlySet<string> = new Set([
  'codex.call',
  'codex.explored-call',
  'codex.edit',
  'codex.mcp',
  'codex.verdict',
])

function blockedByHook(row: Row): boolean {
  return /^• Blocked by hook$/u.test(row.text) && row.style(0).fg === RED
}

/** Rows of an `Explored` cell: one call each. */
function isRead(row: Row): boolean {
  return READ.test(row.text) && styleAt(row, 4).fg === VERB
}

/** `✔ You approved codex to run …` is followed by the call that it let run; both are one item. */
function verdict(rows: readonly Row[], context: BlockContext): ScreenItem | null {
  const at = rows.findIndex(ownBullet)
  const line = lineOf(filled(at < 0 ? rows : rows.slice(0, at)), 0, 2)
  const [, mark, asked = ''] = VERDICT.exec(line) ?? []
  const denied = mark === '✗'
  const ran = at < 0 ? null : call(rows.slice(at), context.cols)
  if (ran) return denied ? { ...ran, status: 'denied' } : ran
  const command = asked.replace(/ (?:this time|every time this session)$/u, '')
  if (!denied && !context.newest) return { kind: 'notice', level: 'info', text: line }
  return {
    kind: 'tool_call',
    tool: 'shell',
    name: 'exec_command',
    input: { command },
    // The call itself is drawn below, a moment later.
    status: denied && !context.newest ? 'denied' : 'running',
    output: '',
  }
}

function inVerdict(rows: readonly Row[], row: Row): boolean {
  const ran = rows.some(ownBullet)
  if (!ran && ownBullet(row)) return true
  if (ran) return below(row) || COMMAND_REST.test(row.text)
  return indentOf(row) === 2 && !rows.some(isBlank)
}

/** Whether a call is the one that the verdict above it speaks of: a refusal must not be laid on another command. */
function isVerdictsRun(row: Row, { open, cols }: RowPlace): boolean {
  if (open?.rule.id !== 'codex.verdict' || open.rows.some(ownBullet)) return false
  if (toolOfWord(HEAD.exec(row.text)?.[1] ?? '') !== 'exec_command') return false
  const [, mark, asked = ''] = VERDICT.exec(lineOf(filled(open.rows), 0, 2)) ?? []
  const program = (command: string) => command.split(/\s/u)[0]
  return mark === '✔' || program(asked) === program(commandOf([row], cols))
}

const filled = (rows: readonly Row[]) => rows.filter((row) => !isBlank(row))
