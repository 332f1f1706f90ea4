/** @module scripts/test-run/counts - the closing line, from the reporter's own numbers. */
import { readFileSync } from 'node:fs'

/** @typedef {{passed: number, failed: number, skipped: number}} Counts */

/**
 * Counts of a vitest JSON report. A file that did not load counts as one failure, and so does a run without a report.
 * @param {string} file @param {number} exitCode
 * @returns {Counts}
 */
export function countsOf(file, exitCode) {
  const report = readReport(file)
  if (report === null) return { passed: 0, failed: 1, skipped: 0 }
  const unloaded = report.testResults.filter(
    (one) => one.status === 'failed' && one.assertionResults.length === 0,
  )
  const counts = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    // Whatever did not run: skipped, to do, or behind the failure that ended the run.
    skipped: report.numTotalTests - report.numPassedTests - report.numFailedTests,
  }
  // An error outside any test (an unhandled rejection, a hook of a whole file) fails the run without failing a test.
  return exitCode !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts
}

/**
 * How many files a run that ended early did not finish or begin; their tests are not all among the counts.
 * @param {string} file
 * @returns {number}
 */
export function cutFiles(file) {
  const files = readReport(file)?.testResults ?? []
  const cut = files.filter((one) =>
    one.assertionResults.length === 0
      ? one.status !== 'failed'
      : one.assertionResults.some((test) => test.status === 'pending'),
  )
  return cut.length
}

export function closingLine(/** @type {Counts} */ counts) {
  return `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
}

/**
 * @typedef {object} Report
 * @property {number} numTotalTests
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {{status: string, assertionResults: {status: string}[]}[]} testResults
 * @param {string} file
 * @returns {Report | null}
 */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}
