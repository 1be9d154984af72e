import type { ProofTools } from '../encoding/tools.ts'
import { ChainError } from '../errors.ts'
import { LATE_MS } from '../rpc/ask-all.ts'
import { failureAsError, type RpcReply } from '../rpc/json-rpc.ts'
import type { NodePool } from '../rpc/pool.ts'
import { agreedOf } from '../rpc/quorum.ts'
import type { Header } from '../types.ts'
import { createHeadsJudge, HEADS, type HeadsOf, hashAt, type NodeHeads } from './judge-heads.ts'
import { blockCall, missing, readHeader } from './read-header.ts'

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

const MAX_LAG_SECONDS = 60
/** If the nodes' newest blocks differ, blocks at these distances below are compared as well. */
const STEPS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256]

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
  const { judge, wentBackwards } = createHeadsJudge(pool, maxLagSeconds)

  const read = (tools: ProofTools) => (replies: readonly RpcReply[], node: string) => {
    const latest = readHeader(replies[0], tools, node)
    if (latest === null) {
      if (quorum > 1) pool.reportFault(node, HEADS, 'block_missing')
      throw missing('its latest block')
    }
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

  /** The header that `quorum` nodes gave for one block number. */
  const agreedIn = (headers: readonly Header[]) =>
    headers.find(({ hash }) => headers.filter((other) => other.hash === hash).length >= quorum)

  /**
   * The headers at these numbers on whose hashes `quorum` nodes agree. Waits for the headers at the
   * numbers `needed`.
   */
  const agreeOn = async (
    replies: readonly NodeHeads[],
    numbers: readonly number[],
    needed: readonly number[],
    lateMs?: number,
  ): Promise<ReadonlyMap<number, Header>> => {
    const tools = await options.proofTools()
    const { found } = await pool.poll<(Header | null)[], { found: Map<number, Header> }>({
      calls: numbers.map((number) => blockCall(number)),
      // A node may refuse a block that another node has named, such as a very old one.
      read: (replies, node) =>
        replies.map((reply, index) =>
          reply.ok ? readHeader(reply, tools, node, numbers[index]) : null,
        ),
      nodes: replies.map(({ node }) => node),
      all: true,
      lateMs,
      decide(answers, overdue) {
        const at = (index: number) => answers.flatMap(({ value }) => value[index] ?? [])
        const agreed = numbers.flatMap((_, index) => agreedIn(at(index)) ?? [])
        const found = new Map(agreed.map((header) => [header.number, header]))
        // A node that has not answered yet may complete the quorum for a block.
        return overdue || needed.every((number) => found.has(number)) ? { found } : undefined
      },
    })
    return found
  }

  /**
   * The newest block is the highest block on whose hash `quorum` nodes agree, of some blocks below
   * the nodes' heads. The final block is the highest block that `quorum` nodes report as final or
   * as an ancestor of a final block, and null if there is no such block. A node counts only if its
   * final block is on the agreed chain.
   */
  const agreeOnHeads = async (
    replies: readonly NodeHeads[],
    lateMs?: number,
  ): Promise<HeadsOf | undefined> => {
    const heads = replies.map(({ value }) => value.latest)
    const finals = replies
      .flatMap(({ value }) => value.finalized ?? [])
      .sort((a, b) => b.number - a.number)
    const top = heads.map(({ number }) => number).sort((a, b) => b - a)[quorum - 1]
    if (top === undefined) return undefined
    const haveTop = (hash: string) => heads.filter((head) => hashAt(head, top) === hash).length
    const finalBy = (agreed: (number: number) => Header | undefined) =>
      finals.filter(({ number, hash }) => agreed(number)?.hash === hash)[quorum - 1]
    let latest = heads.find(({ number, hash }) => number === top && haveTop(hash) >= quorum)
    let finalized =
      finals.length < quorum
        ? null
        : finalBy((number) => agreedIn(finals.filter((one) => one.number === number)))
    if (!latest || finalized === undefined) {
      const below = latest ? [] : [top, ...STEPS.map((step) => top - step)]
      const open = finalized === undefined ? finals.map(({ number }) => number) : []
      const numbers = [...new Set([...below.filter((number) => number >= 0), ...open])]
      const found = await agreeOn(replies, numbers, [...below.slice(0, 1), ...open], lateMs)
      latest ??= below.map((number) => found.get(number)).find((header) => header !== undefined)
      if (finalized === undefined) finalized = finalBy((number) => found.get(number))
    }
    return latest && finalized !== undefined ? { latest, finalized } : undefined
  }

  const readHeads = async (lateMs?: number): Promise<HeadsOf> => {
    const tools = await options.proofTools()
    const calls = [blockCall('latest')]
    if (options.finalized) calls.push(blockCall('finalized'))
    if (quorum === 1) return pool.ask(calls, read(tools))
    const backwards = new Set<string>()
    const { promise: whenAgreed, resolve } = Promise.withResolvers<HeadsOf>()
    const replies = await pool.poll<HeadsOf, readonly NodeHeads[]>({
      calls,
      read: read(tools),
      all: true,
      lateMs,
      decide: (answers, overdue) => {
        if (answers.length < quorum) return undefined
        const same = agreedOf(answers, keyOf, quorum)
        return overdue || same ? [...answers] : undefined
      },
      // `judge` also gets replies that arrive after the decision.
      judge: (_, reply) => {
        if (wentBackwards(reply)) backwards.add(reply.node)
        whenAgreed
          .then((agreed) => judge(agreed, reply, backwards.has(reply.node), tools))
          .catch(() => {})
      },
    })
    const steady = replies.filter(({ node }) => !backwards.has(node))
    let agreed = await agreeOnHeads(steady, lateMs)
    if (!agreed && steady.length < replies.length) {
      // If only the nodes that went backwards complete a quorum, the chain itself went backwards.
      agreed = await agreeOnHeads(replies, lateMs)
      backwards.clear()
    }
    const knowsMore = ({ value: { latest, finalized } }: NodeHeads) =>
      !agreed ||
      latest.timestamp > agreed.latest.timestamp + maxLagSeconds ||
      (finalized?.number ?? -1) > (agreed.finalized?.number ?? -1)
    // A node that lies or lags must not hold back the others while an honest node is late.
    if (lateMs === undefined && replies.some(knowsMore)) return readHeads(LATE_MS)
    if (!agreed) {
      const final = Math.max(...replies.map(({ value }) => value.finalized?.number ?? 0))
      const heads = replies.map(({ node, value }) => {
        const isBehind = value.latest.number < final
        return `${node}${isBehind ? ' is behind with' : ''} ${keyOf(value)}`
      })
      throw new ChainError(
        'no_agreement',
        `No ${quorum} of the ${pool.size} nodes of chain ${pool.chainId} agree on a block: ${heads.join('; ')}.`,
      )
    }
    resolve(agreed)
    return agreed
  }
  return () => readHeads()
}

const keyOf = ({ latest, finalized }: HeadsOf): string =>
  `block ${latest.number} ${latest.hash}` +
  (finalized ? `, final ${finalized.number} ${finalized.hash}` : '')
