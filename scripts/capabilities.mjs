#!/usr/bin/env node
/**
 * @module scripts/capabilities - writes the table of README.md from what the built adapters declare:
 * `npm run build && node scripts/capabilities.mjs`
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FROM = '<!-- capabilities: made by scripts/capabilities.mjs -->'
const TO = '<!-- end of capabilities -->'

/** What a row of the requirements is for a reader. */
const FEATURES = {
  'N0.1': 'Terminal and page drive the same process (tmux, or a pty where there is none)',
  'N0.2': "The bridge's own tools for the model (MCP)",
  'N0.3': "The vendor's own login, untouched; `doctor` says what is missing",
  'N0.4': "Text while it is written; the completed text is the vendor's own",
  'N0.5': 'Policies: allow, ask or deny a tool',
  'N0.6': 'Dialogs (permissions, questions, trust, login) on the page',
  'N0.7': 'Interrupt, with what was seen of it',
  'N0.8': 'Both sides show every prompt once, in order',
  'N0.9': 'Tokens and dollars, by turn and session',
  'N0.10': 'Tested on the real program',
  'N1.1': 'Choice of the model',
  'N1.2': 'New, forked and resumed sessions from the page',
  'N1.3': "Resume from the bridge's own record",
  'N1.4': 'Reasoning as its own item',
  'N1.5': 'Compaction of the context',
  'N1.6': 'Images in prompts',
  'N2.1': "A tool's output while it runs",
  'N2.2': 'Changes of the working tree',
  'N2.3': 'Images that the agent makes or views',
  'N2.4': 'Modes (plan, accept edits, ...)',
}

const WORDS = { supported: 'yes', partial: 'partly', unsupported: 'no', not_yet: 'not yet' }

/**
 * @typedef {{row: string, level: keyof typeof WORDS, note: string}} Capability
 * @typedef {{vendor: {name: string, testedVersions: readonly string[]}, capabilities(version: string | null): readonly Capability[]}} Declaring
 * @param {readonly Declaring[]} adapters
 */
export function capabilityTable(adapters) {
  const columns = adapters.map((adapter) => {
    const version = adapter.vendor.testedVersions.at(-1) ?? null
    return { title: `${adapter.vendor.name} ${version ?? ''}`.trim(), cells: adapter.capabilities(version) }
  })
  const lines = [
    ['', ...columns.map(({ title }) => title)],
    ['---', ...columns.map(() => '---')],
    ...Object.entries(FEATURES).map(([row, feature]) => [
      feature,
      ...columns.map(({ cells }) => cell(cells.find((one) => one.row === row))),
    ]),
  ]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

/** The note of what is not there yet says where it would come from, which is nothing for a reader. */
function cell(/** @type {Capability | undefined} */ capability) {
  if (capability === undefined) return ''
  const { level, note } = capability
  return level === 'not_yet' ? WORDS[level] : `${WORDS[level]}: ${note}`
}

/** `readme` with `table` between its two comments. */
export function withTable(/** @type {string} */ readme, /** @type {string} */ table) {
  const from = readme.indexOf(FROM)
  const to = readme.indexOf(TO)
  if (from < 0 || to < from) throw new Error(`README.md has no ${FROM} ... ${TO}`)
  return `${readme.slice(0, from + FROM.length)}\n\n${table}\n\n${readme.slice(to)}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = fileURLToPath(new URL('../README.md', import.meta.url))
  const { adapters } = await import(new URL('../dist/adapters/registry.js', import.meta.url).href)
  writeFileSync(file, withTable(readFileSync(file, 'utf8'), capabilityTable(adapters)))
  process.stdout.write('wrote the table of README.md\n')
}
