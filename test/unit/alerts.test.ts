import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'

const RULES = join(import.meta.dirname, '../../docs/operations/alerts.yml')
const hasPromtool = spawnSync('promtool', ['--version']).status === 0
if (!hasPromtool) console.log('Skipped: promtool is not installed (Debian package prometheus).')

/** Whether an alert fires five minutes after its series have begun to have these values. */
const fires = (alert: string, series: Record<string, string>, is: boolean) => {
  const folder = mkdtempSync(join(tmpdir(), 'fundproof-alerts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'test.yml')
  const expr = `count(ALERTS{alertname="${alert}",alertstate="firing"})`
  // JSON is YAML.
  const tests = {
    rule_files: [RULES],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: Object.entries(series).map(([name, value]) => ({
          series: name,
          values: `${value}x5`,
        })),
        promql_expr_test: [
          { expr, eval_time: '5m', exp_samples: is ? [{ labels: '{}', value: 1 }] : [] },
        ],
      },
    ],
  }
  writeFileSync(file, JSON.stringify(tests))
  const ran = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
  expect(ran.stdout + ran.stderr).toContain('SUCCESS')
  expect(ran.status).toBe(0)
}

describe.skipIf(!hasPromtool)('the alerts about clocks', () => {
  const OFFSET = 'fundproof_clock_offset_seconds{instance="worker-1"}'
  const JUMPED = 'fundproof_database_clock_jumped'

  test.each([
    ['8640000', true],
    ['-31', true],
    ['-29', false],
    ['20', false],
  ])('a clock that is %s s away: %s', (seconds, is) => {
    fires('FundproofClockAway', { [OFFSET]: seconds }, is)
  })

  test('one process that has seen a jump is enough', () => {
    const series = { [`${JUMPED}{instance="a"}`]: '0', [`${JUMPED}{instance="b"}`]: '1' }
    fires('FundproofDatabaseClockJumped', series, true)
  })

  test('without a jump there is no alert', () => {
    fires('FundproofDatabaseClockJumped', { [`${JUMPED}{instance="a"}`]: '0' }, false)
  })
})
