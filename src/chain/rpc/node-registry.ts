import type { Log } from '../../kernel/log.ts'
import { type Metrics, noMetrics } from '../../kernel/metrics.ts'
import { ChainError } from '../errors.ts'
import { createEndpoint, type EndpointLimits } from './endpoint.ts'
import { createNode, type RpcNode, type RpcStats } from './node.ts'
import { createNodeHealth, type Pauses } from './node-health.ts'
import type { Timing } from './timing.ts'

export type RosterOptions = EndpointLimits & {
  urls: readonly string[]
  chainId: number
  log: Log
  metrics?: Metrics | undefined
  /** The first wait between two rounds; it doubles, with jitter. */
  backoffMs: number
  /** How long a node rests that failed; half as long again each time. */
  pauses?: Pauses | undefined
  timing: Timing
  stats: RpcStats
  closing: AbortSignal
}

/** The nodes of a chain by name, and who of them is to be asked next. */
export type Roster = {
  nodes: ReadonlyMap<string, RpcNode>
  /** Those that may be asked, the best first; of those that rest only as many as are needed. */
  candidates(needed: number): RpcNode[]
  /** What to say where every node asked us to wait, with the time that is left. */
  allWait(): ChainError
}

const PAUSES: Pauses = { firstMs: 100, longestMs: 30_000 }

export const createRoster = (options: RosterOptions): Roster => {
  const { chainId, log, timing } = options
  const nodes = new Map<string, RpcNode>()
  for (const url of options.urls) {
    const endpoint = createEndpoint(url, options)
    const name = nameBeside(nodes, endpoint.name)
    const health = createNodeHealth({
      name,
      chainId,
      log,
      metrics: options.metrics ?? noMetrics,
      timing,
      pauses: options.pauses ?? PAUSES,
    })
    nodes.set(name, createNode({ ...options, name, endpoint, health }))
  }
  return {
    nodes,
    candidates(needed) {
      const now = timing.nowMs()
      const free = [...nodes.values()].filter((node) => node.health.waitsUntilMs() <= now)
      const rests = (node: RpcNode) => node.health.restsUntilMs()
      const awake = free.filter((node) => rests(node) <= now).sort((a, b) => rankOf(a) - rankOf(b))
      const resting = free.filter((node) => rests(node) > now).sort((a, b) => rests(a) - rests(b))
      return [...awake, ...resting.slice(0, Math.max(0, needed - awake.length))]
    },
    allWait() {
      const until = Math.min(...[...nodes.values()].map((node) => node.health.waitsUntilMs()))
      const waitMs = Math.max(0, Math.ceil(until - timing.nowMs()))
      const who = [...nodes.keys()].join(', ')
      return new ChainError('rate_limited', `${who} asked us to wait.`, waitMs)
    },
  }
}

/** Two keys at one provider are two nodes at one host. */
const nameBeside = (nodes: ReadonlyMap<string, RpcNode>, host: string): string => {
  const twins = [...nodes.keys()].filter((name) => name.split('#')[0] === host).length
  return twins === 0 ? host : `${host}#${twins + 1}`
}

const rankOf = (node: RpcNode): number => {
  const state = node.health.state()
  if (state === 'up') return node.delayMs() > 0 ? 1 : 0
  return state === 'lagging' ? 2 : 3
}
