import type { Log } from '../../kernel/ports/log.ts'
import type { Metrics } from '../../kernel/ports/metrics.ts'
import type { ChainError, ChainErrorCode } from '../errors.ts'
import type { RpcCall } from './json-rpc.ts'
import { jittered, type Timing } from './timing.ts'

/**
 * - `up`: the node is in use. `lagging`: the node is in use, but is asked after `up` nodes.
 * - `cooldown`: a request failed. `rate_limited`: the node asked us to wait.
 * - `distrusted`: the node sent an answer with a wrong proof, or without a proof that another node
 *   could send, or the quorum gave another answer.
 * - `wrong_chain`: the node serves another chain.
 */
type NodeState = 'up' | 'lagging' | 'cooldown' | 'rate_limited' | 'distrusted' | 'wrong_chain'

export type NodeStatus = {
  /** The node's host. */
  node: string
  state: NodeState
  /** Why the node is not `up`; null if the node is `up`. */
  reason: NodeFault | null
  /** The latest and finalized block numbers in the node's last answer; null before any answer. */
  head: number | null
  finalized: number | null
  /** The requests per second that the node allows, learnt from its refusals; null if unlimited. */
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
 * The subject of a fault. A later success on the same subject clears the fault. The success is an
 * answer (for `exchange`), an agreement with the quorum, or a proof.
 */
export type FaultTopic = 'exchange' | `agreement on ${string}` | `proof of ${string}`

export const proofOf = ([call]: readonly RpcCall[]): FaultTopic =>
  `proof of ${call?.method ?? 'nothing'}`
export const agreementOn = ([call]: readonly RpcCall[]): FaultTopic =>
  `agreement on ${call?.method ?? 'nothing'}`

export type NodeHealth = ReturnType<typeof createNodeHealth>

/** The numbers of the newest and the final block; `timestamp` of the newest one in seconds. */
type SeenHeads = { head: number; timestamp: number; finalized: number | null }

export type Cooldown = { firstMs: number; longestMs: number }

const GROWTH = 1.5
/** A longer Retry-After is cut to this time, because a longer time is probably a mistake. */
const MAX_RETRY_AFTER_MS = 15 * 60_000

export const createNodeHealth = (options: {
  name: string
  chainId: number
  log: Log
  metrics: Metrics
  timing: Timing
  cooldown: Cooldown
}) => {
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

  /** Logs a change of the node's state and updates the metric. */
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
  /** Counts the fault in the metrics. The node stays in use. */
  const count = (reason: NodeFault): void =>
    metrics.count('fundproof_node_faults_total', { ...labels, reason })

  return {
    count,
    /** Counts the fault and starts a cooldown. Faults that follow soon make the cooldown longer. */
    fault(topic: FaultTopic, reason: NodeFault, error?: ChainError): void {
      count(reason)
      const now = timing.nowMs()
      // A fault during a cooldown does not make the cooldown longer.
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
    /** Clears the fault of this topic, because the node succeeded on the same topic. */
    clearFault(topic: FaultTopic): void {
      if (faults.delete(topic) && faults.size === 0) {
        cooldownUntil = 0
        healthySince = timing.nowMs()
      }
      publish()
    },
    setLagging(behind: boolean): void {
      if (behind && !lagging) count('lagging')
      lagging = behind
      publish()
    },
    /**
     * Records the node's newest and final block. Returns how far the node went back: `headSeconds`
     * is the time from the newest block to the highest one that the node has reported, or 0.
     * `finalized` is true if the final block has a lower number than before.
     */
    recordHeads(seen: SeenHeads) {
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
    /** Lowers the recorded highest blocks to the agreed ones, so that a reorg is not a fault. */
    capHeads(agreed: SeenHeads): void {
      if (agreed.head < highest.head) {
        highest.head = agreed.head
        highest.timestamp = agreed.timestamp
      }
      highest.finalized = Math.min(highest.finalized, agreed.finalized ?? -1)
    },
    state,
    /** The end of the cooldown in ms, on the clock of `Timing`; 0 without a cooldown. */
    cooldownUntilMs: () =>
      faults.size > 0 ? Math.max(cooldownUntil, retryAfterUntil) : retryAfterUntil,
    /** The time from which requests are sent again, if the node asked for a wait (Retry-After). */
    retryAfterUntilMs: () => retryAfterUntil,
    hasFault: (topic: FaultTopic) => faults.has(topic),
    status: (ratePerSecond: number | null): NodeStatus => ({
      node: name,
      state: state(),
      reason: reasonOf(),
      head,
      finalized,
      ratePerSecond,
    }),
  }
}

/** Whether only a lying or broken node causes this error. */
export const isLie = (code: ChainErrorCode): boolean =>
  ['forged', 'bad_response', 'wrong_hash'].includes(faultOf(code))

/** The fault that an error code counts as, in metrics and status. */
export const faultOf = (code: ChainErrorCode): NodeFault => {
  if (code.endsWith('_forged')) return 'forged'
  if (code.endsWith('_unverified')) return 'unverified'
  // All other codes are faults of the same name.
  return code as Exclude<ChainErrorCode, `${string}_forged` | `${string}_unverified`>
}
