/** @module bench/main - measures the ratios that are asked for and tells them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { endFleet } from './hub/fleet.js'
import { machine } from './machine.js'
import { met, type Options, type Ratio, type Row } from './ratio.js'
import { flat } from './ratios/flat.js'
import { r1 } from './ratios/r1.js'
import { r2 } from './ratios/r2.js'
import { r3 } from './ratios/r3.js'
import { r4 } from './ratios/r4.js'
import { r5 } from './ratios/r5.js'
import { r6 } from './ratios/r6.js'
import { r7 } from './ratios/r7.js'
import { r8 } from './ratios/r8.js'
import { r9 } from './ratios/r9.js'
import { r10 } from './ratios/r10.js'
import { r11 } from './ratios/r11.js'
import { earlier, page, table } from './report.js'

/** The hub's sessions grow from one to the next: R4 has one, R5 fifty, R11 a hundred, R10 two hundred. */
const RATIOS: readonly Ratio[] = [r1, r2, r6, r7, r8, r9, flat, r3, r4, r5, r10, r11]
const MB = 1_000_000

const HELP = `npm run bench -- [options]
  --only R1,R2     these alone (R1 to R11, flat)
  --quick          few rounds, little data: a look, not a result
  --casts DIR      recordings (DIR/<vendor>/**.cast); fixtures unless told
  --long MB        length of the long session; 100 unless told (1000 for the full proof)
  --json           one JSON value on stdout
  --write          docs/bench.md; with --only, rows of other ratios stay and are marked
`

/** R1 to R11, then what has no number. */
const placeOf = ({ id }: Row): number => (/^R\d/.test(id) ? Number(id.slice(1)) : 100)

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      casts: { type: 'string' },
      long: { type: 'string', default: '100' },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const root = process.cwd()
  const only = values.only?.split(',').map((name) => name.trim().toLowerCase())
  const unknown = only?.find((name) => !RATIOS.some(({ id }) => id.toLowerCase() === name))
  if (unknown !== undefined)
    throw new Error(`there is no ratio ${unknown}; ${RATIOS.map((r) => r.id).join(', ')}`)
  const options: Options = {
    quick: values.quick,
    casts: values.casts ?? join(root, 'fixtures'),
    longBytes: Number(values.long) * MB,
    note: (line) => process.stderr.write(`  ${line}\n`),
  }
  const before = loadavg()[0] ?? 0
  const rows: Row[] = []
  let failed = 0
  try {
    for (const ratio of RATIOS) {
      if (only && !only.includes(ratio.id.toLowerCase())) continue
      process.stderr.write(`\u2022 ${ratio.id}\n`)
      try {
        rows.push(...(await ratio.run(options)))
      } catch (error) {
        // The others are worth having all the same.
        failed += 1
        process.stderr.write(
          `  ${ratio.id} failed: ${error instanceof Error ? (error.stack ?? error.message) : error}\n`,
        )
      }
    }
  } finally {
    await endFleet()
  }
  rows.sort((a, b) => placeOf(a) - placeOf(b))
  const where = machine(root, before)
  if (values.json) process.stdout.write(`${JSON.stringify({ machine: where, rows })}\n`)
  else
    process.stdout.write(`${table(rows)}\nload ${where.load.map((load) => load.toFixed(1)).join(' to ')}\n`)
  if (values.write) {
    const { quick, only: some, long } = values
    const command = `npm run bench -- --write${quick ? ' --quick' : ''}${some ? ` --only ${some}` : ''}${long === '100' ? '' : ` --long ${long}`}`
    const file = join(root, 'docs', 'bench.md')
    const others = some && existsSync(file) ? earlier(readFileSync(file, 'utf8'), rows) : []
    writeFileSync(file, page(rows, where, command, others))
  }
  const missed = rows.filter((row) => met(row) === false).length
  if (missed > 0)
    process.stderr.write(`${missed} of ${rows.filter((row) => row.aim !== null).length} aims missed\n`)
  return failed > 0 ? 1 : 0
}

process.exit(await main())
