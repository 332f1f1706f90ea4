/** @module adapters/claude/agents - helpers that Claude Code sends together: one head, one branch for each. Pure. */
import {
  type BlockRule,
  cutColumns,
  furniture,
  isBlank,
  type Row,
  type ScreenItem,
  styleAt,
} from '../../src/adapter/index.js'
import { boldNumber, INTERRUPTED, PENDING } from './calls.js'
import { toneOf } from './look.js'

/** `● Running 2 agents…`, later `● 2 agents finished`. */
const HEAD = /^(?:[●⏺][ \u00a0]| {2})(?:\p{Lu}\p{L}+ )?\d+ (?:[\w-]+ )*agents\b/u
/** `   ├ Count boats · 3 tool uses · 1.2k tokens`. */
const BRANCH = /^ {3}[├└] (.+?) · \d+ tool uses?\b/u
/** `   │ ⎿  Done`, and what stands below that. */
const BELOW = /^ {3}[│ ] {1,3}\S/u
const RESULT = /^ {3}[│ ] ⎿\s+/u

const isBranch = (row: Row): boolean => BRANCH.test(row.text) && styleAt(row, 5).bold

export const agentRules: readonly BlockRule[] = [
  furniture(
    'claude.agents',
    (row, { below }) => HEAD.test(row.text) && boldNumber(row) && below !== null && isBranch(below),
  ),
  {
    id: 'claude.agent',
    starts: (row, { open }) =>
      isBranch(row) && ['claude.agents', 'claude.agent'].includes(open?.rule.id ?? ''),
    continues: (row, { above }) => BELOW.test(row.text) && !(above && isBlank(above)),
    item: agent,
  },
]

function agent(rows: readonly Row[]): ScreenItem {
  const first = rows[0] as Row
  const [, description = ''] = BRANCH.exec(first.text) ?? []
  const at = rows.findIndex((row) => RESULT.test(row.text))
  const output = (at < 0 ? [] : rows.slice(at))
    .map((row) =>
      cutColumns(row, 4)
        .replace(/^ ?⎿\s+/u, '')
        .trim(),
    )
    .join('\n')
  // Its name is grey while it works.
  const running = PENDING.test(output) || toneOf(styleAt(first, 5).fg) === 'muted'
  const interrupted = INTERRUPTED.test(output)
  return {
    kind: 'tool_call',
    tool: 'agent',
    name: 'Agent',
    input: { description },
    status: interrupted
      ? 'interrupted'
      : running
        ? 'running'
        : /^(?:Error|Failed)\b/u.test(output)
          ? 'failed'
          : 'completed',
    output: running ? '' : output,
    ...(interrupted ? { outcome: 'interrupted' as const } : {}),
  }
}
