#!/usr/bin/env node
/**
 * @module scripts/check-floors - the house rules that a compiler does not hold: imports point down, files stay small,
 * terminal internals stay in one file, and docs/architecture.md says which room may import which. `node scripts/check-floors.mjs [root]`
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { judgeImport, judgePackage } from './floors/rooms.mjs'
import { checkTable } from './floors/table.mjs'

const SCANNED = ['src', 'adapters', 'scripts']
const SOURCE = /\.(ts|tsx|mts|mjs)$/
const MOST_LINES = 500
const ARCHITECTURE = 'docs/architecture.md'
const INTERNALS_FILE = 'src/terminal/xterm-internals.ts'

/**
 * @typedef {{file: string, line: number, message: string}} Violation
 * @param {string} root
 * @returns {Violation[]}
 */
export function checkFloors(root) {
  const files = SCANNED.flatMap((folder) => sourceFiles(root, folder))
  const ofFiles = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const found = [...checkSize(file, text), ...checkInternals(file, text)]
    // Scripts are outside the house; of them only the size is judged.
    return file.startsWith('scripts/') ? found : [...found, ...checkImports(root, file, text)]
  })
  return [...ofFiles, ...checkArchitecture(root)]
}

/** @param {string} root @returns {Violation[]} */
function checkArchitecture(root) {
  if (statSync(join(root, ARCHITECTURE), { throwIfNoEntry: false }) === undefined) return []
  const text = readFileSync(join(root, ARCHITECTURE), 'utf8')
  return checkTable(text).map((message) => ({ file: ARCHITECTURE, line: 1, message }))
}

/** @param {string} root @param {string} folder @returns {string[]} */
function sourceFiles(root, folder) {
  const path = join(root, folder)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = `${folder}/${entry.name}`
      if (entry.isDirectory()) return sourceFiles(root, file)
      return SOURCE.test(entry.name) ? [file] : []
    })
}

/** @param {string} root @param {string} file @param {string} text @returns {Violation[]} */
function checkImports(root, file, text) {
  const { importedFiles } = ts.preProcessFile(text, true, true)
  return importedFiles.flatMap(({ fileName, pos }) => {
    const message = fileName.startsWith('.')
      ? judgeImport(file, targetOf(root, file, fileName))
      : judgePackage(file, fileName)
    return message === null ? [] : [{ file, line: lineAt(text, pos), message }]
  })
}

/** The file that a relative specifier means, from the root: sources are `.ts` where the specifier says `.js`. */
function targetOf(/** @type {string} */ root, /** @type {string} */ file, /** @type {string} */ specifier) {
  const path = posix.normalize(posix.join(posix.dirname(file), specifier))
  const candidates = [
    path,
    path.replace(/\.js$/, '.ts'),
    path.replace(/\.jsx?$/, '.tsx'),
    `${path}.ts`,
    `${path}.tsx`,
  ]
  const real = candidates.find(
    (one) => statSync(join(root, one), { throwIfNoEntry: false })?.isFile() === true,
  )
  return real ?? path.replace(/\.js$/, '.ts')
}

/** @param {string} file @param {string} text @returns {Violation[]} */
function checkSize(file, text) {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  if (lines <= MOST_LINES) return []
  return [{ file, line: lines, message: `${lines} lines; a file has at most ${MOST_LINES}` }]
}

/** @param {string} file @param {string} text @returns {Violation[]} */
function checkInternals(file, text) {
  if (file === INTERNALS_FILE || file.startsWith('scripts/')) return []
  return text.split('\n').flatMap((line, index) => {
    const isComment = /^\s*(\/\/|\/?\*)/.test(line)
    if (isComment || !/\b_core\b/.test(line)) return []
    return [{ file, line: index + 1, message: `terminal internals (_core) belong in ${INTERNALS_FILE} only` }]
  })
}

/** @param {string} text @param {number} position */
function lineAt(text, position) {
  return text.slice(0, position).split('\n').length
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = resolve(process.argv[2] ?? dirname(dirname(fileURLToPath(import.meta.url))))
  const violations = checkFloors(root)
  for (const { file, line, message } of violations) {
    process.stderr.write(
      `${relative(process.cwd(), join(root, file)).split(sep).join('/')}:${line}: ${message}\n`,
    )
  }
  process.stderr.write(violations.length === 0 ? 'floors: ok\n' : `floors: ${violations.length} violations\n`)
  process.exitCode = violations.length === 0 ? 0 : 1
}
