/**
 * The metrics of the service by name. Counters only grow; gauges are set. Names follow the
 * conventions of Prometheus: they end with the unit, and counters end with `_total`.
 */
export const METRICS = {
  fundproof_build_info: {
    kind: 'gauge',
    help: 'The version that this process runs, and a hash of its settings; always 1.',
    labels: ['version', 'settings'],
  },
  fundproof_clock_offset_seconds: {
    kind: 'gauge',
    help: 'The clock of this process minus the clock of the database.',
    labels: [],
  },
  fundproof_database_clock_jumped: {
    kind: 'gauge',
    help: '1 until an operator confirms a jump of the clock of the database, otherwise 0.',
    labels: [],
  },
  fundproof_node_up: {
    kind: 'gauge',
    help: '1 if a node of a chain is in use, otherwise 0.',
    labels: ['chain', 'node'],
  },
  fundproof_node_head: {
    kind: 'gauge',
    help: 'The newest block that a node has reported.',
    labels: ['chain', 'node'],
  },
  fundproof_node_faults_total: {
    kind: 'counter',
    help: 'Failed or rejected answers of a node, by reason.',
    labels: ['chain', 'node', 'reason'],
  },
  fundproof_chain_head: { kind: 'gauge', help: 'The agreed newest block.', labels: ['chain'] },
  fundproof_chain_finalized: { kind: 'gauge', help: 'The newest final block.', labels: ['chain'] },
  fundproof_chain_cursor: { kind: 'gauge', help: 'The newest block read.', labels: ['chain'] },
  fundproof_finality_stalled: {
    kind: 'gauge',
    help: '1 if the chain has had no new final block for too long, otherwise 0.',
    labels: ['chain'],
  },
  fundproof_donations_settled_total: {
    kind: 'counter',
    help: 'Donations that a final block completed or failed.',
    labels: ['chain'],
  },
  fundproof_donations_unpriced: {
    kind: 'gauge',
    help: 'Final donations that wait for a price.',
    labels: ['chain'],
  },
  fundproof_deposits_booked_total: {
    kind: 'counter',
    help: 'Final transfers that were booked without a donation.',
    labels: ['chain'],
  },
  fundproof_escrow_events_settled_total: {
    kind: 'counter',
    help: 'Events of escrows whose final effects were booked.',
    labels: ['chain'],
  },
  fundproof_escrows_unproven: {
    kind: 'gauge',
    help: 'Escrows with final events whose code is wrong or not proven yet.',
    labels: ['chain'],
  },
  fundproof_ledger_differences_open: {
    kind: 'gauge',
    help: 'Differences between chain, ledger and totals that are not resolved or acknowledged.',
    labels: ['chain'],
  },
  fundproof_chain_cursor_age_seconds: {
    kind: 'gauge',
    help: 'Age of the newest block read, by its own time.',
    labels: ['chain'],
  },
  fundproof_chain_progress_age_seconds: {
    kind: 'gauge',
    help: 'Time since the last progress of the chain, by the clock of the database.',
    labels: ['chain'],
  },
  fundproof_chain_halted: {
    kind: 'gauge',
    help: '1 if settlement is halted because the nodes contradict final or stored blocks, otherwise 0.',
    labels: ['chain'],
  },
  fundproof_chain_settings_wrong: {
    kind: 'gauge',
    help: '1 while the nodes contradict the settings of this worker, which then leaves the chain alone.',
    labels: ['chain'],
  },
  fundproof_donations_recorded_total: {
    kind: 'counter',
    help: 'Donations recorded: with a transaction, or as an intent to pay.',
    labels: ['chain', 'kind'],
  },
  fundproof_donations_open: {
    kind: 'gauge',
    help: 'Waiting donations by status and reason; counted up to 100 000 per status.',
    labels: ['chain', 'status', 'reason'],
  },
  fundproof_donations_oldest_open_seconds: {
    kind: 'gauge',
    help: 'Time since the oldest waiting donation was recorded.',
    labels: ['chain', 'status', 'reason'],
  },
  fundproof_settle_batch_seconds: {
    kind: 'histogram',
    help: 'Time to settle one batch of final donations or deposits, its transaction included.',
    labels: ['chain'],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  fundproof_ledger_unsealed_entries: {
    kind: 'gauge',
    help: 'Ledger entries without a seal; counted up to 100 000.',
    labels: [],
  },
  fundproof_ledger_oldest_unsealed_seconds: {
    kind: 'gauge',
    help: 'Waiting time of the oldest ledger entry without a seal.',
    labels: [],
  },
  fundproof_ledger_restored: {
    kind: 'gauge',
    help: '1 while nothing is signed because the database lacks a signed head: it was restored.',
    labels: [],
  },
  fundproof_http_requests_total: {
    kind: 'counter',
    help: 'Requests answered, by operation of the OpenAPI document; none: unknown operation.',
    labels: ['operation', 'status'],
  },
  fundproof_http_request_duration_seconds: {
    kind: 'histogram',
    help: 'Time from the head of a request to its answer.',
    labels: ['operation'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
  },
  fundproof_http_connections_refused_total: {
    kind: 'counter',
    help: 'Connections closed at once because MAX_CONNECTIONS were open.',
    labels: [],
  },
  fundproof_event_streams_open: {
    kind: 'gauge',
    help: 'Open event streams.',
    labels: [],
  },
  fundproof_page_streams_open: {
    kind: 'gauge',
    help: 'Open streams that keep pages up to date.',
    labels: [],
  },
  fundproof_page_updates_rendered_total: {
    kind: 'counter',
    help: 'Updates of open pages that were rendered, once for all viewers of a language.',
    labels: ['lang'],
  },
  fundproof_events_unrelayed: {
    kind: 'gauge',
    help: 'Events whose deliveries have not been made; counted up to 100 000.',
    labels: [],
  },
  fundproof_events_oldest_unrelayed_seconds: {
    kind: 'gauge',
    help: 'Waiting time of the oldest event without deliveries.',
    labels: [],
  },
  fundproof_feed_wait_seconds: {
    kind: 'gauge',
    help: 'Waiting time of the oldest event that an open transaction keeps out of the event feed.',
    labels: [],
  },
  fundproof_webhook_attempts_total: {
    kind: 'counter',
    help: 'Delivery attempts: delivered, http_3xx, http_4xx, http_5xx, or the reason for no answer.',
    labels: ['outcome'],
  },
  fundproof_webhook_delivery_latency_seconds: {
    kind: 'histogram',
    help: 'Time from an event to its delivery, without replays.',
    labels: [],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200, 36_000, 108_000],
  },
  fundproof_webhook_deliveries_pending: {
    kind: 'gauge',
    help: 'Pending deliveries to active endpoints; counted up to 100 000.',
    labels: [],
  },
  fundproof_webhook_oldest_pending_seconds: {
    kind: 'gauge',
    help: 'Waiting time of the oldest pending delivery, with failed attempts.',
    labels: [],
  },
  fundproof_webhook_overdue_seconds: {
    kind: 'gauge',
    help: 'Time since the most overdue delivery was due, if only the service delays it.',
    labels: [],
  },
  fundproof_webhook_endpoints: {
    kind: 'gauge',
    help: 'Endpoints by status: active, paused, disabled.',
    labels: ['status'],
  },
  fundproof_webhook_endpoints_failing: {
    kind: 'gauge',
    help: 'Active endpoints whose last attempts have all failed.',
    labels: [],
  },
  fundproof_mail_attempts_total: {
    kind: 'counter',
    help: 'Mail attempts: sent, printed, failed (will be retried) or refused (final).',
    labels: ['outcome'],
  },
  fundproof_queue_waiting: {
    kind: 'gauge',
    help: 'Wake-ups that no worker has taken; at most one per topic.',
    labels: ['topic'],
  },
  fundproof_database_answer_seconds: {
    kind: 'gauge',
    help: 'Time of an empty statement through the pool of this process, with the wait for a connection.',
    labels: [],
  },
  fundproof_database_connections: {
    kind: 'gauge',
    help: 'Database connections of all processes of the service, by state.',
    labels: ['application', 'state'],
  },
  fundproof_collector_up: {
    kind: 'gauge',
    help: '1 if the collector succeeded at the last scrape, otherwise 0.',
    labels: ['collector'],
  },
} as const satisfies Record<string, MetricDefinition>

type Described = { readonly help: string; readonly labels: readonly string[] }
export type MetricDefinition =
  | (Described & { readonly kind: 'counter' })
  | (Described & { readonly kind: 'gauge' })
  /** `buckets` are the upper bounds of the buckets in ascending order, without infinity. */
  | (Described & { readonly kind: 'histogram'; readonly buckets: readonly number[] })
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
