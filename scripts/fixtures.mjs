#!/usr/bin/env node
/**
 * @module scripts/fixtures - replays every fixture and shows what has changed: `npm run fixtures [-- PATTERN] [--accept]`
 *
 * `PATTERN` is a part of a fixture's name (`claude/`, `denied`). `--accept` makes what is told now the expected events:
 * after a person has looked. Exit code 1 when anything differs.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { diffEvents } from './fixtures/diff.mjs'
import { linesOf, listFixtures } from './fixtures/list.mjs'
import { SetupError } from './setup/command.mjs'
import { optionsOf } from './setup/options.mjs'
import { main } from './setup/progress.mjs'
import { ROOT, setup } from './setup.mjs'

/** Differences that are shown of one file. */
const SHOWN = 20
const USAGE = `npm run fixtures [-- PATTERN] [-- --accept]
  npm run fixtures -- claude/            those of a vendor
  npm run fixtures -- denied --accept    what is told now is expected: after you have looked`
const FILES = ['expected.jsonl', 'expected.side.jsonl']

await main(async () => {
  const { values, positionals } = optionsOf(USAGE, { accept: { type: 'boolean', default: false } })
  await setup('build')
  await build()
  const { openOffline } = await import('../dist/src/hub/offline.js')
  const { adapters, readers } = await import('../dist/adapters/registry.js')
  const offline = openOffline({ adapters, readers })
  const fixtures = listFixtures(join(ROOT, 'fixtures'), positionals[0])
  if (fixtures.length === 0) {
    throw new SetupError(`no fixture is called ${positionals[0] ?? 'so: there are none'}`, USAGE)
  }
  let differing = 0
  for (const fixture of fixtures) {
    const lines = await differences(offline, fixture, values.accept)
    if (lines.length > 0) differing += 1
    process.stdout.write(lines.length === 0 ? `ok      ${fixture.name}\n` : `${lines.join('\n')}\n`)
  }
  const verb = values.accept ? 'accepted' : 'differ'
  process.stdout.write(
    `${fixtures.length} ${fixtures.length === 1 ? 'fixture' : 'fixtures'}, ${differing} ${verb}\n`,
  )
  return differing > 0 && !values.accept ? 1 : 0
})

/**
 * @param {import('../dist/src/hub/offline.js').Offline} offline
 * @param {import('./fixtures/list.mjs').Fixture} fixture @param {boolean} accept
 * @returns {Promise<string[]>}
 */
async function differences(offline, fixture, accept) {
  /** @type {Record<string, string[]>} */
  let told
  try {
    told = await offline.expected(offline.open(fixture.cast, { vendor: fixture.vendor }))
  } catch (error) {
    return [`FAILED  ${fixture.name}`, `          ${error instanceof Error ? error.message : String(error)}`]
  }
  return FILES.flatMap((file) => {
    const path = join(fixture.folder, file)
    const [before, now] = [linesOf(path), told[file] ?? null]
    const shown = show(`${fixture.name}/${file}`, before, now)
    if (accept && shown.length > 0) {
      if (now === null) rmSync(path)
      else writeFileSync(path, now.map((line) => `${line}\n`).join(''))
    }
    return shown
  })
}

/** @param {string} name @param {string[] | null} before @param {string[] | null} now @returns {string[]} */
function show(name, before, now) {
  if (now === null)
    return before === null ? [] : [`GONE    ${name}: there is no side-channel log that gives it`]
  if (before === null) return [`NEW     ${name}: ${now.length} events, none were expected yet`]
  const found = diffEvents(before, now)
  // Lines that say the same in another way still are another file.
  if (found.length === 0)
    return before.join('\n') === now.join('\n') ? [] : [`CHANGED ${name}: only its form`]
  const rest = found.length - SHOWN
  return [
    `CHANGED ${name}: ${found.length} differences`,
    ...found.slice(0, SHOWN).map(({ what, text }) => `          ${what.padEnd(8)} ${text}`),
    ...(rest > 0 ? [`          and ${rest} more`] : []),
  ]
}
