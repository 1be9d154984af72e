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
  const lookUps = new Map<string, number>()
  const finalBelowHead = networkOf(pool.chainId)?.finalBelowHead === true

  /** Counts one fault, however long the node goes on to differ. */
  const report = (node: string, topic: FaultTopic) => {
    if (!pool.health(node)?.hasFault(topic)) pool.reportFault(node, topic, 'outvoted')
  }

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

  /** Compares a node's block with the block of the quorum. Does not wait for the answers. */
  const compare = (
    topic: FaultTopic,
    { node, value: own }: NodeReply<Header>,
    { latest, finalized }: HeadsOf,
    tools: ProofTools,
    mayClear: boolean,
  ) => {
    const settle = (hash: string) => {
      if (hash !== own.hash) report(node, topic)
      else if (mayClear) pool.clearFault(node, topic)
    }
    const known = hashAt(latest, own.number) ?? (finalized && hashAt(finalized, own.number))
    if (known) return settle(known)
    const key = `${topic} ${node}`
    const sinceSeconds = Math.abs(latest.timestamp - (lookUps.get(key) ?? 0))
    if (own.number > latest.number || sinceSeconds < LOOK_UP_EVERY_SECONDS) return
    lookUps.set(key, latest.timestamp)
    pool
      .agree(
        [blockCall(own.number, false)],
        ([reply], from) => {
          const header = readHeader(reply, tools, from, own.number)
          if (header === null) throw missing(`block ${own.number}`)
          return header.hash
        },
        (hash) => hash,
      )
      .then(settle)
      .catch(() => {})
  }

  const judgeHead = (agreed: HeadsOf, node: string, own: Header, tools: ProofTools) => {
    const { latest } = agreed
    const expected = hashAt(latest, own.number) ?? hashAt(own, latest.number)
    const shown = own.number > latest.number ? latest.hash : own.hash
    if (expected !== undefined && expected !== shown) {
      return pool.reportFault(node, HEADS, 'wrong_hash')
    }
    const number = Math.max(own.number, latest.number)
    if (isInTime(`head ${node}`, number, latest.number, latest.timestamp) === false) {
      return report(node, HEADS)
    }
    const value = unreached.get(node) ?? own
    if (own.number > latest.number) unreached.set(node, value)
    if (own.number <= latest.number || value.number <= latest.number) unreached.delete(node)
    compare(HEADS, { node, value }, agreed, tools, true)
  }

  const judgeFinal = (agreed: HeadsOf, node: string, own: HeadsOf, tools: ProofTools) => {
    const { latest, finalized } = agreed
    if (finalized === null) return
    const { number, hash } = own.finalized ?? { number: -1, hash: '' }
    if (number === finalized.number && hash !== finalized.hash) {
      return pool.reportFault(node, FINALITY, 'wrong_hash')
    }
    const isLagging = latest.timestamp - own.latest.timestamp > maxLagSeconds
    const inTime = isInTime(`final ${node}`, number, finalized.number, latest.timestamp)
    const isImpossible =
      number > own.latest.number || (finalBelowHead && number === own.latest.number)
    if (isImpossible || (inTime === false && !isLagging)) report(node, FINALITY)
    else if (own.finalized) {
      compare(FINALITY, { node, value: own.finalized }, agreed, tools, inTime === true)
    }
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
      else judgeHead(agreed, node, value.latest, tools)
      judgeFinal(agreed, node, value, tools)
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
