/** @module bench/report - the measured rows as a table for people. */
import type { Machine } from './machine.js'
import { met, type Row } from './ratio.js'

const number = ({ value, unit }: Pick<Row, 'value' | 'unit'>): string => {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return `${Number.isInteger(value) ? value : value.toFixed(digits)}${unit === '' ? '' : ` ${unit}`}`
}

const aimOf = (row: Row): string =>
  row.aim === null ? '' : `${row.least === true ? '>=' : '<='} ${number({ value: row.aim, unit: row.unit })}`

const verdict = (row: Row): string => ({ true: 'met', false: '**missed**', null: '' })[String(met(row))] ?? ''

/** Behind what was measured in another run than the page's newest. */
const EARLIER = '(earlier run)'

/** Lines of a page that stand for what this run did not measure, marked as such. */
export function earlier(old: string, rows: readonly Row[]): string[] {
  const now = new Set(rows.map((row) => `| ${row.id} | ${row.on} |`))
  const lines = old.split('\n').filter((line) => /^\| (?:R\d+|flat|budget) \|/.test(line))
  const kept = lines.filter((line) => !now.has(`${line.split('|', 3).join('|')}|`))
  return kept.map((line) => (line.endsWith(` ${EARLIER} |`) ? line : line.replace(/ \|$/, ` ${EARLIER} |`)))
}

const placeOf = (line: string): number => {
  const number = /^\| R(\d+)/.exec(line)?.[1]
  return number === undefined ? 100 : Number(number)
}

/** @param others lines of an earlier run */
export function table(rows: readonly Row[], others: readonly string[] = []): string {
  const lines = rows.map(
    (row) => `| ${row.id} | ${row.on} | ${number(row)} | ${aimOf(row)} | ${verdict(row)} | ${row.detail} |`,
  )
  const all = [...lines, ...others].sort((a, b) => placeOf(a) - placeOf(b))
  return [
    '| ratio | on | measured | aim | | both sides |',
    '| --- | --- | --- | --- | --- | --- |',
    ...all,
  ].join('\n')
}

/** The page `docs/bench.md`. @param others lines of an earlier run */
export function page(
  rows: readonly Row[],
  machine: Machine,
  command: string,
  others: readonly string[] = [],
): string {
  const { cpu, cores, memoryGb, kernel, load, versions } = machine
  const list = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  return `# Bench

Written by \`${command}\`; do not edit. Both sides of a ratio are measured in one run, in turn, and the middle of the
rounds' ratios counts: absolute times are this machine's at that hour, ratios are ours.

Machine: ${cpu}, ${cores} cores, ${memoryGb} GB, Linux ${kernel}; load ${load[0].toFixed(1)} at the start and ${load[1].toFixed(1)} at the end of the run.
Versions: ${list.join(', ')}.

${table(rows, others)}
${others.length === 0 ? '' : `\n${EARLIER}: measured at another hour and load, with the code of that hour.\n`}
What is measured:

- R1, R2: CPU of everything from a terminal's bytes to a journalled event that a client is sent (screen, frames, the
  vendor's reading, its grammar, the conversation, the journal on disk, JSON), against the bare emulator that parses the
  same bytes. R1: 16 KB come at a time; R2: each frame of the program by itself. "frames only" stops at the settled frame.
  Synthetic programs: \`stream\` (1 KB frames, footer erased and painted again), \`ink\` (5 KB, everything painted again),
  \`region\` (0.3 KB, rows inserted by a scroll region), \`altdiff\` (0.7 KB, cells of the alternate screen). Others are
  recordings of the real programs on their own clock.
- R3: from a program's write to its bytes in our tmux host, against a bare pty. R4: to an event at a web client, after it
  was journalled, against a bare pty read. R5: tmux's part of all CPU. R6: bytes of events a client is sent, against
  bytes of the terminal, at 16 KB. R7: memory. R8: joins under a flood, compared with the record byte by byte. R9: rows of
  frames compared with the emulator's over random programs. R10: CPU of a session among many against few. R11: silence.
- flat: what a MB costs late in one long session, against early.
`
}
