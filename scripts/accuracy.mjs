#!/usr/bin/env node
/**
 * @module scripts/accuracy - screen-only replays against what truly happened:
 * `npm run accuracy [-- PATTERN] [--casts DIR] [--json] [--write]`
 *
 * Scores every fixture (`PATTERN`: a part of the names), and with `--casts` the recordings of a folder, `NAME.cast`
 * beside `NAME.truth.json`, in tables of their own. `--write` puts the tables of the fixtures into docs/accuracy.md.
 * Exit code 1 when a recording cannot be replayed or a gate (scripts/accuracy/gate.mjs) does not hold.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fixtureCases, folderCases } from './accuracy/corpus.mjs'
import { shortfalls } from './accuracy/gate.mjs'
import { score } from './accuracy/score.mjs'
import { situationTable, sums, vendorTable } from './accuracy/table.mjs'
import { build } from './build.mjs'
import { SetupError } from './setup/command.mjs'
import { optionsOf } from './setup/options.mjs'
import { main, say } from './setup/progress.mjs'
import { ROOT, setup } from './setup.mjs'

const USAGE = `npm run accuracy [-- PATTERN] [-- --casts DIR] [-- --json] [-- --write]
  npm run accuracy -- claude/simple      those whose name has it
  npm run accuracy -- --casts DIR        NAME.cast beside NAME.truth.json in a folder of yours
  npm run accuracy -- --write            the tables of docs/accuracy.md`
const DOCUMENT = join(ROOT, 'docs', 'accuracy.md')
const FROM = '<!-- made by scripts/accuracy.mjs -->'
const TO = '<!-- end of accuracy -->'

await main(async () => {
  const { values, positionals } = optionsOf(USAGE, {
    casts: { type: 'string' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  })
  const { casts, json, write } = values
  const [pattern] = positionals
  if (write && pattern !== undefined)
    throw new SetupError('--write is for the tables of all fixtures', 'leave the pattern out')
  if (casts !== undefined && !existsSync(casts))
    throw new SetupError(`there is no folder ${casts}`, '--casts names a folder of recordings')
  await setup('build')
  await build()
  const fixtures = await scoreAll(fixtureCases(join(ROOT, 'fixtures'), pattern))
  const others = casts === undefined ? null : await scoreAll(folderCases(resolve(casts)))
  if (fixtures.scored.length + fixtures.failed.length === 0 && others === null)
    throw new SetupError(
      'there is nothing to score',
      'a fixture needs its truth.json; --casts names other recordings',
    )
  const parts = [fixtures, ...(others === null ? [] : [others])]
  if (json) {
    const [own, other] = parts.map(({ scored }) => ({ sums: sums(scored), recordings: scored }))
    process.stdout.write(`${JSON.stringify({ ...own, ...(other === undefined ? {} : { casts: other }) })}\n`)
  } else {
    const shown = parts.filter(({ scored }) => scored.length > 0)
    process.stdout.write(shown.map(({ scored }) => `${findings(scored)}${tables(scored)}\n`).join('\n'))
  }
  const failed = parts.flatMap((part) => part.failed)
  for (const line of failed) say(`error: ${line}`)
  if (write) writeDocument(tables(fixtures.scored), fixtures.dates)
  const short = parts.flatMap(({ scored }) => sums(scored).flatMap(told))
  for (const line of short) say(`gate: ${line}`)
  return failed.length + short.length === 0 ? 0 : 1
})

/** @param {readonly import('./accuracy/table.mjs').Scored[]} scored */
function tables(scored) {
  return `${vendorTable(sums(scored))}\n\n${situationTable(scored)}`
}

/** @param {import('./accuracy/table.mjs').Sum} sum */
function told(sum) {
  return shortfalls(sum).map((text) => `${sum.vendor} (${sum.screen} screen): ${text}`)
}

/** @param {readonly import('./accuracy/corpus.mjs').Case[]} cases */
async function scoreAll(cases) {
  const { openOffline } = await import('../dist/src/hub/offline.js')
  const { adapters, readers } = await import('../dist/adapters/registry.js')
  const offline = openOffline({ adapters, readers })
  const scored = []
  const failed = []
  const dates = []
  for (const { vendor, version, situation, screen, cast, truth } of cases) {
    try {
      const recording = offline.open(cast, { vendor, side: null })
      const { timestamp } = recording.cast.header
      if (timestamp !== undefined) dates.push(new Date(timestamp * 1000).toISOString().slice(0, 10))
      scored.push({
        vendor,
        version,
        situation,
        screen,
        score: score(truth, await offline.replay(recording)),
      })
    } catch (error) {
      failed.push(`${cast}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  return { scored, failed, dates: dates.sort() }
}

/** What is not right, a line each. @param {readonly import('./accuracy/table.mjs').Scored[]} scored */
function findings(scored) {
  return scored
    .filter(({ score: { findings } }) => findings.length > 0)
    .map(({ vendor, version, situation, score: { findings } }) => {
      const lines = findings.map(({ what, kind, text }) => `  ${what} ${kind}: ${text}\n`)
      return `${vendor}/${version}/${situation}\n${lines.join('')}\n`
    })
    .join('')
}

/** @param {string} shown The tables. @param {readonly string[]} dates */
function writeDocument(shown, dates) {
  const text = readFileSync(DOCUMENT, 'utf8')
  const [before, after] = [text.indexOf(FROM), text.indexOf(TO)]
  if (before < 0 || after < before)
    throw new SetupError(`${DOCUMENT} has lost its marks`, `put back ${FROM} and ${TO}`)
  const [first, last] = [dates[0], dates.at(-1)]
  const made =
    first === undefined ? '' : `Recorded ${first === last ? `on ${first}` : `from ${first} to ${last}`}.\n\n`
  writeFileSync(DOCUMENT, `${text.slice(0, before)}${FROM}\n\n${made}${shown}\n\n${text.slice(after)}`)
  say('wrote docs/accuracy.md')
}
