/** @module scripts/accuracy/gate - what a screen-only replay of our fixtures must reach; lowered here, openly, or nowhere. */

/**
 * Percent of items and states that must be right. Duplicated and invented items are never allowed.
 * @typedef {{readonly vendor: string, readonly screen: 'main' | 'alternate', readonly items: number, readonly states: number}} Gate
 * @type {readonly Gate[]}
 */
export const GATES = [
  { vendor: 'claude', screen: 'main', items: 99, states: 100 },
  { vendor: 'codex', screen: 'alternate', items: 97, states: 100 },
  { vendor: 'codex', screen: 'main', items: 99, states: 100 },
  { vendor: 'copilot', screen: 'alternate', items: 97, states: 100 },
  { vendor: 'gemini', screen: 'main', items: 99, states: 100 },
  { vendor: 'opencode', screen: 'alternate', items: 97, states: 100 },
  { vendor: 'pi', screen: 'alternate', items: 97, states: 100 },
  { vendor: 'pi', screen: 'main', items: 99, states: 100 },
  { vendor: 'qwen', screen: 'alternate', items: 97, states: 100 },
  { vendor: 'qwen', screen: 'main', items: 99, states: 100 },
]

/** Situations of each vendor at least. */
export const SITUATIONS = 15

/** Vendors whose situations are not all recorded yet; they have fewer. @type {readonly string[]} */
export const FEWER = []

/** The gate of a vendor whose line is missing is the strict one. @param {string} vendor @param {Gate['screen']} screen @returns {Gate} */
export function gateOf(vendor, screen) {
  const found = GATES.find((gate) => gate.vendor === vendor && gate.screen === screen)
  return found ?? { vendor, screen, items: screen === 'main' ? 99 : 97, states: 100 }
}

/** What keeps a sum from passing; empty when it passes. @param {import('./table.mjs').Sum} sum @returns {string[]} */
export function shortfalls(sum) {
  const { items, states } = gateOf(sum.vendor, sum.screen)
  const percent = (/** @type {number} */ right, /** @type {number} */ total) =>
    total === 0 ? 100 : (100 * right) / total
  const found = []
  if (sum.duplicated > 0) found.push(`${sum.duplicated} items told twice`)
  if (sum.invented > 0) found.push(`${sum.invented} items invented`)
  if (percent(sum.right, sum.total) < items) found.push(`items ${sum.right}/${sum.total}, wanted ${items}%`)
  if (percent(sum.statesRight, sum.statesTotal) < states)
    found.push(`states ${sum.statesRight}/${sum.statesTotal}, wanted ${states}%`)
  return found
}
