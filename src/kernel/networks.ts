/**
 * A public network. Its nodes mark the newest final block with the tag `finalized`. A configured
 * depth may replace this tag only on a network with a `safeDepth`. On other networks, settlement
 * waits while the tag stays at the same block.
 */
type Network = {
  name: string
  testnet?: true
  blockTimeMs: number
  /** The usual time until a transaction is final. */
  typicalFinalityMs: number
  /** An alarm starts if the tag has not moved for this time (several times its usual interval). */
  stalledAfterMs: number
  /**
   * The smallest depth (blocks below the head) that may replace the tag; null if no depth is safe.
   * No depth is safe on a rollup, because its blocks become final only on Ethereum.
   */
  safeDepth: number | null
  /** Whether final blocks are always below the head. If so, a final head shows a faulty node. */
  finalBelowHead: boolean
}

const SECOND = 1_000
const MINUTE = 60 * SECOND

/**
 * A block is final after two epochs of 32 slots of 12 s, and the tag moves once per epoch:
 * https://ethereum.org/en/developers/docs/consensus-mechanisms/pos/#finality. BlockTag in
 * https://github.com/ethereum/execution-apis defines the tag. For the depth of 96 blocks, see
 * https://docs.ripple.com/products/custody/v1.26/overview/blockchain/transactions/finality
 */
const ethereum = {
  blockTimeMs: 12 * SECOND,
  typicalFinalityMs: 15 * MINUTE,
  stalledAfterMs: 30 * MINUTE,
  safeDepth: 96,
  finalBelowHead: true,
}

const sepolia = { ...ethereum, stalledAfterMs: 60 * MINUTE, safeDepth: null }

/**
 * On OP networks and on Base, a block is final when its batch is in a final block of Ethereum. This
 * takes 20 to 30 minutes: https://docs.optimism.io/concepts/transactions/transaction-finality and
 * https://docs.base.org/base-chain/network-information/transaction-finality
 */
const opStack = {
  blockTimeMs: 2 * SECOND,
  typicalFinalityMs: 20 * MINUTE,
  stalledAfterMs: 60 * MINUTE,
  safeDepth: null,
  finalBelowHead: true,
}

/** The networks by their chain ids. */
const NETWORKS: Readonly<Record<number, Network>> = {
  1: { name: 'Ethereum', ...ethereum },
  11155111: { name: 'Sepolia', testnet: true, ...sepolia },
  10: { name: 'OP Mainnet', ...opStack },
  8453: { name: 'Base', ...opStack },
  11155420: { name: 'OP Sepolia', testnet: true, ...opStack },
  84532: { name: 'Base Sepolia', testnet: true, ...opStack },
  /**
   * A block gets the tag `finalized` once its batch is final on Ethereum. A depth proves nothing:
   * https://docs.arbitrum.io/how-arbitrum-works/reference/finality-and-reorgs
   */
  42161: { name: 'Arbitrum One', ...opStack, blockTimeMs: 250 },
  /**
   * Validators finalise blocks by votes, called milestones, after 2 to 5 s. On 10 September 2025
   * and 12 January 2026 the votes stopped, so blocks at a fixed depth were not final:
   * https://docs.polygon.technology/pos/concepts/finality/finality
   */
  137: {
    name: 'Polygon',
    blockTimeMs: 2 * SECOND,
    typicalFinalityMs: 5 * SECOND,
    stalledAfterMs: 5 * MINUTE,
    safeDepth: null,
    finalBelowHead: false,
  },
  /**
   * A block is final after two epochs of 16 slots of 5 s, which is 2.7 minutes:
   * https://docs.gnosischain.com/about/networks/mainnet
   */
  100: {
    name: 'Gnosis',
    blockTimeMs: 5 * SECOND,
    typicalFinalityMs: 3 * MINUTE,
    stalledAfterMs: 15 * MINUTE,
    safeDepth: null,
    finalBelowHead: true,
  },
}

/** The network of a chain id; undefined if unknown. */
export const networkOf = (chainId: number): Network | undefined => NETWORKS[chainId]

const SLOWEST_POLL_MS = 4_000
const FASTEST_POLL_MS = 1_000

/** The default poll interval: the block time, but at least 1 s and at most 4 s. */
export const defaultPollMs = (chainId: number): number =>
  Math.max(
    FASTEST_POLL_MS,
    Math.min(SLOWEST_POLL_MS, networkOf(chainId)?.blockTimeMs ?? SLOWEST_POLL_MS),
  )
