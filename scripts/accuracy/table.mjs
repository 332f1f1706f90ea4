/** @module scripts/accuracy/table - scores as tables: by vendor, and by vendor and situation. */

/**
 * @typedef {object} Scored
 * @property {string} vendor @property {string} version @property {string} situation
 * @property {'main' | 'alternate'} screen
 * @property {import('./score.mjs').Score} score
 *
 * @typedef {object} Sum
 * @property {string} vendor @property {readonly string[]} versions @property {'main' | 'alternate'} screen
 * @property {number} recordings
 * @property {number} right @property {number} total @property {number} missing @property {number} wrong
 * @property {number} duplicated @property {number} invented
 * @property {number} statesRight @property {number} statesTotal
 */

/** One sum for each vendor and kind of screen. @param {readonly Scored[]} scored @returns {Sum[]} */
export function sums(scored) {
  const groups = new Map()
  for (const one of scored) {
    const key = `${one.vendor} ${one.screen}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => sumOf(group))
}

/** @param {readonly Scored[]} group @returns {Sum} */
function sumOf(group) {
  const [first] = group
  const of = (/** @type {(score: import('./score.mjs').Score) => number} */ part) =>
    group.reduce((sum, { score }) => sum + part(score), 0)
  return {
    vendor: first?.vendor ?? '',
    versions: [...new Set(group.map(({ version }) => version))].sort(),
    screen: first?.screen ?? 'main',
    recordings: group.length,
    right: of(({ right }) => right),
    total: of(({ total }) => total),
    missing: of(({ missing }) => missing),
    wrong: of(({ wrong }) => wrong),
    duplicated: of(({ duplicated }) => duplicated),
    invented: of(({ invented }) => invented),
    statesRight: of(({ states }) => states.right),
    statesTotal: of(({ states }) => states.total),
  }
}

const HEAD =
  'vendor | version | screen | recordings | items right | missing | wrong | doubled | invented | states right'

/** @param {readonly Sum[]} list Markdown, as are all tables here. */
export function vendorTable(list) {
  const rows = list.map((sum) =>
    [
      sum.vendor,
      sum.versions.join(', '),
      sum.screen,
      sum.recordings,
      share(sum.right, sum.total),
      sum.missing,
      sum.wrong,
      sum.duplicated,
      sum.invented,
      share(sum.statesRight, sum.statesTotal),
    ].map(String),
  )
  return markdown(HEAD.split(' | '), rows)
}

/** A row for each situation, a column for each vendor. @param {readonly Scored[]} scored */
export function situationTable(scored) {
  const vendors = [...new Set(scored.map(({ vendor }) => vendor))].sort()
  const situations = [...new Set(scored.map(({ situation }) => situation))].sort()
  const rows = situations.map((situation) => [
    situation,
    ...vendors.map((vendor) =>
      scored
        .filter((one) => one.vendor === vendor && one.situation === situation)
        .map(({ score }) => cell(score))
        .join('; '),
    ),
  ])
  return markdown(['situation', ...vendors], rows)
}

/** `12/12`, and what else is wrong. @param {import('./score.mjs').Score} score */
function cell({ right, total, duplicated, invented, states }) {
  const notes = [
    duplicated > 0 ? `${duplicated} doubled` : '',
    invented > 0 ? `${invented} invented` : '',
    states.right < states.total ? `states ${states.right}/${states.total}` : '',
  ].filter((note) => note !== '')
  return [`${right}/${total}`, ...notes].join(', ')
}

/** Never rounded up: 100% means all. @param {number} right @param {number} total */
function share(right, total) {
  if (total === 0) return '-'
  const percent = right === total ? '100' : (Math.floor((1000 * right) / total) / 10).toFixed(1)
  return `${right}/${total} (${percent}%)`
}

/** @param {readonly string[]} head @param {readonly (readonly string[])[]} rows */
function markdown(head, rows) {
  const widths = head.map((name, i) => Math.max(name.length, 3, ...rows.map((row) => row[i]?.length ?? 0)))
  const line = (/** @type {readonly string[]} */ cells) =>
    `| ${cells.map((text, i) => text.padEnd(widths[i] ?? 0)).join(' | ')} |`
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join(
    '\n',
  )
}
