import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { readSeries } from './metrics-scrape.ts'

const RULES = join(import.meta.dirname, '../../docs/operations/alerts.yml')

export const hasPromtool = spawnSync('promtool', ['--version']).status === 0
if (!hasPromtool) {
  const line = 'promtool is not installed (Debian package prometheus)'
  if (process.env.CI) throw new Error(`${line}: the tests of the alerts cannot run.`)
  console.log(`Skipped: ${line}.`)
}

/** Values by series, one value a minute, in promtool's notation: `0x9 5x59` has 70 minutes. */
export type Series = Readonly<Record<string, string>>

/**
 * The alerts that fire at a minute, or that have fired up to this minute (`ever`). Each is written
 * as `Name chain=1 node=a`, with all labels except the severity.
 */
export type Expected = { at: number; ever?: boolean; alerts: readonly string[] }

const sampleOf = (alert: string) => {
  const [name, ...labels] = alert.split(' ')
  const pairs = [['alertname', name], ...labels.map((label) => label.split('='))]
  const text = pairs.map(([key, value]) => `${key}="${value}"`).join(',')
  return { labels: `{${text}}`, value: 1 }
}

/** Evaluates the rules of docs/operations for the series. Expects these alerts and no others. */
export const expectAlerts = (series: Series, expected: readonly Expected[]): void => {
  const folder = mkdtempSync(join(tmpdir(), 'alerts-'))
  const file = join(folder, 'test.json')
  const firing = 'ALERTS{alertstate="firing"}'
  const test = {
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: expected.map(({ at, ever = false, alerts }) => ({
      expr: `max without (severity, alertstate) (${ever ? `max_over_time(${firing}[${at}m])` : firing})`,
      eval_time: `${at}m`,
      exp_samples: alerts.map(sampleOf),
    })),
  }
  try {
    const rules = { rule_files: [RULES], evaluation_interval: '1m', tests: [test] }
    writeFileSync(file, JSON.stringify(rules))
    const { stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
    expect(stdout + stderr).toMatch(/^Unit Testing: .*\n {2}SUCCESS\s*$/)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * A real answer of `/metrics`, and the number of minutes for which each scrape gets this answer.
 */
export type Scraped = { text: string; minutes: number }

/** The series that Prometheus gets from these answers, with one scrape a minute. */
export const seriesOf = (story: readonly Scraped[], instance = 'worker'): Series => {
  const scrapes = story.map(({ text, minutes }) => ({ minutes, values: readSeries(text) }))
  const names = new Set(scrapes.flatMap(({ values }) => [...values.keys()]))
  const labelled = (name: string): string => {
    const [, metric, labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(name) ?? []
    return `${metric}{${labels}${labels && ','}instance="${instance}",job="fundproof"}`
  }
  const valuesOf = (name: string): string =>
    scrapes
      .map(({ values, minutes }) => {
        const value = values.get(name)
        // Prometheus marks a series as stale when it is missing in a scrape.
        if (value === undefined || Number.isNaN(value)) return `stale _x${minutes - 1}`
        return `${value}x${minutes - 1}`
      })
      .join(' ')
  return Object.fromEntries(
    [...names]
      .filter((name) => name.startsWith('fundproof_') && name !== MEASURED)
      .map((name) => [labelled(name), valuesOf(name)]),
  )
}

/** The metric of a time that depends on the speed of the machine. */
const MEASURED = 'fundproof_database_answer_seconds'

/**
 * Lets Prometheus scrape these answers of a worker: healthy, then `faulty` for an hour, then
 * mended.
 */
export const expectStory = (
  well: string,
  faulty: string,
  mended: string,
  alerts: string[],
): void => {
  const story = [
    { text: well, minutes: 5 },
    { text: faulty, minutes: 60 },
    { text: mended, minutes: 10 },
  ]
  expectAlerts(seriesOf(story), [
    { at: 4, ever: true, alerts: [] },
    { at: 74, ever: true, alerts },
    { at: 74, alerts: [] },
  ])
}
