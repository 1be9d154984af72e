import { messageOf } from '../../kernel/errors.ts'
import { ChainError, type ChainErrorCode } from '../errors.ts'
import { type Answer, type Decide, poll, type Told } from './ask-all.ts'
import type { RpcCall, RpcReply } from './json-rpc.ts'
import type { RpcNode, RpcStats } from './node.ts'
import { type FaultTopic, faultOf, type NodeFault, type NodeStatus } from './node-health.ts'
import { createRoster, type RosterOptions } from './node-registry.ts'
import { agreedOf, disagreementOf, failureOf, isAbsence } from './quorum.ts'
import { jittered, systemTiming, type Timing } from './timing.ts'

export type ReadReplies<T> = (replies: readonly RpcReply[], node: string) => T

/**
 * The nodes of one chain. Each is asked as fast and in batches as large as it bears; one that fails
 * rests, longer each time, and is tried again; one of another chain is never believed. All methods
 * throw ChainError: `wrong_chain` only when every node serves another chain.
 */
export type NodePool = {
  readonly chainId: number
  readonly size: number
  /** How many nodes must say the same of what carries no proof of itself. */
  readonly quorum: number
  /**
   * One batch, answered by one node. `read` turns its replies into a value. What it throws is that
   * node's fault, and the next node is asked.
   */
  ask<T>(calls: readonly RpcCall[], read: ReadReplies<T>): Promise<T>
  /**
   * The same batch to several nodes until `quorum` of them agree by `keyOf`; who differs is outvoted.
   * With a quorum of 1 it is `ask`. Throws `no_agreement`.
   */
  agree<T>(calls: readonly RpcCall[], read: ReadReplies<T>, keyOf: (value: T) => string): Promise<T>
  /** The same batch to several nodes until `decide` has enough. Throws `no_agreement`. */
  poll<T, R>(options: PollCalls<T, R>): Promise<R>
  /** Every node's own answer, failures included. Those that rest are asked only as far as the quorum needs them. */
  survey<T>(calls: readonly RpcCall[], read: ReadReplies<T>): Promise<Answer<T>[]>
  /** Asks every node which chain it serves. Throws `wrong_chain`, or why none could be asked. */
  assertChainId(): Promise<void>
  /** A fault that only shows in comparison with other nodes, and its end. */
  blame(node: string, topic: FaultTopic, reason: NodeFault): void
  forgive(node: string, topic: FaultTopic): void
  health(node: string): RpcNode['health'] | undefined
  status(): NodeStatus[]
  stats(): RpcStats
  close(): Promise<void>
}

export type PollCalls<T, R> = {
  calls: readonly RpcCall[]
  read: ReadReplies<T>
  decide: Decide<T, R>
  judge?: (decision: R, told: Told<T>) => void
  /** Only these nodes. Default: all that may be asked. */
  nodes?: readonly string[]
  /** Ask all at once, not only as many as are needed. */
  all?: boolean
}

export type NodePoolOptions = Omit<RosterOptions, 'timing' | 'stats' | 'closing'> & {
  /** Default: the majority. */
  quorum?: number | undefined
  /** A longer wait between two rounds is the caller's to wait for. Default 10 000. */
  maxWaitMs?: number | undefined
  /** How long a slow node is waited for when others have answered. Default 400. */
  graceMs?: number | undefined
  timing?: Timing | undefined
}

const MAX_ROUNDS = 3
/** Failures that another round, moments later, may cure. */
const WORTH_ANOTHER_ROUND: ReadonlySet<ChainErrorCode> = new Set([
  'rate_limited',
  'transport',
  'bad_response',
])
/** What a node says that is a lie or a defect; anything else may be true of it. */
const DISBELIEVED: ReadonlySet<ChainErrorCode> = new Set([
  'header_forged',
  'transactions_forged',
  'receipts_forged',
  'state_forged',
  'bad_response',
  'wrong_hash',
])

type Attempt<T> = Answer<T> & { again: boolean }
type Outcome<T> = { value: T } | { error: ChainError; again: boolean }

export const majorityOf = (nodes: number): number => Math.floor(nodes / 2) + 1

export const createNodePool = (options: NodePoolOptions): NodePool => {
  const { chainId, log } = options
  const timing = options.timing ?? systemTiming
  const graceMs = options.graceMs ?? 400
  const maxWaitMs = options.maxWaitMs ?? 10_000
  const size = options.urls.length
  const quorum = Math.min(options.quorum ?? majorityOf(size), size)
  const closing = new AbortController()
  const stats: RpcStats = { calls: 0, requests: 0 }
  const roster = createRoster({ ...options, timing, stats, closing: closing.signal })
  const { nodes, candidates, allWait } = roster
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
        // Whoever answers at this address when it is asked again may be another one.
        node.forgetChain()
        health.fault('exchange', faultOf(error.code), error)
      }
      return { node: name, error, again: WORTH_ANOTHER_ROUND.has(error.code) }
    }
    health.forgive('exchange')
    const topic = topicOf(calls)
    try {
      const value = read(replies, name)
      health.forgive(topic)
      return { node: name, value, again: false }
    } catch (thrown) {
      const error = thrown instanceof ChainError ? thrown : unreadable(name, thrown)
      if (error.code === 'unsupported') health.forgive(topic)
      else if (DISBELIEVED.has(error.code)) health.fault(topic, faultOf(error.code), error)
      else health.count(faultOf(error.code))
      return { node: name, error, again: false }
    }
  }

  /** A node that has rested enough is tried beside the one that is relied on. */
  const probe = <T>(calls: readonly RpcCall[], read: ReadReplies<T>, relied: RpcNode) => {
    const now = timing.nowMs()
    for (const node of nodes.values()) {
      const { health } = node
      if (node === relied || probing.has(node) || health.restsUntilMs() > now) continue
      if (!health.hasFault('exchange') && !health.hasFault(topicOf(calls))) continue
      probing.add(node)
      attempt(node, calls, read)
        .catch((error: unknown) => log.error({ chainId, node: node.name, error }, 'a probe failed'))
        .finally(() => probing.delete(node))
    }
  }

  /** Marks the nodes that left unproven what another node has proven now. */
  const blameUnverified = (failures: readonly Answer<unknown>[], topic: FaultTopic) => {
    for (const one of failures) {
      if (!('error' in one) || faultOf(one.error.code) !== 'unverified') continue
      nodes.get(one.node)?.health.fault(topic, 'unverified', one.error)
    }
  }

  const askOnce = async <T>(
    calls: readonly RpcCall[],
    read: ReadReplies<T>,
  ): Promise<Outcome<T>> => {
    const failures: Attempt<T>[] = []
    const list = candidates(1)
    if (list[0]) probe(calls, read, list[0])
    for (const node of list) {
      const answer = await attempt(node, calls, read)
      if (!('error' in answer)) {
        blameUnverified(failures, topicOf(calls))
        return { value: answer.value }
      }
      // It is proven, so every node has the same.
      if (answer.error.code === 'unsupported') return { error: answer.error, again: false }
      failures.push(answer)
      if (answer.error.code === 'closed') break
    }
    const error = failureOf(failures, quorum) ?? allWait()
    const again = failures.length === 0 || failures.some((one) => one.again)
    return { error, again: again && !isAbsence(error) }
  }

  const pollOnce = async <T, R>(asked: PollCalls<T, R>): Promise<Outcome<R>> => {
    const { calls, read } = asked
    const list = candidates(quorum).filter((node) => asked.nodes?.includes(node.name) ?? true)
    let again = false
    let decided = false
    const { decision, answers } = await poll<T, R>({
      nodes: list.map((node) => node.name),
      atOnce: asked.all ? list.length : Math.min(quorum, list.length),
      ask: async (name) => {
        const node = nodes.get(name)
        if (!node) throw new RangeError(`There is no node ${name}.`)
        const answer = await attempt(node, calls, read)
        again ||= answer.again
        // `answers` does not hold those that come after the decision.
        if (decided) blameUnverified([answer], topicOf(calls))
        return answer
      },
      decide: asked.decide,
      ...(asked.judge ? { judge: asked.judge } : {}),
      graceMs,
      timing,
      closing: closing.signal,
    })
    if (decision !== undefined) {
      decided = true
      blameUnverified(answers, topicOf(calls))
      return { value: decision }
    }
    if (list.length === 0) return { error: allWait(), again: true }
    const statuses = [...nodes.values()].map((node) => node.status())
    const error = disagreementOf(answers, statuses, quorum, chainId)
    return { error, again: again && !isAbsence(error) }
  }

  const inRounds = async <T>(once: () => Promise<Outcome<T>>): Promise<T> => {
    for (let round = 1; ; round += 1) {
      if (closing.signal.aborted) throw closed()
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
      const topic: FaultTopic = `agreement on ${calls[0]?.method ?? 'nothing'}`
      return pool.poll({
        calls,
        read,
        decide: (told) => agreedOf(told, keyOf, quorum)?.[0],
        judge: (decision, { node, value }) => {
          if (keyOf(decision) === keyOf(value)) pool.forgive(node, topic)
          else pool.blame(node, topic, 'outvoted')
        },
      })
    },
    poll: (asked) => inRounds(() => pollOnce(asked)),
    survey(calls, read) {
      const awake = new Set(candidates(quorum))
      return Promise.all(
        [...nodes.values()].map((node) =>
          awake.has(node) ? attempt(node, calls, read) : restingAnswer(node),
        ),
      )
    },
    async assertChainId() {
      for (const node of nodes.values()) node.forgetChain()
      await inRounds<true>(async () => {
        const outcome = await pollOnce<true, true>({
          calls: [],
          read: () => true,
          decide: (told, overdue) =>
            told.length === size || (overdue && told.length > 0) || undefined,
          all: true,
        })
        return 'error' in outcome ? { ...outcome, again: false } : outcome
      })
    },
    blame: (node, topic, reason) => nodes.get(node)?.health.fault(topic, reason),
    forgive: (node, topic) => nodes.get(node)?.health.forgive(topic),
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

const restingAnswer = ({ name, health }: RpcNode) => ({
  node: name,
  error: new ChainError('transport', `${name} is ${health.state()} and not asked.`),
})

const topicOf = (calls: readonly RpcCall[]): FaultTopic =>
  `proof of ${calls[0]?.method ?? 'nothing'}`

/** An answer that nothing is prepared for must not be asked of the same node for ever. */
const unreadable = (node: string, error: unknown): ChainError =>
  new ChainError('bad_response', `The answer of ${node} cannot be read: ${messageOf(error)}`)

const closed = () => new ChainError('closed', 'The chain client was closed.')
