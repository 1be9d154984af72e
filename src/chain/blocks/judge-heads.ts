import { networkOf } from '../../kernel/networks.ts'
import type { ProofTools } from '../encoding/tools.ts'
import type { NodeReply } from '../rpc/ask-all.ts'
import type { FaultTopic } from '../rpc/node-health.ts'
import type { NodePool } from '../rpc/pool.ts'
import type { Header } from '../types.ts'
import { blockCall, missing, readHeader } from './read-header.ts'

/** The newest header and the newest final header, as one node or a quorum of nodes reports them. */
export type HeadsOf = { latest: Header; finalized: Header | null }
export type NodeHeads = NodeReply<HeadsOf>

export const HEADS: FaultTopic = 'agreement on heads'
const FINALITY: FaultTopic = 'agreement on finality'

/**
 * Compares the heads of nodes with the agreed heads:
 *
 * - A head that the agreed chain has not reached is compared as soon as the chain has reached it.
 * - A node may differ from the quorum for `maxLagSeconds` of the chain's time. After this time, a
 *   newest block above the quorum's and another final block than the quorum's are faults.
 */
export const createHeadsJudge = (pool: NodePool, maxLagSeconds: number) => {
  /** The first head of a node that the agreed chain has not reached yet. */
  const unreached = new Map<string, Header>()
  const gaps = new Map<string, { behind: boolean; goal: number; sinceSeconds: number }>()
  const finalBelowHead = networkOf(pool.chainId)?.finalBelowHead === true

  /** Counts one fault, however long the node goes on to differ. */
  const report = (node: string, topic: FaultTopic) => {
    if (!pool.health(node)?.hasFault(topic)) pool.reportFault(node, topic, 'outvoted')
  }

  /** Whether the lower of two block numbers has not reached the higher one for too long. */
  const isLate = (key: string, own: number, agreed: number, seconds: number): boolean => {
    const gap = gaps.get(key)
    const behind = own < agreed
    if (own === agreed) gaps.delete(key)
    else if (gap?.behind === behind && Math.min(own, agreed) < gap.goal) {
      return seconds - gap.sinceSeconds > maxLagSeconds
    } else gaps.set(key, { behind, goal: Math.max(own, agreed), sinceSeconds: seconds })
    return false
  }

  const settle = (node: string, head: Header, hash: string) => {
    if (hash === head.hash) pool.clearFault(node, HEADS)
    else report(node, HEADS)
  }

  /** Compares a node's head with the block of the quorum. Does not wait for the answers. */
  const compare = (node: string, head: Header, latest: Header, tools: ProofTools) => {
    const known = hashAt(latest, head.number)
    if (known !== undefined) return settle(node, head, known)
    pool
      .agree(
        [blockCall(head.number, false)],
        ([reply], from) => {
          const header = readHeader(reply, tools, from, head.number)
          if (header === null) throw missing(`block ${head.number}`)
          return header.hash
        },
        (hash) => hash,
      )
      .then((hash) => settle(node, head, hash))
      .catch(() => {})
  }

  const judgeHead = (latest: Header, node: string, own: Header, tools: ProofTools) => {
    const expected = hashAt(latest, own.number) ?? hashAt(own, latest.number)
    const shown = own.number > latest.number ? latest.hash : own.hash
    if (expected !== undefined && expected !== shown) {
      return pool.reportFault(node, HEADS, 'wrong_hash')
    }
    const number = Math.max(own.number, latest.number)
    if (isLate(`head ${node}`, number, latest.number, latest.timestamp)) return report(node, HEADS)
    const earlier = unreached.get(node) ?? own
    if (own.number > latest.number) unreached.set(node, earlier)
    else unreached.delete(node)
    if (earlier.number <= latest.number) {
      unreached.delete(node)
      compare(node, earlier, latest, tools)
    } else if (expected !== undefined) pool.clearFault(node, HEADS)
  }

  const judgeFinal = ({ latest, finalized }: HeadsOf, node: string, own: HeadsOf) => {
    if (finalized === null) return
    const { number, hash } = own.finalized ?? { number: -1, hash: '' }
    if (number === finalized.number && hash !== finalized.hash) {
      return pool.reportFault(node, FINALITY, 'wrong_hash')
    }
    const isLagging = latest.timestamp - own.latest.timestamp > maxLagSeconds
    const late = isLate(`final ${node}`, number, finalized.number, latest.timestamp)
    const isImpossible =
      number > own.latest.number || (finalBelowHead && number === own.latest.number)
    if (isImpossible || (late && !isLagging)) report(node, FINALITY)
    else if (number === finalized.number) pool.clearFault(node, FINALITY)
  }

  return {
    /** Records a node's heads. Whether its final block got older, or its newest one much older. */
    wentBackwards({ node, value }: NodeHeads): boolean {
      const health = pool.health(node)
      const { number: head, timestamp } = value.latest
      const finalized = value.finalized?.number ?? null
      const back = health?.recordHeads({ head, timestamp, finalized })
      if (!back) return false
      if (back.finalized || back.headSeconds > maxLagSeconds) return true
      if (back.headSeconds > 0) health?.count('went_backwards')
      return false
    },
    /** Reports a node that contradicts the agreed heads. If it agrees again, clears its fault. */
    judge(agreed: HeadsOf, { node, value }: NodeHeads, wasBackwards: boolean, tools: ProofTools) {
      const { latest, finalized } = agreed
      if (wasBackwards) pool.reportFault(node, HEADS, 'went_backwards')
      else judgeHead(latest, node, value.latest, tools)
      judgeFinal(agreed, node, value)
      const behindSeconds = latest.timestamp - value.latest.timestamp
      const health = pool.health(node)
      health?.setLagging(behindSeconds > maxLagSeconds && value.latest.number < latest.number)
      const { number: head, timestamp } = latest
      health?.capHeads({ head, timestamp, finalized: finalized?.number ?? null })
    },
  }
}

/** The hash at a block number, if a header is this block or its child. */
export const hashAt = ({ number, hash, parentHash }: Header, at: number): string | undefined =>
  number === at ? hash : number === at + 1 ? parentHash : undefined
