/**
 * Finality of public networks, and the time without progress that is an alarm. All networks use the
 * `finalized` tag. A depth is allowed only if it is safe by itself; without one, settlement waits
 * while the tag does not move.
 */
type Network = {
  name: string
  testnet?: true
  blockTimeMs: number
  /** The usual time until a transaction is final. */
  typicalFinalityMs: number
  /** An alarm if the tag has not moved for this time, several times its usual interval. */
  stalledAfterMs: number
  /**
   * The smallest depth that may replace the tag, for nodes without it. Null: none is safe. A
   * rollup's depth shows only how long its sequencer has run, not which blocks are on L1.
   */
  safeDepth: number | null
  /** Whether a final block is always below the head: a node with a final head is faulty. */
  finalBelowHead: boolean
}

const SECOND = 1_000
const MINUTE = 60 * SECOND

/**
 * A block is final after two epochs of 32 slots of 12 s, and the tag moves once an epoch:
 * https://ethereum.org/en/developers/docs/consensus-mechanisms/pos/#finality, and of the tag
 * https://github.com/ethereum/execution-apis (schemas, BlockTag). A depth of 96 as a custodian
 * uses: https://docs.ripple.com/products/custody/v1.26/overview/blockchain/transactions/finality
 */
const ethereum = {
  blockTimeMs: 12 * SECOND,
  typicalFinalityMs: 15 * MINUTE,
  stalledAfterMs: 30 * MINUTE,
  safeDepth: 96,
  finalBelowHead: true,
}

/**
 * Final when a final block of Ethereum contains the batch with the block, "typically around 20-30
 * minutes": https://docs.optimism.io/concepts/transactions/transaction-finality; the stages of
 * Base: https://docs.base.org/base-chain/network-information/transaction-finality. Blocks come
 * every 2 s.
 */
const opStack = {
  blockTimeMs: 2 * SECOND,
  typicalFinalityMs: 20 * MINUTE,
  stalledAfterMs: 60 * MINUTE,
  safeDepth: null,
  finalBelowHead: true,
}

const NETWORKS: ReadonlyMap<number, Network> = new Map([
  [1, { name: 'Ethereum', ...ethereum }],
  [
    11155111,
    { name: 'Sepolia', testnet: true, ...ethereum, stalledAfterMs: 60 * MINUTE, safeDepth: null },
  ],
  [10, { name: 'OP Mainnet', ...opStack }],
  [8453, { name: 'Base', ...opStack }],
  [11155420, { name: 'OP Sepolia', testnet: true, ...opStack }],
  [84532, { name: 'Base Sepolia', testnet: true, ...opStack }],
  [
    /**
     * A block is `finalized` once its batch is final on Ethereum. Wait for the tag, not for a
     * depth: https://docs.arbitrum.io/how-arbitrum-works/reference/finality-and-reorgs
     */
    42161,
    { name: 'Arbitrum One', ...opStack, blockTimeMs: 250 },
  ],
  [
    /**
     * Milestones, 2 to 5 s: https://docs.polygon.technology/pos/concepts/finality/finality. They
     * stalled on 10 September 2025 and 12 January 2026, when a depth would have credited further.
     */
    137,
    {
      name: 'Polygon',
      blockTimeMs: 2 * SECOND,
      typicalFinalityMs: 5 * SECOND,
      stalledAfterMs: 5 * MINUTE,
      safeDepth: null,
      finalBelowHead: false,
    },
  ],
  [
    /**
     * Slots of 5 s, epochs of 16, final after 2.7 minutes:
     * https://docs.gnosischain.com/about/networks/mainnet
     */
    100,
    {
      name: 'Gnosis',
      blockTimeMs: 5 * SECOND,
      typicalFinalityMs: 3 * MINUTE,
      stalledAfterMs: 15 * MINUTE,
      safeDepth: null,
      finalBelowHead: true,
    },
  ],
])

/** The network of a chain id; undefined if unknown. */
export const networkOf = (chainId: number): Network | undefined => NETWORKS.get(chainId)

const SLOWEST_POLL_MS = 4_000
const FASTEST_POLL_MS = 1_000

/** The default poll interval: once per block, within bounds. */
export const defaultPollMs = (chainId: number): number =>
  Math.max(
    FASTEST_POLL_MS,
    Math.min(SLOWEST_POLL_MS, networkOf(chainId)?.blockTimeMs ?? SLOWEST_POLL_MS),
  )
