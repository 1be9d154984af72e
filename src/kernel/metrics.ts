/**
 * What an operator can see of the service as numbers, by name. Counters only grow; gauges are set.
 * Names and units follow the conventions of Prometheus: a suffix names the unit, `_total` a counter.
 */
export const METRICS = {
  fundproof_node_up: {
    kind: 'gauge',
    help: 'Whether a node of a chain is believed and asked: 1, else 0.',
    labels: ['chain', 'node'],
  },
  fundproof_node_head: {
    kind: 'gauge',
    help: 'The newest block that a node has named.',
    labels: ['chain', 'node'],
  },
  fundproof_node_faults_total: {
    kind: 'counter',
    help: 'Answers of a node that failed or were not believed, by reason.',
    labels: ['chain', 'node', 'reason'],
  },
  fundproof_chain_head: { kind: 'gauge', help: 'The agreed newest block.', labels: ['chain'] },
  fundproof_chain_finalized: { kind: 'gauge', help: 'The newest final block.', labels: ['chain'] },
  fundproof_chain_cursor: { kind: 'gauge', help: 'The newest block read.', labels: ['chain'] },
  fundproof_finality_stalled: {
    kind: 'gauge',
    help: 'Whether the chain has named no new final block for too long: 1, else 0.',
    labels: ['chain'],
  },
  fundproof_donations_settled_total: {
    kind: 'counter',
    help: 'Donations that reached an end in a final block.',
    labels: ['chain'],
  },
  fundproof_donations_unpriced: {
    kind: 'gauge',
    help: 'Final donations that are not counted yet for want of a price.',
    labels: ['chain'],
  },
  fundproof_deposits_booked_total: {
    kind: 'counter',
    help: 'Final transfers that were booked without a donation.',
    labels: ['chain'],
  },
  fundproof_ledger_differences_open: {
    kind: 'gauge',
    help: 'Differences between chain, ledger and totals that nobody has resolved.',
    labels: ['chain'],
  },
} as const satisfies Record<string, MetricDefinition>

export type MetricDefinition = {
  readonly kind: 'counter' | 'gauge'
  readonly help: string
  readonly labels: readonly string[]
}
export type MetricName = keyof typeof METRICS
type OfKind<K extends MetricDefinition['kind']> = {
  [N in MetricName]: (typeof METRICS)[N]['kind'] extends K ? N : never
}[MetricName]
export type CounterName = OfKind<'counter'>
export type GaugeName = OfKind<'gauge'>
export type MetricLabels<N extends MetricName> = Readonly<
  Record<(typeof METRICS)[N]['labels'][number], string | number>
>

/** Where the numbers go. Neither method throws, and neither waits. */
export type Metrics = {
  count<N extends CounterName>(name: N, labels: MetricLabels<N>, by?: number): void
  gauge<N extends GaugeName>(name: N, labels: MetricLabels<N>, value: number): void
}

/** For processes whose numbers nobody reads. */
export const noMetrics: Metrics = { count: () => {}, gauge: () => {} }
