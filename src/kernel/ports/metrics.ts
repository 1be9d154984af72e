type Labels = readonly string[]

/** The `labels` are the names of the labels, `help` is the sentence that Prometheus shows. */
function counter<const L extends Labels>(labels: L, help: string) {
  return { kind: 'counter', help, labels } as const
}

function gauge<const L extends Labels>(labels: L, help: string) {
  return { kind: 'gauge', help, labels } as const
}

/** `buckets` are the upper bounds of the buckets in ascending order, without infinity. */
function histogram<const L extends Labels>(labels: L, help: string, buckets: readonly number[]) {
  return { kind: 'histogram', help, labels, buckets } as const
}

/**
 * The metrics of the service by name. Counters only grow; gauges are set. Names follow the
 * conventions of Prometheus: they end with the unit, and counters end with `_total`.
 */
export const METRICS = {
  fundproof_build_info: gauge(
    ['version', 'settings'],
    'The version that this process runs, and a hash of its settings; always 1.',
  ),
  fundproof_clock_offset_seconds: gauge(
    [],
    'The clock of this process minus the clock of the database.',
  ),
  fundproof_database_clock_jumped: gauge(
    [],
    '1 until an operator confirms a jump of the clock of the database, otherwise 0.',
  ),
  fundproof_node_up: gauge(['chain', 'node'], '1 if a node of a chain is in use, otherwise 0.'),
  fundproof_node_head: gauge(['chain', 'node'], 'The newest block that a node has reported.'),
  fundproof_node_faults_total: counter(
    ['chain', 'node', 'reason'],
    'Failed or rejected answers of a node, by reason.',
  ),
  fundproof_chain_head: gauge(['chain'], 'The agreed newest block.'),
  fundproof_chain_finalized: gauge(['chain'], 'The newest final block.'),
  fundproof_chain_cursor: gauge(['chain'], 'The newest block read.'),
  fundproof_finality_stalled: gauge(
    ['chain'],
    '1 if the chain has had no new final block for too long, otherwise 0.',
  ),
  fundproof_donations_settled_total: counter(
    ['chain'],
    'Donations that a final block completed or failed.',
  ),
  fundproof_donations_unpriced: gauge(['chain'], 'Final donations that wait for a price.'),
  fundproof_deposits_booked_total: counter(
    ['chain'],
    'Final transfers that were booked without a donation.',
  ),
  fundproof_escrow_events_settled_total: counter(
    ['chain'],
    'Events of escrows whose final effects were booked.',
  ),
  fundproof_escrows_unproven: gauge(
    ['chain'],
    'Escrows with final events whose code is wrong or not proven yet.',
  ),
  fundproof_ledger_differences_open: gauge(
    ['chain'],
    'Differences between chain, ledger and totals that are not resolved or acknowledged.',
  ),
  fundproof_chain_cursor_age_seconds: gauge(
    ['chain'],
    'Age of the newest block read, by its own time.',
  ),
  fundproof_chain_progress_age_seconds: gauge(
    ['chain'],
    'Time since the last progress of the chain, by the clock of the database.',
  ),
  fundproof_chain_halted: gauge(
    ['chain'],
    '1 if settlement is halted because the nodes contradict final or stored blocks, otherwise 0.',
  ),
  fundproof_chain_settings_wrong: gauge(
    ['chain'],
    '1 while the nodes contradict the settings of this worker, which then leaves the chain alone.',
  ),
  fundproof_donations_recorded_total: counter(
    ['chain', 'kind'],
    'Donations recorded: with a transaction, or as an intent to pay.',
  ),
  fundproof_donations_open: gauge(
    ['chain', 'status', 'reason'],
    'Waiting donations by status and reason; counted up to 100 000 per status.',
  ),
  fundproof_donations_oldest_open_seconds: gauge(
    ['chain', 'status', 'reason'],
    'Time since the oldest waiting donation was recorded.',
  ),
  fundproof_settle_batch_seconds: histogram(
    ['chain'],
    'Time to settle one batch of final donations or deposits, its transaction included.',
    [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  ),
  fundproof_ledger_unsealed_entries: gauge(
    [],
    'Ledger entries without a seal; counted up to 100 000.',
  ),
  fundproof_ledger_oldest_unsealed_seconds: gauge(
    [],
    'Waiting time of the oldest ledger entry without a seal.',
  ),
  fundproof_ledger_restored: gauge(
    [],
    '1 while nothing is signed because the database lacks a signed head: it was restored.',
  ),
  fundproof_http_requests_total: counter(
    ['operation', 'status'],
    'Requests answered, by operation of the OpenAPI document; none: unknown operation.',
  ),
  fundproof_http_request_duration_seconds: histogram(
    ['operation'],
    'Time from the head of a request to its answer.',
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  ),
  fundproof_http_connections_refused_total: counter(
    [],
    'Connections closed at once because MAX_CONNECTIONS were open.',
  ),
  fundproof_event_streams_open: gauge([], 'Open event streams.'),
  fundproof_page_streams_open: gauge([], 'Open streams that keep pages up to date.'),
  fundproof_page_updates_rendered_total: counter(
    ['lang'],
    'Updates of open pages that were rendered, once for all viewers of a language.',
  ),
  fundproof_events_unrelayed: gauge(
    [],
    'Events whose deliveries have not been made; counted up to 100 000.',
  ),
  fundproof_events_oldest_unrelayed_seconds: gauge(
    [],
    'Waiting time of the oldest event without deliveries.',
  ),
  fundproof_feed_wait_seconds: gauge(
    [],
    'Waiting time of the oldest event that an open transaction keeps out of the event feed.',
  ),
  fundproof_webhook_attempts_total: counter(
    ['outcome'],
    'Delivery attempts: delivered, http_3xx, http_4xx, http_5xx, or the reason for no answer.',
  ),
  fundproof_webhook_delivery_latency_seconds: histogram(
    [],
    'Time from an event to its delivery, without replays.',
    [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200, 36_000, 108_000],
  ),
  fundproof_webhook_deliveries_pending: gauge(
    [],
    'Pending deliveries to active endpoints; counted up to 100 000.',
  ),
  fundproof_webhook_oldest_pending_seconds: gauge(
    [],
    'Waiting time of the oldest pending delivery, with failed attempts.',
  ),
  fundproof_webhook_overdue_seconds: gauge(
    [],
    'Time since the most overdue delivery was due, if only the service delays it.',
  ),
  fundproof_webhook_endpoints: gauge(['status'], 'Endpoints by status: active, paused, disabled.'),
  fundproof_webhook_endpoints_failing: gauge(
    [],
    'Active endpoints whose last attempts have all failed.',
  ),
  fundproof_mail_attempts_total: counter(
    ['outcome'],
    'Mail attempts: sent, printed, failed (will be retried) or refused (final).',
  ),
  fundproof_queue_waiting: gauge(
    ['topic'],
    'Wake-ups that no worker has taken; at most one per topic.',
  ),
  fundproof_database_answer_seconds: gauge(
    [],
    'Time of an empty statement through the pool of this process, with the wait for a connection.',
  ),
  fundproof_replica_lag_seconds: gauge(
    ['replica'],
    'The longest time that a replica can be behind the primary; infinite if it is away.',
  ),
  fundproof_visitor_reads_total: counter(
    ['from'],
    'Reads of visitors without credentials, by the replica that answered, or primary.',
  ),
  fundproof_database_connections: gauge(
    ['application', 'state'],
    'Database connections of all processes of the service, by state.',
  ),
  fundproof_collector_up: gauge(
    ['collector'],
    '1 if the collector succeeded at the last scrape, otherwise 0.',
  ),
}

export type MetricDefinition = ReturnType<
  typeof counter<Labels> | typeof gauge<Labels> | typeof histogram<Labels>
>

type MetricName = keyof typeof METRICS
type OfKind<K extends MetricDefinition['kind']> = {
  [N in MetricName]: (typeof METRICS)[N]['kind'] extends K ? N : never
}[MetricName]
type CounterName = OfKind<'counter'>
export type GaugeName = OfKind<'gauge'>
type HistogramName = OfKind<'histogram'>
type MetricLabels<N extends MetricName> = Readonly<
  Record<(typeof METRICS)[N]['labels'][number], string | number>
>
/** The value of one gauge, as a collector reads it. */
export type Sample = {
  [N in GaugeName]: readonly [name: N, labels: MetricLabels<N>, value: number]
}[GaugeName]

/** Reads gauges from the database whenever Prometheus asks for the metrics (a scrape). */
export type Collector = {
  /** The collector's name in the labels of `fundproof_collector_up`. */
  readonly name: string
  /** Reads all gauges of this collector. A gauge that the new result lacks is removed. */
  read(): Promise<readonly Sample[]>
}

/** Records metrics. No method throws or waits. */
export type Metrics = {
  count<N extends CounterName>(name: N, labels: MetricLabels<N>, by?: number): void
  gauge<N extends GaugeName>(name: N, labels: MetricLabels<N>, value: number): void
  /** Adds a value to a histogram; times are in seconds. */
  observe<N extends HistogramName>(name: N, labels: MetricLabels<N>, value: number): void
  /** Reads this collector at each scrape until the process ends. */
  collect(collector: Collector): void
}

/** Ignores all metrics, for a process without a metrics port. */
export const noMetrics: Metrics = {
  count: () => {},
  gauge: () => {},
  observe: () => {},
  collect: () => {},
}
