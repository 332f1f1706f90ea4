/** @module cli/reading-lines - what a screen was taken for, as lines for people. */
import type { ScreenReading } from '../protocol/session.js'
import { safeLine, safeText } from './safe-text.js'

/** Widest row that is shown whole. */
const ROW = 200

export function readingLines(reading: ScreenReading): string[] {
  const { state, rule, evidence, ageMs, told, composer, dialog, blocks } = reading
  const lines = [
    `state     ${state}, by ${safeLine(rule)}`,
    ...evidence.map((row) => `evidence  ${safeLine(row, ROW)}`),
    `read      ${seconds(ageMs)} ago`,
  ]
  if (told === null) lines.push('told      no state yet')
  else lines.push(`told      ${told.state} since ${seconds(told.ageMs)}, by ${safeLine(told.rule)}`)
  lines.push(...dialogLines(dialog), ...composerLines(composer))
  lines.push(blocks.length === 0 ? 'blocks    none' : 'blocks')
  for (const block of blocks) {
    const kind = block.kind === null ? 'told as nothing' : block.kind
    lines.push(`  ${block.rule === null ? 'no rule' : safeLine(block.rule)} (${kind})`)
    lines.push(...block.rows.map((row) => `    | ${safeRow(row)}`.trimEnd()))
  }
  return lines
}

function dialogLines(dialog: ScreenReading['dialog']): string[] {
  if (dialog === null) return ['dialog    none']
  const options = dialog.options.map(
    ({ key, label, selected }) =>
      `          ${selected ? '>' : ' '} ${safeLine(key)}  ${safeLine(label, ROW)}`,
  )
  return [`dialog    ${dialog.kind}: ${safeLine(dialog.title, ROW)}`, ...options]
}

function composerLines(composer: ScreenReading['composer']): string[] {
  if (composer === null) return ['composer  not seen']
  const text = composer.text === '' ? 'empty' : JSON.stringify(safeLine(composer.text, ROW))
  const ghost = composer.ghost === null ? [] : [`ghost     ${JSON.stringify(safeLine(composer.ghost, ROW))}`]
  return [`composer  ${text}`, ...ghost]
}

/** Blanks are evidence: only what a terminal would act on goes. */
function safeRow(row: string): string {
  return [...safeText(row).replaceAll(/[\n\t]/g, ' ')].slice(0, ROW).join('')
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
