import { readFileSync } from 'node:fs'

type Report = {
  numPassedTests: number
  testResults: { status: string; assertionResults: { status: string }[] }[]
}

/** Prints `N passed, N failed` from vitest's JSON report, and fails if anything is not as it must be. */
const [, , path = '', status = '1'] = process.argv

const readReport = (): Report => {
  try {
    // The form is vitest's: its JSON reporter writes it.
    return JSON.parse(readFileSync(path, 'utf8')) as Report
  } catch {
    return { numPassedTests: 0, testResults: [] }
  }
}

const report = readReport()
// A file that could not even be loaded has no failed test of its own, but is a failure.
const failures = report.testResults
  .filter((file) => file.status === 'failed')
  .map((file) => file.assertionResults.filter((test) => test.status === 'failed').length || 1)
const failed = failures.reduce((sum, count) => sum + count, 0)
const passed = report.numPassedTests
const isGood = status === '0' && failed === 0 && passed > 0

console.log(`${passed} passed, ${isGood || failed > 0 ? failed : 1} failed`)
process.exitCode = isGood ? 0 : 1
