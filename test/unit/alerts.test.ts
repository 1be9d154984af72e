import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { expectAlerts, hasPromtool, type Series } from '../support/alerts.ts'

/** The minute in which the fault begins. The service is healthy before. */
const FAULT = 5
const END = 150

/** A gauge that has the value `bad` during the fault, and the value `good` before and after. */
const gauge = (good: number, bad: number, minutes: number): string =>
  `${good}x${FAULT - 1} ${bad}x${minutes - 1} ${good}x${END}`
const steady = (value: number): string => `${value}x${END}`

/** A counter that grows only during the fault. */
const counter = (aMinute: number, minutes: number): string =>
  `0x${FAULT - 1} ${aMinute}+${aMinute}x${minutes - 1} ${aMinute * minutes}x${END}`
const growing = (aMinute: number): string => `0+${aMinute}x${END}`

const ofWorker = (name: string, labels = ''): string =>
  `${name}{${labels}${labels && ','}instance="worker",job="fundproof"}`
const own = (name: string): string => ofWorker(`fundproof_${name}`)
const collector = (name: string): string =>
  ofWorker('fundproof_collector_up', `collector="${name}"`)
const mail = (outcome: string, instance = 'worker'): string =>
  `fundproof_mail_attempts_total{outcome="${outcome}",instance="${instance}",job="fundproof"}`
const webhooks = (outcome: string): string =>
  ofWorker('fundproof_webhook_attempts_total', `outcome="${outcome}"`)
const requests = (status: number): string =>
  ofWorker('fundproof_http_requests_total', `operation="recordDonation",status="${status}"`)
const seconds = (operation: string, slow: string, all: string): Series => ({
  [ofWorker(`${DURATION}_bucket`, `operation="${operation}",le="1"`)]: slow,
  [ofWorker(`${DURATION}_bucket`, `operation="${operation}",le="2.5"`)]: all,
  [ofWorker(`${DURATION}_bucket`, `operation="${operation}",le="+Inf"`)]: all,
  [ofWorker(`${DURATION}_count`, `operation="${operation}"`)]: all,
})
const DURATION = 'fundproof_http_request_duration_seconds'
const chain = (name: string): string => ofWorker(`fundproof_${name}`, 'chain="1"')
const node = (name: string, of = 'a', instance = 'worker'): string =>
  `fundproof_node_${name}{chain="1",node="${of}",instance="${instance}",job="fundproof"}`
const faults = (reason: string): string =>
  ofWorker('fundproof_node_faults_total', `chain="1",node="a",reason="${reason}"`)
const oldest = (status: string, reason: string): string =>
  ofWorker(
    'fundproof_donations_oldest_open_seconds',
    `chain="1",status="${status}",reason="${reason}"`,
  )
const queued = ofWorker('fundproof_queue_waiting', 'topic="donations"')
const disabled = ofWorker('fundproof_webhook_endpoints', 'status="disabled"')

/**
 * A block number that grows by one a second, stands still during the fault, and has caught up
 * after.
 */
const blocks = (minutes: number, stopsAt: number): string =>
  `0+60x${FAULT - 1} ${stopsAt}x${minutes - 1} ${60 * (FAULT + minutes)}+60x${END}`

type Rule = {
  /** The alert with its labels, as `expectAlerts` names it. */
  alert: string
  /**
   * Returns series that make this alert fire, and no other alert. The fault lasts for `minutes`.
   */
  fault: (minutes: number) => Series
  /** Minutes from the beginning of the fault to the alert. */
  after: number
  /** Minutes for which the alert still fires after the fault. Default: 0. */
  tail?: number
  /** Series that are close to the fault, or a fault for another alert. No alert may fire. */
  calm: Series
}

/** An alert that fires while a gauge is above a limit. */
const limited = (alert: string, series: string, limit: number, after: number): Rule => ({
  alert,
  fault: (minutes) => ({ [series]: gauge(0, limit + 1, minutes) }),
  after,
  calm: { [series]: steady(limit) },
})

/** An alert that fires after a gauge has had the value `bad` for longer than `after` minutes. */
const lasting = (
  alert: string,
  series: string,
  [good, bad]: [good: number, bad: number],
  after: number,
  others: Series = {},
): Rule => ({
  alert,
  fault: (minutes) => ({ [series]: gauge(good, bad, minutes) }),
  after,
  calm: { [series]: gauge(good, bad, after), ...others },
})

const RULES: Rule[] = [
  lasting('FundproofProcessDown instance=worker job=fundproof', ofWorker('up'), [1, 0], 1, {
    'up{instance="x",job="other"}': steady(0),
  }),
  {
    alert: 'FundproofNoWorker collector=chains',
    fault: (minutes) => ({
      [collector('chains')]: `1x${FAULT - 1} stale _x${minutes - 1} 1x${END}`,
    }),
    after: 2,
    // A restart takes a minute.
    calm: { [collector('chains')]: `1x${FAULT - 1} stale _ 1x${END}` },
  },
  {
    alert: 'FundproofSettingsDiffer',
    fault: (minutes) => ({
      'fundproof_build_info{settings="a",instance="worker"}': steady(1),
      'fundproof_build_info{settings="b",instance="api"}': `_x${FAULT} 1x${minutes - 1} stale _x${END}`,
    }),
    after: 15,
    // Two versions with equal settings run at once, as in a rolling restart.
    calm: {
      'fundproof_build_info{settings="a",version="1"}': steady(1),
      'fundproof_build_info{settings="a",version="2"}': steady(1),
    },
  },
  {
    alert: 'FundproofDatabaseAway collector=database instance=worker job=fundproof',
    // The metrics that come from the database are missing too. Other alerts must not hide the
    // cause.
    fault: (minutes) => ({
      [collector('database')]: gauge(1, 0, minutes),
      [collector('chains')]: gauge(1, 0, minutes),
      [chain('chain_progress_age_seconds')]: `1x${FAULT - 1} stale _x${minutes - 1} 1x${END}`,
    }),
    after: 1,
    calm: { [collector('database')]: gauge(1, 0, 1) },
  },
  limited(
    'FundproofDatabaseSlow instance=worker job=fundproof',
    own('database_answer_seconds'),
    0.25,
    5,
  ),
  {
    alert: 'FundproofClockAway instance=worker job=fundproof',
    fault: (minutes) => ({ [own('clock_offset_seconds')]: gauge(0, -31, minutes) }),
    after: 1,
    calm: {
      [own('clock_offset_seconds')]: steady(-30),
      'fundproof_clock_offset_seconds{instance="api"}': steady(20),
    },
  },
  {
    alert: 'FundproofDatabaseClockJumped',
    // The alert fires even if only one process has seen the jump.
    fault: (minutes) => ({
      [own('database_clock_jumped')]: gauge(0, 1, minutes),
      'fundproof_database_clock_jumped{instance="api"}': steady(0),
    }),
    after: 1,
    calm: { [own('database_clock_jumped')]: steady(0) },
  },
  {
    alert: 'FundproofNumbersMissing collector=events instance=worker job=fundproof',
    fault: (minutes) => ({
      [collector('database')]: steady(1),
      [collector('events')]: gauge(1, 0, minutes),
    }),
    after: 5,
    calm: { [collector('database')]: steady(1), [collector('events')]: gauge(1, 0, 5) },
  },
  {
    alert: 'FundproofErrorRate',
    fault: (minutes) => ({ [requests(503)]: counter(6, minutes), [requests(201)]: growing(60) }),
    after: 5,
    tail: 6,
    calm: {
      [requests(503)]: growing(6),
      [requests(404)]: growing(60),
      [requests(201)]: growing(600),
    },
  },
  {
    alert: 'FundproofSlowRequests operation=getCampaign',
    fault: (minutes) => seconds('getCampaign', counter(58, minutes), counter(60, minutes)),
    after: 10,
    tail: 6,
    calm: {
      ...seconds('getCampaign', growing(60), growing(60)),
      // There are too few requests for an alert.
      ...seconds('getImpact', growing(1), growing(5)),
    },
  },
  lasting(
    'FundproofProcessBusy instance=worker job=fundproof',
    ofWorker('nodejs_eventloop_lag_p99_seconds'),
    [0.01, 0.3],
    10,
  ),
  {
    alert: 'FundproofConnectionsRefused instance=worker',
    fault: (minutes) => ({ [own('http_connections_refused_total')]: counter(1, minutes) }),
    after: 5,
    tail: 6,
    calm: { [own('http_connections_refused_total')]: steady(7) },
  },
  {
    alert: 'FundproofQueueStuck topic=donations',
    fault: (minutes) => ({ [queued]: gauge(0, 1, minutes) }),
    after: 10,
    // A message waits most of the time, but the queue is empty in between.
    calm: { [queued]: '1 1 1 0 '.repeat(99) },
  },
  {
    alert: 'FundproofMailFailing',
    fault: (minutes) => ({ [mail('failed')]: counter(1, minutes), [mail('sent')]: steady(0) }),
    after: 5,
    tail: 16,
    calm: {
      [mail('failed')]: counter(1, 12),
      [mail('refused')]: growing(1),
      // A new worker sent mail before its first scrape, so its series begins with 3.
      [mail('sent', 'worker 2')]: `_x${FAULT} 3x${END}`,
      [mail('sent')]: `0x${FAULT + 12} 1x${END}`,
    },
  },
  limited('FundproofFinalityStalled chain=1', chain('finality_stalled'), 0, 1),
  limited('FundproofChainHalted chain=1', chain('chain_halted'), 0, 0),
  limited(
    'FundproofWorkerSettingsWrong chain=1 instance=worker',
    chain('chain_settings_wrong'),
    0,
    0,
  ),
  lasting('FundproofNodeDown chain=1 node=a', node('up'), [1, 0], 5, {
    // One of two workers reaches the node, so the node is not down.
    [node('up', 'b')]: steady(0),
    [node('up', 'b', 'worker 2')]: steady(1),
  }),
  {
    alert: 'FundproofNodeDisbelieved chain=1 node=a',
    // The series of a fault reason begins with the first fault.
    fault: () => ({ [faults('forged')]: `_x${FAULT} 1x${END}` }),
    after: 0,
    tail: 10,
    calm: { [faults('outvoted')]: growing(0.3), [faults('transport')]: growing(9) },
  },
  limited('FundproofChainNotFollowed chain=1', chain('chain_progress_age_seconds'), 120, 1),
  {
    alert: 'FundproofChainBehind chain=1',
    // Two of three nodes have stopped, so the head of the quorum is behind the cursor.
    fault: (minutes) => ({
      [chain('chain_cursor')]: blocks(minutes, 241),
      [chain('chain_head')]: blocks(minutes, 240),
      [node('head')]: blocks(minutes, 240),
      [node('head', 'b')]: blocks(minutes, 240),
      [node('head', 'c')]: growing(60),
    }),
    after: 10,
    calm: {
      [chain('chain_cursor')]: growing(60),
      [chain('chain_head')]: `50+60x${END}`,
      [node('head')]: `50+60x${END}`,
      // One node stands still, and one worker has stopped asking its node.
      [node('head', 'b')]: steady(3),
      [node('head', 'c', 'worker 2')]: steady(40),
    },
  },
  limited('FundproofNoHead chain=1', chain('chain_cursor_age_seconds'), 300, 1),
  {
    ...limited(
      'FundproofDonationUnchecked chain=1 reason=node_unavailable',
      oldest('pending', 'node_unavailable'),
      1_800,
      5,
    ),
    calm: {
      [oldest('pending', 'node_unavailable')]: steady(1_800),
      [oldest('pending', 'waiting_for_transaction')]: steady(9_000),
    },
  },
  limited(
    'FundproofDonationUnsettled chain=1 reason=price_stale',
    oldest('confirming', 'price_stale'),
    7_200,
    5,
  ),
  limited('FundproofPriceMissing chain=1', chain('donations_unpriced'), 0, 30),
  limited('FundproofLedgerDifference chain=1', chain('ledger_differences_open'), 0, 0),
  limited('FundproofEscrowUnproven chain=1', chain('escrows_unproven'), 0, 30),
  limited('FundproofSealsBehind', own('ledger_oldest_unsealed_seconds'), 300, 5),
  limited('FundproofEventsUnrelayed', own('events_oldest_unrelayed_seconds'), 60, 2),
  limited('FundproofFeedWaits', own('feed_wait_seconds'), 60, 2),
  limited('FundproofWebhooksOverdue', own('webhook_overdue_seconds'), 120, 5),
  limited('FundproofWebhookBacklog', own('webhook_deliveries_pending'), 10_000, 15),
  limited('FundproofWebhookUndelivered', own('webhook_oldest_pending_seconds'), 86_400, 0),
  {
    alert: 'FundproofWebhookFailures',
    fault: (minutes) => ({
      [webhooks('timeout')]: counter(8, minutes),
      [webhooks('delivered')]: growing(2),
    }),
    after: 18,
    tail: 15,
    calm: { [webhooks('http_5xx')]: growing(8), [webhooks('delivered')]: growing(8) },
  },
  {
    alert: 'FundproofEndpointDisabled',
    fault: () => ({ [disabled]: `2x${FAULT - 1} 3x${END}` }),
    after: 0,
    tail: 55,
    calm: { [disabled]: `3x${FAULT - 1} 2x${END}` },
  },
  {
    alert: 'FundproofLedgerRestored',
    fault: (minutes) => ({
      [own('ledger_restored')]: gauge(0, 1, minutes),
      'fundproof_ledger_restored{instance="worker 2"}': steady(0),
    }),
    after: 0,
    calm: { [own('ledger_restored')]: steady(0) },
  },
]

const NAMED = RULES.map((rule) => [rule.alert.split(' ')[0] ?? '', rule] as const)

describe.skipIf(!hasPromtool)('the alert', () => {
  test.each(NAMED)(
    '%s fires by its fault, and ends with it',
    (_name, { alert, fault, after, tail = 0 }) => {
      const minutes = after + 5
      const end = FAULT + minutes + tail
      expectAlerts({ [collector('chains')]: steady(1), ...fault(minutes) }, [
        // Checks one minute earlier, because versions of Prometheus differ in the first sample of a
        // range.
        { at: FAULT + after - 2, ever: true, alerts: [] },
        { at: FAULT + after, alerts: [alert] },
        { at: FAULT + minutes - 1, alerts: [alert] },
        { at: end, alerts: [] },
        { at: end, ever: true, alerts: [alert] },
      ])
    },
  )

  test.each(NAMED)('%s stays silent without its fault', (_name, { calm, after, tail = 0 }) => {
    expectAlerts({ [collector('chains')]: steady(1), ...calm }, [
      { at: FAULT + after + tail + 3, ever: true, alerts: [] },
    ])
  })
})

test('every alert is made to fire and to fall silent', () => {
  const rules = readFileSync(join(import.meta.dirname, '../../docs/operations/alerts.yml'), 'utf8')
  expect(NAMED.map(([name]) => name)).toEqual(rules.match(/(?<=- alert: )\w+/g))
})
