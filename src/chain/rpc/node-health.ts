import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { ChainError, ChainErrorCode } from '../errors.ts'
import { jittered, type Timing } from './timing.ts'

/**
 * - `up`: asked and believed. `lagging`: believed, but asked last.
 * - `resting`: it failed. `rate_limited`: it asked us to wait.
 * - `disbelieved`: it contradicted its own proof or the quorum of the nodes, or left unproven what
 *   another node proved.
 * - `wrong_chain`: it serves another chain.
 */
export type NodeState =
  | 'up'
  | 'lagging'
  | 'resting'
  | 'rate_limited'
  | 'disbelieved'
  | 'wrong_chain'

export type NodeStatus = {
  /** The node's host. */
  node: string
  state: NodeState
  /** Why it is not `up`; null when it is. */
  reason: NodeFault | null
  /** The newest block and final block that it has named; null before it was asked. */
  head: number | null
  finalized: number | null
  /** Requests a second that it bears; null: without limit. */
  ratePerSecond: number | null
}

export type NodeFault =
  | Exclude<ChainErrorCode, `${string}_forged` | `${string}_unverified`>
  | 'forged'
  | 'unverified'
  | 'lagging'
  | 'went_backwards'
  | 'outvoted'

/**
 * What a fault was about. It is forgiven when the node does the same well: answers at all, agrees
 * with the quorum on the same, or proves the answer to the same method.
 */
export type FaultTopic = 'exchange' | `agreement on ${string}` | `proof of ${string}`

export type NodeHealth = {
  /** Only counted: nothing that keeps a node from being asked. */
  count(reason: NodeFault): void
  /** Counted, and the node rests: longer each time, until it has been well for as long. */
  fault(topic: FaultTopic, reason: NodeFault, error?: ChainError): void
  /** It did well what it had failed in. */
  forgive(topic: FaultTopic): void
  lags(behind: boolean): void
  /**
   * The node's own word; `timestamp` in seconds. Says how far its head is below the highest that it
   * has named, in seconds (0: it is not), and whether what it calls final went backwards.
   */
  sawHeads(seen: { head: number; timestamp: number; finalized: number | null }): {
    headSeconds: number
    finalized: boolean
  }
  /** What it named beyond what is agreed is not held against it when it comes back. */
  heldTo(agreed: { head: number; timestamp: number; finalized: number | null }): void
  state(): NodeState
  /** Until when it is not to be asked, by the clock of Timing. 0: it may be asked. */
  restsUntilMs(): number
  /** Until when it asked not to be asked: this holds even where nobody else is left. */
  waitsUntilMs(): number
  hasFault(topic: FaultTopic): boolean
  status(ratePerSecond: number | null): NodeStatus
}

export type Pauses = { firstMs: number; longestMs: number }

const GROWTH = 1.5
/** What a node asks for beyond this is more likely its mistake. */
const LONGEST_WAIT_MS = 15 * 60_000

export const createNodeHealth = (options: {
  name: string
  chainId: number
  log: Log
  metrics: Metrics
  timing: Timing
  pauses: Pauses
}): NodeHealth => {
  const { name, chainId, log, metrics, timing, pauses } = options
  const labels = { chain: chainId, node: name }
  const faults = new Map<FaultTopic, NodeFault>()
  let known: NodeState | undefined
  let lagging = false
  let pauseMs = 0
  let restsUntil = 0
  let waitsUntil = 0
  let wellSince = 0
  let head: number | null = null
  let finalized: number | null = null
  const highest = { head: -1, timestamp: 0, finalized: -1 }

  const state = (): NodeState => {
    if (faults.size === 0) return lagging ? 'lagging' : 'up'
    const exchange = faults.get('exchange')
    if (exchange === 'wrong_chain' || exchange === 'rate_limited') return exchange
    return exchange === undefined ? 'disbelieved' : 'resting'
  }
  const reasonOf = (): NodeFault | null =>
    [...faults.values()].at(0) ?? (lagging ? 'lagging' : null)

  /** One log line and one new value for each change, however many requests see it. */
  const tell = (error?: ChainError) => {
    const now = state()
    if (now === known) return
    const first = known === undefined
    known = now
    metrics.gauge('fundproof_node_up', labels, now === 'up' ? 1 : 0)
    const facts = { chainId, node: name, state: now, reason: reasonOf() }
    if (now !== 'up') log.warn({ ...facts, code: error?.code }, error?.message ?? `node is ${now}`)
    else if (!first) log.info(facts, 'the node is back')
  }
  const count: NodeHealth['count'] = (reason) =>
    metrics.count('fundproof_node_faults_total', { ...labels, reason })

  return {
    count,
    fault(topic, reason, error) {
      count(reason)
      const now = timing.nowMs()
      // Requests that failed together are one failure.
      if (now >= restsUntil) {
        const relapse = faults.size > 0 || now - wellSince < pauseMs
        pauseMs = relapse ? Math.min(pauseMs * GROWTH, pauses.longestMs) : pauses.firstMs
        if (pauseMs === 0) pauseMs = pauses.firstMs
        restsUntil = now + jittered(pauseMs, timing)
      }
      if (error?.retryAfterMs !== undefined) {
        waitsUntil = Math.max(waitsUntil, now + Math.min(error.retryAfterMs, LONGEST_WAIT_MS))
      }
      faults.set(topic, reason)
      tell(error)
    },
    forgive(topic) {
      if (faults.delete(topic) && faults.size === 0) {
        restsUntil = 0
        wellSince = timing.nowMs()
      }
      tell()
    },
    lags(behind) {
      if (behind && !lagging) count('lagging')
      lagging = behind
      tell()
    },
    sawHeads(seen) {
      const back = {
        headSeconds: seen.head < highest.head ? Math.max(1, highest.timestamp - seen.timestamp) : 0,
        finalized: seen.finalized !== null && seen.finalized < highest.finalized,
      }
      head = seen.head
      finalized = seen.finalized
      if (seen.head > highest.head) {
        highest.head = seen.head
        highest.timestamp = seen.timestamp
      }
      highest.finalized = Math.max(highest.finalized, seen.finalized ?? -1)
      metrics.gauge('fundproof_node_head', labels, seen.head)
      return back
    },
    heldTo(agreed) {
      if (agreed.head < highest.head) {
        highest.head = agreed.head
        highest.timestamp = agreed.timestamp
      }
      highest.finalized = Math.min(highest.finalized, agreed.finalized ?? -1)
    },
    state,
    restsUntilMs: () => (faults.size > 0 ? Math.max(restsUntil, waitsUntil) : waitsUntil),
    waitsUntilMs: () => waitsUntil,
    hasFault: (topic) => faults.has(topic),
    status: (ratePerSecond) => ({
      node: name,
      state: state(),
      reason: reasonOf(),
      head,
      finalized,
      ratePerSecond,
    }),
  }
}

/** The label under which a failure is counted. */
export const faultOf = (code: ChainErrorCode): NodeFault => {
  switch (code) {
    case 'header_forged':
    case 'transactions_forged':
    case 'receipts_forged':
    case 'state_forged':
      return 'forged'
    case 'header_unverified':
    case 'transactions_unverified':
      return 'unverified'
    default:
      return code
  }
}
