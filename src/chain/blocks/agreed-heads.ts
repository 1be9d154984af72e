import type { ProofTools } from '../encoding/tools.ts'
import { ChainError } from '../errors.ts'
import { failureAsError, type RpcReply } from '../rpc/json-rpc.ts'
import type { NodeFault } from '../rpc/node-health.ts'
import type { NodePool } from '../rpc/pool.ts'
import type { Header } from '../types.ts'
import { blockCall, missing, readHeader } from './read-header.ts'

/** The newest header and the newest final header, as one node or a quorum of nodes reports them. */
type HeadsOf = { latest: Header; finalized: Header | null }

type AgreedHeadsOptions = {
  pool: NodePool
  proofTools(): Promise<ProofTools>
  /** Whether to ask for the finalized block. If false, the result has null as `finalized`. */
  finalized: boolean
  /** A node lags if its newest block is this much older than the agreed block. Default: 60. */
  maxLagSeconds: number | undefined
  /** Called when a node does not support the `finalized` tag. */
  onNoFinality?(error: ChainError): void
}

const TOPIC = 'agreement on heads'
const MAX_LAG_SECONDS = 60
/** If the nodes' newest blocks differ, blocks at these distances below are compared as well. */
const STEPS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256]

type NodeHeads = { node: string; value: HeadsOf }

/**
 * Returns a function that reads the newest block and the newest final block on whose hashes
 * `quorum` nodes agree. If the nodes' newest blocks differ (as in a reorg), the result is an older
 * block. If `quorum` is above 1, a single faulty node cannot decide the result.
 *
 * @throws ChainError `no_agreement` if no quorum agrees on a block
 */
export const createAgreedHeads = (options: AgreedHeadsOptions): (() => Promise<HeadsOf>) => {
  const { pool, maxLagSeconds = MAX_LAG_SECONDS } = options
  const { quorum } = pool

  const read = (tools: ProofTools) => (replies: readonly RpcReply[], node: string) => {
    const latest = readHeader(replies[0], tools, node)
    if (latest === null) throw missing('its latest block')
    return { latest, finalized: options.finalized ? finalHeader(replies[1], tools, node) : null }
  }
  /** Null if the node does not support the `finalized` tag and so answers null or an error. */
  const finalHeader = (reply: RpcReply | undefined, tools: ProofTools, node: string) => {
    if (reply?.ok === false) {
      options.onNoFinality?.(failureAsError(reply.error, node))
      return null
    }
    return readHeader(reply, tools, node)
  }

  /** Finds the highest of these block numbers at which `quorum` nodes have the same hash. */
  const agreeOn = async (
    replies: readonly NodeHeads[],
    numbers: readonly number[],
    known: (heads: HeadsOf, number: number) => string | undefined,
    tools: ProofTools,
  ): Promise<Header | undefined> => {
    const [highest] = numbers
    if (highest === undefined || replies.length < quorum) return undefined
    const atOnce = mostCommon(replies.flatMap(({ value }) => known(value, highest) ?? []))
    const holder = replies.find(({ value }) =>
      [value.latest, value.finalized].some((header) => header?.hash === atOnce?.key),
    )
    if (atOnce && holder && atOnce.count >= quorum) {
      return holder.value.latest.hash === atOnce.key
        ? holder.value.latest
        : (holder.value.finalized ?? undefined)
    }
    return pool
      .poll<(Header | null)[], { agreed: Header | undefined }>({
        calls: numbers.map((number) => blockCall(number, false)),
        read: (replies, node) =>
          replies.map((reply, index) => readHeader(reply, tools, node, numbers[index])),
        nodes: replies.map(({ node }) => node),
        all: true,
        decide(answers, overdue) {
          for (const index of numbers.keys()) {
            const headers = answers.flatMap(({ value }) => value[index] ?? [])
            const best = mostCommon(headers.map((header) => header.hash))
            const agreed = headers.find((header) => header.hash === best?.key)
            if (best && best.count >= quorum) return { agreed }
            // A node that has not answered yet may complete the quorum for this block.
            if (!overdue && answers.length < replies.length) return undefined
          }
          return overdue ? { agreed: undefined } : undefined
        },
      })
      .then((decision) => decision.agreed)
  }

  const agreeOnHeads = async (
    replies: readonly NodeHeads[],
    tools: ProofTools,
  ): Promise<HeadsOf | undefined> => {
    const heads = replies.map(({ value }) => value.latest.number).sort((a, b) => b - a)
    const top = heads[quorum - 1]
    if (top === undefined) return undefined
    const numbers = [0, ...STEPS].map((step) => top - step).filter((number) => number >= 0)
    const latest = await agreeOn(replies, numbers, hashAt, tools)
    if (!latest) return undefined
    const finals = replies
      .flatMap(({ value }) => value.finalized?.number ?? [])
      .sort((a, b) => b - a)
    const highest = finals[quorum - 1]
    if (highest === undefined) return { latest, finalized: null }
    const below = [...new Set(finals.filter((number) => number <= highest))]
    const finalized = await agreeOn(
      replies.filter(({ value }) => value.finalized !== null),
      below,
      ({ finalized }, number) => (finalized?.number === number ? finalized.hash : undefined),
      tools,
    )
    return finalized && { latest, finalized }
  }

  /** Reports a node that disagrees with the quorum. If the node agrees again, clears its fault. */
  const judge = (agreed: HeadsOf, { node, value }: NodeHeads, wasBackwards: boolean) => {
    const { latest, finalized } = agreed
    const health = pool.health(node)
    const own = hashAt(value, latest.number)
    const before = latest.number - 1 === value.latest.number ? value.latest.hash : undefined
    const final = value.finalized?.number === finalized?.number ? value.finalized?.hash : undefined
    let fault: NodeFault | undefined
    if (own !== undefined && own !== latest.hash) fault = 'wrong_hash'
    else if (before !== undefined && before !== latest.parentHash) fault = 'wrong_hash'
    else if (final !== undefined && final !== finalized?.hash) fault = 'wrong_hash'
    else if (wasBackwards) fault = 'went_backwards'
    if (fault) pool.reportFault(node, TOPIC, fault)
    else if (!isAhead(value, agreed)) pool.clearFault(node, TOPIC)
    const behindSeconds = latest.timestamp - value.latest.timestamp
    health?.setLagging(behindSeconds > maxLagSeconds && value.latest.number < latest.number)
    const { number: head, timestamp } = latest
    health?.capHeads({ head, timestamp, finalized: finalized?.number ?? null })
  }

  /** Whether a node's final block became older, or its newest block became much older. */
  const wentBackwards = ({ node, value }: NodeHeads): boolean => {
    const health = pool.health(node)
    const { number: head, timestamp } = value.latest
    const finalized = value.finalized?.number ?? null
    const back = health?.recordHeads({ head, timestamp, finalized })
    if (!back) return false
    if (back.finalized || back.headSeconds > maxLagSeconds) return true
    if (back.headSeconds > 0) health?.count('went_backwards')
    return false
  }

  /** Checks that nodes ahead of the agreed block have this block too. Does not wait for answers. */
  const compareAhead = (agreed: HeadsOf, replies: readonly NodeHeads[], tools: ProofTools) => {
    const { latest } = agreed
    const ahead = replies.filter(({ value }) => isAhead(value, agreed))
    if (ahead.length === 0) return
    pool
      .poll<Header | null, true>({
        calls: [blockCall(latest.number, false)],
        read: ([reply], node) => readHeader(reply, tools, node, latest.number),
        nodes: ahead.map(({ node }) => node),
        all: true,
        decide: (answers) => answers.length === ahead.length || undefined,
        judge: (_, { node, value }) => {
          if (value?.hash === latest.hash) pool.clearFault(node, TOPIC)
          else pool.reportFault(node, TOPIC, 'wrong_hash')
        },
      })
      .catch(() => {})
  }

  return async () => {
    const tools = await options.proofTools()
    const calls = [blockCall('latest', false)]
    if (options.finalized) calls.push(blockCall('finalized', false))
    if (quorum === 1) return pool.ask(calls, read(tools))
    let agreed: HeadsOf | undefined
    const backwards = new Set<string>()
    const unjudged: NodeHeads[] = []
    const judgeLater = (reply: NodeHeads) => {
      if (agreed) judge(agreed, reply, backwards.has(reply.node))
      else unjudged.push(reply)
    }
    const replies = await pool.poll<HeadsOf, readonly NodeHeads[]>({
      calls,
      read: read(tools),
      all: true,
      decide: (answers, overdue) => {
        if (answers.length < quorum) return undefined
        const same = mostCommon(answers.map(({ value }) => keyOf(value)))
        return overdue || (same && same.count >= quorum) ? [...answers] : undefined
      },
      // `judge` also gets replies that arrive after the decision.
      judge: (_, reply) => {
        if (wentBackwards(reply)) backwards.add(reply.node)
        judgeLater(reply)
      },
    })
    const steady = replies.filter(({ node }) => !backwards.has(node))
    agreed = await agreeOnHeads(steady, tools)
    if (!agreed && steady.length < replies.length) {
      // If only the nodes that went backwards complete a quorum, the chain itself went backwards.
      agreed = await agreeOnHeads(replies, tools)
      backwards.clear()
    }
    if (!agreed) {
      const heads = replies.map(({ node, value }) => `${node} ${keyOf(value)}`).join('; ')
      throw new ChainError(
        'no_agreement',
        `No ${quorum} of the ${pool.size} nodes of chain ${pool.chainId} agree on a block: ${heads}.`,
      )
    }
    unjudged.splice(0).forEach(judgeLater)
    compareAhead(agreed, replies, tools)
    return agreed
  }
}

/** The hash at a block number, if this block is the node's head or the parent of the head. */
const hashAt = ({ latest }: HeadsOf, number: number): string | undefined => {
  if (latest.number === number) return latest.hash
  return latest.number === number + 1 ? latest.parentHash : undefined
}

const isAhead = ({ latest }: HeadsOf, agreed: HeadsOf): boolean =>
  latest.number > agreed.latest.number + 1

const keyOf = ({ latest, finalized }: HeadsOf): string =>
  `block ${latest.number} ${latest.hash}` +
  (finalized ? `, final ${finalized.number} ${finalized.hash}` : '')

const mostCommon = (keys: readonly string[]): { key: string; count: number } | undefined => {
  const groups = [...Map.groupBy(keys, (key) => key)]
  const [key, all] = groups.sort((a, b) => b[1].length - a[1].length)[0] ?? []
  return key === undefined || all === undefined ? undefined : { key, count: all.length }
}
