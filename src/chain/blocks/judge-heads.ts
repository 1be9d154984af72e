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

/** Seconds of the chain's time between two look-ups about the same node, as blocks may be fast. */
const LOOK_UP_EVERY_SECONDS = 10

/**
 * Compares the newest and the final block of nodes with the agreed blocks:
 *
 * - A block that the agreed chain has not reached is compared as soon as the chain has reached it.
 * - A node may differ from the quorum for `maxLagSeconds` of the chain's time. After this time, a
 *   newest block above the quorum's and another final block than the quorum's are faults.
 */
export const createHeadsJudge = (pool: NodePool, maxLagSeconds: number) => {
  /** By topic and node: the lowest block of the node that the agreed chain has not reached yet. */
  const unreached = new Map<string, Header>()
  const gaps = new Map<string, { behind: boolean; goal: number; sinceSeconds: number }>()
  const lookUps = new Map<string, number>()
  const finalBelowHead = networkOf(pool.chainId)?.finalBelowHead === true

  /** Whether the lower of two block numbers reached the higher one in time; null: not yet known. */
  const isInTime = (key: string, own: number, agreed: number, seconds: number): boolean | null => {
    const gap = gaps.get(key)
    const [behind, goal] = [own < agreed, Math.max(own, agreed)]
    const inTime = gap !== undefined && seconds - gap.sinceSeconds <= maxLagSeconds
    if (own === agreed) return gaps.delete(key) || true
    if (gap?.behind === behind && Math.min(own, agreed) < gap.goal) {
      gap.goal = Math.min(gap.goal, goal)
      return inTime ? null : false
    }
    gaps.set(key, { behind, goal, sinceSeconds: seconds })
    return inTime || null
  }

  /** Counts `outvoted` once, however long the node goes on to differ. */
  const report = (node: string, topic: FaultTopic, reason: 'outvoted' | 'wrong_hash') => {
    const isKnown = reason === 'outvoted' && pool.health(node)?.hasFault(topic)
    if (!isKnown) pool.reportFault(node, topic, reason)
  }

  return {
    /**
     * Records a node's heads. Returns whether the node's final block got older, or its newest block
     * much older.
     */
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
      const behindSeconds = latest.timestamp - value.latest.timestamp
      const isLagging = behindSeconds > maxLagSeconds

      const judgeBlock = (topic: FaultTopic, own: Header | null, goal: number, mayLag: boolean) => {
        const key = `${topic} ${node}`
        const number = own?.number ?? -1
        const reached = mayLag ? Math.max(number, goal) : number
        const inTime = isInTime(key, reached, goal, latest.timestamp)
        if (inTime === false) return report(node, topic, 'outvoted')
        const first = unreached.get(key)
        const isReached = first !== undefined && first.number <= latest.number
        const block = isReached ? first : own
        if (isReached) unreached.delete(key)
        if (block === null) return
        if (block.number > latest.number)
          return (first && first.number <= block.number) || unreached.set(key, block)
        // Does not wait for the answers.
        const settle = (hash: string, reason: 'outvoted' | 'wrong_hash') => {
          if (hash !== block.hash) report(node, topic, reason)
          else if (inTime) pool.clearFault(node, topic)
        }
        const known = [latest, finalized].map((header) => header && hashAt(header, block.number))
        const hash = known.find((one) => one)
        if (hash) return settle(hash, 'wrong_hash')
        const sinceSeconds = Math.abs(latest.timestamp - (lookUps.get(key) ?? 0))
        if (sinceSeconds < LOOK_UP_EVERY_SECONDS) return
        lookUps.set(key, latest.timestamp)
        pool
          .agree(
            [blockCall(block.number)],
            ([reply], from) => {
              const header = readHeader(reply, tools, from, block.number)
              if (header === null) throw missing(`block ${block.number}`)
              return header.hash
            },
            (found) => found,
          )
          .then((found) => settle(found, 'outvoted'))
          .catch(() => {})
      }

      if (wasBackwards) pool.reportFault(node, HEADS, 'went_backwards')
      else judgeBlock(HEADS, value.latest, latest.number, true)
      const final = value.finalized?.number ?? -1
      const highest = value.latest.number - (finalBelowHead ? 1 : 0)
      if (finalized && final > highest) report(node, FINALITY, 'outvoted')
      else if (finalized) judgeBlock(FINALITY, value.finalized, finalized.number, isLagging)
      const health = pool.health(node)
      health?.setLagging(isLagging && value.latest.number < latest.number)
      const { number: head, timestamp } = latest
      health?.capHeads({ head, timestamp, finalized: finalized?.number ?? null })
    },
  }
}

/** The hash at a block number, if a header is this block or its child. */
export const hashAt = ({ number, hash, parentHash }: Header, at: number): string | undefined =>
  number === at ? hash : number === at + 1 ? parentHash : undefined
