import type { Log } from '../../kernel/ports/log.ts'
import { type Metrics, noMetrics } from '../../kernel/ports/metrics.ts'
import { ChainError } from '../errors.ts'
import { MAX_SEND_BYTES } from './answer-limits.ts'
import { createEndpoint, type EndpointLimits } from './endpoint.ts'
import { createNode, type RpcNode, type RpcStats } from './node.ts'
import { type Cooldown, createNodeHealth } from './node-health.ts'
import { systemTiming, type Timing } from './timing.ts'

export type NodeRegistryOptions = EndpointLimits & {
  urls: readonly string[]
  chainId: number
  log: Log
  /** Publishes the nodes' states and counts their faults. */
  metrics: Metrics
  /** The pause before the first retry. For each further retry the pause doubles, with jitter. */
  backoffMs: number
  /** Cooldown times. If a fault follows soon, the next cooldown is 1.5 times as long. */
  cooldown: Cooldown
  timing: Timing
  stats: RpcStats
  closing: AbortSignal
}

/** Options of a node pool that have defaults. */
export type PoolTuning = Omit<
  NodeRegistryOptions,
  'urls' | 'chainId' | 'log' | 'stats' | 'closing'
> & {
  /** The longest pause before a retry. If a longer pause is needed, the error is thrown. */
  maxWaitMs: number
  /** How long to wait for slow nodes before the remaining nodes are asked (see `askAll`). */
  graceMs: number
}

export const DEFAULTS: PoolTuning = {
  timeoutMs: 10_000,
  maxResponseBytes: MAX_SEND_BYTES,
  backoffMs: 250,
  maxWaitMs: 10_000,
  graceMs: 400,
  cooldown: { firstMs: 100, longestMs: 30_000 },
  timing: systemTiming,
  metrics: noMetrics,
}

/** The nodes of a chain by name, and the order in which these nodes are asked. */
export const createNodeRegistry = (options: NodeRegistryOptions) => {
  const { timing } = options
  const nodes = new Map<string, RpcNode>()
  for (const url of options.urls) {
    const endpoint = createEndpoint(url, options)
    const name = nameBeside(nodes, endpoint.name)
    const health = createNodeHealth({ ...options, name })
    nodes.set(name, createNode({ ...options, name, endpoint, health }))
  }
  return {
    nodes: nodes as ReadonlyMap<string, RpcNode>,
    /** Usable nodes, the best first. Adds nodes in cooldown if fewer than `needed` are usable. */
    candidates(needed: number): RpcNode[] {
      const now = timing.nowMs()
      const free = [...nodes.values()].filter((node) => node.health.retryAfterUntilMs() <= now)
      const endOf = (node: RpcNode) => node.health.cooldownUntilMs()
      const usable = free.filter((node) => endOf(node) <= now).sort((a, b) => rankOf(a) - rankOf(b))
      const cooling = free.filter((node) => endOf(node) > now).sort((a, b) => endOf(a) - endOf(b))
      return [...usable, ...cooling.slice(0, Math.max(0, needed - usable.length))]
    },
    /** The error to throw if all nodes asked us to wait, with the shortest of their times. */
    allWait(): ChainError {
      const until = Math.min(...[...nodes.values()].map((node) => node.health.retryAfterUntilMs()))
      const waitMs = Math.max(0, Math.ceil(until - timing.nowMs()))
      const names = [...nodes.keys()].join(', ')
      return new ChainError('rate_limited', `${names} asked us to wait.`, waitMs)
    },
  }
}

/** Numbers nodes that have the same host (`host#2`), for example with two keys of one provider. */
const nameBeside = (nodes: ReadonlyMap<string, RpcNode>, host: string): string => {
  const twins = [...nodes.keys()].filter((name) => name.split('#')[0] === host).length
  return twins === 0 ? host : `${host}#${twins + 1}`
}

const rankOf = (node: RpcNode): number => {
  const state = node.health.state()
  if (state === 'up' && !node.isSlow()) return node.delayMs() > 0 ? 1 : 0
  return state === 'up' || state === 'lagging' ? 2 : 3
}
