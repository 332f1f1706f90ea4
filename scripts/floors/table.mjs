/** @module scripts/floors/table - whether the table of rooms in docs/architecture.md says what is held. */
import { ROOMS } from './rooms.mjs'

/** How the table writes the rooms that are not a folder of src/. */
const PATHS = { vendor: 'adapters/<vendor>/', registry: 'adapters/registry.ts' }

/**
 * What the table leaves out or says otherwise.
 * @param {string} text The document.
 * @returns {string[]}
 */
export function checkTable(text) {
  const lines = text.split('\n').filter((line) => /^\| \d+ \|/.test(line))
  const wanted = Object.entries(ROOMS).map(([room, { floor, may }]) => {
    const path = Object.entries(PATHS).find(([name]) => name === room)?.[1] ?? `src/${room}/`
    return ['', `${floor}`, `\`${path}\``, may.join(', '), ''].join(' | ').trim().replace('|  |', '| |')
  })
  const missing = wanted.filter((start) => !lines.some((line) => line.startsWith(start)))
  const others = lines.filter((line) => !wanted.some((start) => line.startsWith(start)))
  return [
    ...missing.map((start) => `the table of rooms has no row "${start}"`),
    ...others.map((line) => `the table of rooms says otherwise than rooms.mjs: "${line}"`),
  ]
}
