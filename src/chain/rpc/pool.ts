import { messageOf } from '../../kernel/errors.ts'
import { ChainError, type ChainErrorCode } from '../errors.ts'
import { type Answer, askAll, type Decide, type NodeReply } from './ask-all.ts'
import type { RpcCall, RpcReply } from './json-rpc.ts'
import type { RpcNode, RpcStats } from './node.ts'
import {
  agreementOn,
  type FaultTopic,
  faultOf,
  isLie,
  type NodeFault,
  type NodeStatus,
  proofOf,
} from './node-health.ts'
import {
  createNodeRegistry,
  DEFAULTS,
  type NodeRegistryOptions,
  type PoolTuning,
} from './node-registry.ts'
import { agreedOf, disagreementOf, failureOf, isAbsence } from './quorum.ts'
import { jittered } from './timing.ts'

type ReadReplies<T> = (replies: readonly RpcReply[], node: string) => T

/**
 * The nodes of one chain. Obeys each node's rate limit and batch size. A faulty node gets a
 * cooldown. A node that serves another chain is never used. Requests throw ChainError if they fail;
 * the code `wrong_chain` means that all nodes serve another chain.
 */
export type NodePool = {
  readonly chainId: number
  readonly size: number
  /** How many nodes must agree on data that has no proof. */
  readonly quorum: number
  /**
   * Sends a batch to one node. `read` turns the replies into a value. If the node fails or `read`
   * throws, the next node is asked.
   */
  ask<T>(calls: readonly RpcCall[], read: ReadReplies<T>): Promise<T>
  /**
   * Sends a batch to several nodes until `quorum` nodes give values with the same key (`keyOf`).
   * Nodes with another value get the fault `outvoted`. Throws `no_agreement` if no quorum agrees.
   */
  agree<T>(calls: readonly RpcCall[], read: ReadReplies<T>, keyOf: (value: T) => string): Promise<T>
  /** Sends a batch to several nodes until `decide` returns a value, or throws `no_agreement`. */
  poll<T, R>(options: PollCalls<T, R>): Promise<R>
  /** Returns each node's answer or error. Asks nodes in cooldown only if a quorum needs them. */
  survey<T>(calls: readonly RpcCall[], read: ReadReplies<T>): Promise<Answer<T>[]>
  /** Checks every node's chain id. Throws `wrong_chain` if all nodes serve another chain. */
  assertChainId(): Promise<void>
  /** Reports a fault that only the comparison with other nodes shows. */
  reportFault(node: string, topic: FaultTopic, reason: NodeFault): void
  clearFault(node: string, topic: FaultTopic): void
  health(node: string): RpcNode['health'] | undefined
  status(): NodeStatus[]
  stats(): RpcStats
  close(): Promise<void>
}

type PollCalls<T, R> = {
  calls: readonly RpcCall[]
  read: ReadReplies<T>
  decide: Decide<T, R>
  judge?: (decision: R, replies: NodeReply<T>) => void
  /** The names of the nodes to ask. Default: all usable nodes. */
  nodes?: readonly string[]
  /** Whether to ask all nodes at once. By default, `quorum` nodes are asked first. */
  all?: boolean
  lateMs?: number | undefined
}

export type NodePoolOptions = Pick<NodeRegistryOptions, 'urls' | 'chainId' | 'log'> &
  Partial<PoolTuning> & {
    /** Default: more than half of the nodes. */
    quorum?: number | undefined
  }

const MAX_ROUNDS = 3
/** Errors after which another round of requests may succeed. */
const WORTH_RETRYING: ReadonlySet<ChainErrorCode> = new Set([
  'rate_limited',
  'transport',
  'bad_response',
])

type Attempt<T> = Answer<T> & { again: boolean }
type Outcome<T> = { value: T } | { error: ChainError; again: boolean }

export const createNodePool = (given: NodePoolOptions): NodePool => {
  const options = { ...DEFAULTS, ...given }
  const { chainId, log, timing, graceMs, maxWaitMs } = options
  const size = options.urls.length
  const quorum = Math.min(options.quorum ?? Math.floor(size / 2) + 1, size)
  const closing = new AbortController()
  const stats: RpcStats = { calls: 0, requests: 0 }
  const registry = createNodeRegistry({ ...options, stats, closing: closing.signal })
  const { nodes, candidates, allWait } = registry
  const probing = new Set<RpcNode>()

  const attempt = async <T>(
    node: RpcNode,
    calls: readonly RpcCall[],
    read: ReadReplies<T>,
  ): Promise<Attempt<T>> => {
    const { health, name } = node
    let replies: RpcReply[]
    try {
      replies = await node.send(calls)
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      if (error.code !== 'closed') {
        // The host may send the next request to another machine, so the chain id is checked again.
        node.forgetChain()
        health.fault('exchange', faultOf(error.code), error)
      }
      return { node: name, error, again: WORTH_RETRYING.has(error.code) }
    }
    health.clearFault('exchange')
    const topic = proofOf(calls)
    try {
      const value = read(replies, name)
      health.clearFault(topic)
      return { node: name, value, again: false }
    } catch (thrown) {
      const error = thrown instanceof ChainError ? thrown : unreadable(name, thrown)
      if (error.code === 'unsupported') health.clearFault(topic)
      else if (isLie(error.code)) health.fault(topic, faultOf(error.code), error)
      else health.count(faultOf(error.code))
      return { node: name, error, again: false }
    }
  }

  /** Sends the calls also to nodes at fault whose cooldown is over, to see if these work again. */
  const probe = <T>(
    list: readonly RpcNode[],
    calls: readonly RpcCall[],
    read: ReadReplies<T>,
    judge?: (reply: NodeReply<T>) => void,
  ) => {
    const now = timing.nowMs()
    const topics: FaultTopic[] = ['exchange', proofOf(calls)]
    if (judge) topics.push(agreementOn(calls))
    for (const node of list) {
      const { health } = node
      if (probing.has(node) || health.cooldownUntilMs() > now) continue
      if (!topics.some(health.hasFault)) continue
      probing.add(node)
      attempt(node, calls, read)
        .then((answer) => 'value' in answer && judge?.(answer))
        .catch((error: unknown) =>
          log.error({ chainId, node: node.name, error }, 'probe of a node in cooldown failed'),
        )
        .finally(() => probing.delete(node))
    }
  }

  /** Reports nodes that did not prove an answer that another node proved. */
  const reportUnverified = (failures: readonly Answer<unknown>[], topic: FaultTopic) => {
    for (const failure of failures) {
      if (!('error' in failure) || faultOf(failure.error.code) !== 'unverified') continue
      nodes.get(failure.node)?.health.fault(topic, 'unverified', failure.error)
    }
  }

  const askOnce = async <T>(
    calls: readonly RpcCall[],
    read: ReadReplies<T>,
  ): Promise<Outcome<T>> => {
    const failures: Attempt<T>[] = []
    const list = candidates(1)
    probe(list.slice(1), calls, read)
    for (const node of list) {
      const answer = await attempt(node, calls, read)
      if (!('error' in answer)) {
        reportUnverified(failures, proofOf(calls))
        return { value: answer.value }
      }
      // An `unsupported` answer is proven, so all other nodes would give the same answer.
      if (answer.error.code === 'unsupported') return { error: answer.error, again: false }
      failures.push(answer)
      if (answer.error.code === 'closed') break
    }
    const error = failureOf(failures, quorum) ?? allWait()
    const again = failures.length === 0 || failures.some((failure) => failure.again)
    return { error, again: again && !isAbsence(error) }
  }

  const pollOnce = async <T, R>(asked: PollCalls<T, R>): Promise<Outcome<R>> => {
    const { calls, read } = asked
    const list = candidates(quorum).filter((node) => asked.nodes?.includes(node.name) ?? true)
    let tried = 0
    let again = false
    let decided = false
    const { decision, answers } = await askAll<T, R>({
      nodes: list.map((node) => node.name),
      atOnce: asked.all ? list.length : Math.min(quorum, list.length),
      ask: async (name) => {
        const node = nodes.get(name)
        if (!node) throw new RangeError(`unknown node ${name}`)
        tried += 1
        const answer = await attempt(node, calls, read)
        again ||= answer.again
        // After the decision, `answers` gets no new entry, so a late answer is checked here.
        if (decided) reportUnverified([answer], proofOf(calls))
        return answer
      },
      decide: asked.decide,
      ...(asked.judge ? { judge: asked.judge } : {}),
      graceMs,
      lateMs: asked.lateMs ?? graceMs,
      timing,
      closing: closing.signal,
    })
    if (decision !== undefined) {
      decided = true
      reportUnverified(answers, proofOf(calls))
      probe(list.slice(tried), calls, read, (reply) => asked.judge?.(decision, reply))
      return { value: decision }
    }
    if (list.length === 0) return { error: allWait(), again: true }
    const statuses = [...nodes.values()].map((node) => node.status())
    const error = disagreementOf(answers, statuses, quorum, chainId)
    return { error, again: again && !isAbsence(error) }
  }

  const inRounds = async <T>(once: () => Promise<Outcome<T>>): Promise<T> => {
    for (let round = 1; ; round += 1) {
      if (closing.signal.aborted) throw new ChainError('closed', 'The chain client was closed.')
      const outcome = await once()
      if ('value' in outcome) return outcome.value
      const { error, again } = outcome
      const waitMs = error.retryAfterMs ?? jittered(options.backoffMs * 2 ** (round - 1), timing)
      if (!again || round >= MAX_ROUNDS || waitMs > maxWaitMs) throw error
      await timing.sleep(waitMs, closing.signal)
    }
  }

  const ask: NodePool['ask'] = (calls, read) => inRounds(() => askOnce(calls, read))
  const pool: NodePool = {
    chainId,
    size,
    quorum,
    ask,
    agree(calls, read, keyOf) {
      if (quorum === 1) return ask(calls, read)
      const topic = agreementOn(calls)
      return pool.poll({
        calls,
        read,
        decide: (replies) => agreedOf(replies, keyOf, quorum)?.[0],
        judge: (decision, { node, value }) => {
          if (keyOf(decision) === keyOf(value)) pool.clearFault(node, topic)
          else pool.reportFault(node, topic, 'outvoted')
        },
      })
    },
    poll: (asked) => inRounds(() => pollOnce(asked)),
    survey(calls, read) {
      const usable = new Set(candidates(quorum))
      return Promise.all(
        [...nodes.values()].map((node) => {
          if (usable.has(node)) return attempt(node, calls, read)
          const error = new ChainError(
            'transport',
            `${node.name} is ${node.health.state()} and not asked.`,
          )
          return { node: node.name, error }
        }),
      )
    },
    async assertChainId() {
      for (const node of nodes.values()) node.forgetChain()
      await inRounds<true>(async () => {
        const outcome = await pollOnce<true, true>({
          calls: [],
          read: () => true,
          decide: (replies, overdue) =>
            replies.length === size || (overdue && replies.length > 0) || undefined,
          all: true,
        })
        return 'error' in outcome ? { ...outcome, again: false } : outcome
      })
    },
    reportFault: (node, topic, reason) => nodes.get(node)?.health.fault(topic, reason),
    clearFault: (node, topic) => nodes.get(node)?.health.clearFault(topic),
    health: (node) => nodes.get(node)?.health,
    status: () => [...nodes.values()].map((node) => node.status()),
    stats: () => ({ ...stats }),
    async close() {
      closing.abort()
      await Promise.all([...nodes.values()].map((node) => node.close()))
    },
  }
  return pool
}

/** Makes a ChainError from an unexpected error of `read`, so that the next node is asked. */
const unreadable = (node: string, error: unknown): ChainError =>
  new ChainError('bad_response', `The answer of ${node} cannot be read: ${messageOf(error)}`)
