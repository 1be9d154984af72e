import type { ProofTools } from '../encoding/tools.ts'
import { ChainError } from '../errors.ts'
import { failureAsError, type RpcReply } from '../rpc/json-rpc.ts'
import type { NodeFault } from '../rpc/node-health.ts'
import type { NodePool } from '../rpc/pool.ts'
import type { Header } from '../types.ts'
import { blockCall, missing, readHeader } from './read-header.ts'

/** What a node says of its chain: proven headers, but of which chain is its own word. */
export type HeadsOf = { latest: Header; finalized: Header | null }

export type AgreedHeadsOptions = {
  pool: NodePool
  proofTools(): Promise<ProofTools>
  /** Whether what is final is asked for. Else `finalized` is null. */
  finalized: boolean
  maxLagSeconds: number
  /** Told when a node has no final block to name. */
  onNoFinality?(error: ChainError): void
}

const TOPIC = 'agreement on heads'
/** How far below disagreeing heads a common block is looked for: one batch of these steps. */
const STEPS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256]

type Told = { node: string; value: HeadsOf }

/**
 * The newest block that `quorum` nodes have, by hash: the quorum-th highest head, and below it where
 * the nodes do not agree there, as in a reorganisation under way. The final block likewise: the
 * highest that `quorum` nodes call final, or have under one that they call so, with the same hash. So
 * neither a node that runs ahead, nor one that stands still, nor one on a branch of its own has a say
 * without others.
 *
 * @throws ChainError `no_agreement`
 */
export const createAgreedHeads = (options: AgreedHeadsOptions): (() => Promise<HeadsOf>) => {
  const { pool } = options
  const { quorum } = pool

  const read = (tools: ProofTools) => (replies: readonly RpcReply[], node: string) => {
    const latest = readHeader(replies[0], tools, node)
    if (latest === null) throw missing('its latest block')
    return { latest, finalized: options.finalized ? finalHeader(replies[1], tools, node) : null }
  }
  /** A chain without the tag answers null or an error: nothing is final there, and that is said so. */
  const finalHeader = (reply: RpcReply | undefined, tools: ProofTools, node: string) => {
    if (reply?.ok === false) {
      options.onNoFinality?.(failureAsError(reply.error, node))
      return null
    }
    return readHeader(reply, tools, node)
  }

  /** The highest of these blocks that `quorum` of the nodes have with one hash. */
  const agreeOn = async (
    told: readonly Told[],
    numbers: readonly number[],
    known: (one: Told, number: number) => string | undefined,
    tools: ProofTools,
  ): Promise<Header | undefined> => {
    const [highest] = numbers
    if (highest === undefined || told.length < quorum) return undefined
    const atOnce = mostCommon(told.flatMap((one) => known(one, highest) ?? []))
    const holder = told.find(({ value }) =>
      [value.latest, value.finalized].some((one) => one?.hash === atOnce?.key),
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
        nodes: told.map((one) => one.node),
        all: true,
        decide(answers, overdue) {
          for (const index of numbers.keys()) {
            const headers = answers.flatMap(({ value }) => value[index] ?? [])
            const best = mostCommon(headers.map((header) => header.hash))
            const agreed = headers.find((header) => header.hash === best?.key)
            if (best && best.count >= quorum) return { agreed }
            // One that has not answered yet could still make this one agreed.
            if (!overdue && answers.length < told.length) return undefined
          }
          return overdue ? { agreed: undefined } : undefined
        },
      })
      .then((decision) => decision.agreed)
  }

  const settle = async (told: readonly Told[], tools: ProofTools): Promise<HeadsOf | undefined> => {
    const heads = told.map((one) => one.value.latest.number).sort((a, b) => b - a)
    const top = heads[quorum - 1]
    if (top === undefined) return undefined
    const numbers = [0, ...STEPS].map((step) => top - step).filter((number) => number >= 0)
    const latest = await agreeOn(told, numbers, (one, number) => hashAt(one.value, number), tools)
    if (!latest) return undefined
    const finals = told.flatMap((one) => one.value.finalized?.number ?? []).sort((a, b) => b - a)
    const highest = finals[quorum - 1]
    if (highest === undefined) return { latest, finalized: null }
    const below = [...new Set(finals.filter((number) => number <= highest))]
    const finalized = await agreeOn(
      told.filter((one) => one.value.finalized !== null),
      below,
      ({ value }, number) =>
        value.finalized?.number === number ? value.finalized.hash : undefined,
      tools,
    )
    return finalized && { latest, finalized }
  }

  /** Names whoever is not where the others are; lets back in who is again. */
  const judge = (agreed: HeadsOf, { node, value }: Told, wentBackwards: boolean) => {
    const { latest, finalized } = agreed
    const health = pool.health(node)
    const own = hashAt(value, latest.number)
    const before = latest.number - 1 === value.latest.number ? value.latest.hash : undefined
    const final = value.finalized?.number === finalized?.number ? value.finalized?.hash : undefined
    let fault: NodeFault | undefined
    if (own !== undefined && own !== latest.hash) fault = 'wrong_hash'
    else if (before !== undefined && before !== latest.parentHash) fault = 'wrong_hash'
    else if (final !== undefined && final !== finalized?.hash) fault = 'wrong_hash'
    else if (wentBackwards) fault = 'went_backwards'
    if (fault) pool.blame(node, TOPIC, fault)
    else if (!isAhead(value, agreed)) pool.forgive(node, TOPIC)
    const behindSeconds = latest.timestamp - value.latest.timestamp
    health?.lags(behindSeconds > options.maxLagSeconds && value.latest.number < latest.number)
    const { number: head, timestamp } = latest
    health?.heldTo({ head, timestamp, finalized: finalized?.number ?? null })
  }

  /** Whether it has named lower blocks than before. A little lower is what load balancers do. */
  const noteHeads = ({ node, value }: Told): boolean => {
    const health = pool.health(node)
    const { number: head, timestamp } = value.latest
    const finalized = value.finalized?.number ?? null
    const back = health?.sawHeads({ head, timestamp, finalized })
    if (!back) return false
    if (back.finalized || back.headSeconds > options.maxLagSeconds) return true
    if (back.headSeconds > 0) health?.count('went_backwards')
    return false
  }

  /** One that runs far ahead has not shown the agreed block: it is asked for, without being waited for. */
  const compareAhead = (agreed: HeadsOf, told: readonly Told[], tools: ProofTools) => {
    const { latest } = agreed
    const ahead = told.filter((one) => isAhead(one.value, agreed))
    if (ahead.length === 0) return
    pool
      .poll<Header | null, true>({
        calls: [blockCall(latest.number, false)],
        read: ([reply], node) => readHeader(reply, tools, node, latest.number),
        nodes: ahead.map((one) => one.node),
        all: true,
        decide: (answers) => answers.length === ahead.length || undefined,
        judge: (_, { node, value }) => {
          if (value?.hash === latest.hash) pool.forgive(node, TOPIC)
          else pool.blame(node, TOPIC, 'wrong_hash')
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
    const unjudged: Told[] = []
    const judgeOne = (one: Told) => {
      if (agreed) judge(agreed, one, backwards.has(one.node))
      else unjudged.push(one)
    }
    const told = await pool.poll<HeadsOf, readonly Told[]>({
      calls,
      read: read(tools),
      all: true,
      decide: (answers, overdue) => {
        if (answers.length < quorum) return undefined
        const same = mostCommon(answers.map(({ value }) => keyOf(value)))
        return overdue || (same && same.count >= quorum) ? [...answers] : undefined
      },
      // Those that answer when all is decided are judged all the same.
      judge: (_, one) => {
        if (noteHeads(one)) backwards.add(one.node)
        judgeOne(one)
      },
    })
    const steady = told.filter((one) => !backwards.has(one.node))
    agreed = await settle(steady, tools)
    if (!agreed && steady.length < told.length) {
      // Where most went backwards together, the chain did.
      agreed = await settle(told, tools)
      backwards.clear()
    }
    if (!agreed) {
      const said = told.map(({ node, value }) => `${node} ${keyOf(value)}`).join('; ')
      throw new ChainError(
        'no_agreement',
        `No ${quorum} of the ${pool.size} nodes of chain ${pool.chainId} agree on a block: ${said}.`,
      )
    }
    unjudged.splice(0).forEach(judgeOne)
    compareAhead(agreed, told, tools)
    return agreed
  }
}

/** The hash that a node's head commits to at a number, where that is its own or its parent's. */
const hashAt = ({ latest }: HeadsOf, number: number): string | undefined => {
  if (latest.number === number) return latest.hash
  return latest.number === number + 1 ? latest.parentHash : undefined
}

const isAhead = (one: HeadsOf, agreed: HeadsOf): boolean =>
  one.latest.number > agreed.latest.number + 1

const keyOf = ({ latest, finalized }: HeadsOf): string =>
  `block ${latest.number} ${latest.hash}` +
  (finalized ? `, final ${finalized.number} ${finalized.hash}` : '')

const mostCommon = (keys: readonly string[]): { key: string; count: number } | undefined => {
  const groups = [...Map.groupBy(keys, (key) => key)]
  const [key, all] = groups.sort((a, b) => b[1].length - a[1].length)[0] ?? []
  return key === undefined || all === undefined ? undefined : { key, count: all.length }
}
