import type { Log } from '../../kernel/ports/log.ts'
import type { Metrics } from '../../kernel/ports/metrics.ts'
import type { ChainError, ChainErrorCode } from '../errors.ts'
import { jittered, type Timing } from './timing.ts'

/**
 * - `up`: in use. `lagging`: in use, but asked last.
 * - `cooldown`: a request failed. `rate_limited`: the node asked us to wait.
 * - `distrusted`: it contradicted its own proof or the quorum, or did not prove an answer that
 *   another node proved.
 * - `wrong_chain`: it serves another chain.
 */
type NodeState = 'up' | 'lagging' | 'cooldown' | 'rate_limited' | 'distrusted' | 'wrong_chain'

export type NodeStatus = {
  /** The node's host. */
  node: string
  state: NodeState
  /** Why the node is not `up`; null if it is. */
  reason: NodeFault | null
  /** The latest and finalized block that the node last reported; null before the first answer. */
  head: number | null
  finalized: number | null
  /** The learnt limit of requests per second; null: unlimited. */
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
 * The subject of a fault. The fault is cleared when the node succeeds at the same: it answers,
 * agrees with the quorum on that subject, or proves the answer to that method.
 */
export type FaultTopic = 'exchange' | `agreement on ${string}` | `proof of ${string}`

export type NodeHealth = {
  /** Counts the fault in the metrics only; the node stays in use. */
  count(reason: NodeFault): void
  /** Counts the fault and starts a cooldown. It grows until the node stays healthy for as long. */
  fault(topic: FaultTopic, reason: NodeFault, error?: ChainError): void
  /** Clears the fault: the node succeeded where it had failed. */
  clearFault(topic: FaultTopic): void
  setLagging(behind: boolean): void
  /**
   * Records the heads that the node reports; `timestamp` in seconds. Returns how far its head is
   * below its own highest, in seconds (0: not below), and whether its finalized block went
   * backwards.
   */
  recordHeads(seen: { head: number; timestamp: number; finalized: number | null }): {
    headSeconds: number
    finalized: boolean
  }
  /** Lowers its highest heads to the agreed ones, so returning to them is no fault. */
  capHeads(agreed: { head: number; timestamp: number; finalized: number | null }): void
  state(): NodeState
  /** End of the cooldown, by the clock of Timing. 0: no cooldown. */
  cooldownUntilMs(): number
  /** End of the node's Retry-After. Kept even if no other node is left. */
  retryAfterUntilMs(): number
  hasFault(topic: FaultTopic): boolean
  status(ratePerSecond: number | null): NodeStatus
}

export type Cooldown = { firstMs: number; longestMs: number }

const GROWTH = 1.5
/** A longer Retry-After is cut to this: it is probably the node's mistake. */
const MAX_RETRY_AFTER_MS = 15 * 60_000

export const createNodeHealth = (options: {
  name: string
  chainId: number
  log: Log
  metrics: Metrics
  timing: Timing
  cooldown: Cooldown
}): NodeHealth => {
  const { name, chainId, log, metrics, timing, cooldown } = options
  const labels = { chain: chainId, node: name }
  const faults = new Map<FaultTopic, NodeFault>()
  let published: NodeState | undefined
  let lagging = false
  let cooldownMs = 0
  let cooldownUntil = 0
  let retryAfterUntil = 0
  let healthySince = 0
  let head: number | null = null
  let finalized: number | null = null
  const highest = { head: -1, timestamp: 0, finalized: -1 }

  const state = (): NodeState => {
    if (faults.size === 0) return lagging ? 'lagging' : 'up'
    const exchange = faults.get('exchange')
    if (exchange === 'wrong_chain' || exchange === 'rate_limited') return exchange
    return exchange === undefined ? 'distrusted' : 'cooldown'
  }
  const reasonOf = (): NodeFault | null =>
    [...faults.values()].at(0) ?? (lagging ? 'lagging' : null)

  /** One log line and one metric update per change of state, not per request. */
  const publish = (error?: ChainError) => {
    const now = state()
    if (now === published) return
    const first = published === undefined
    published = now
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
      // Requests that fail during a cooldown count as one failure.
      if (now >= cooldownUntil) {
        const relapse = faults.size > 0 || now - healthySince < cooldownMs
        cooldownMs = relapse ? Math.min(cooldownMs * GROWTH, cooldown.longestMs) : cooldown.firstMs
        if (cooldownMs === 0) cooldownMs = cooldown.firstMs
        cooldownUntil = now + jittered(cooldownMs, timing)
      }
      if (error?.retryAfterMs !== undefined) {
        retryAfterUntil = Math.max(
          retryAfterUntil,
          now + Math.min(error.retryAfterMs, MAX_RETRY_AFTER_MS),
        )
      }
      faults.set(topic, reason)
      publish(error)
    },
    clearFault(topic) {
      if (faults.delete(topic) && faults.size === 0) {
        cooldownUntil = 0
        healthySince = timing.nowMs()
      }
      publish()
    },
    setLagging(behind) {
      if (behind && !lagging) count('lagging')
      lagging = behind
      publish()
    },
    recordHeads(seen) {
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
    capHeads(agreed) {
      if (agreed.head < highest.head) {
        highest.head = agreed.head
        highest.timestamp = agreed.timestamp
      }
      highest.finalized = Math.min(highest.finalized, agreed.finalized ?? -1)
    },
    state,
    cooldownUntilMs: () =>
      faults.size > 0 ? Math.max(cooldownUntil, retryAfterUntil) : retryAfterUntil,
    retryAfterUntilMs: () => retryAfterUntil,
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

/** The metric label of an error. */
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
