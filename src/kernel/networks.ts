/**
 * What is known of public networks: when their blocks are final, and when a node that says nothing
 * new of it is an alarm. All of them are settled by the `finalized` tag. A depth is only offered
 * where it is a bound of its own; elsewhere waiting is what is done while the tag stands still.
 */
export type Network = {
  name: string
  testnet?: true
  blockTimeMs: number
  /** How long a transaction usually takes to be final. */
  typicalFinalityMs: number
  /** A tag that has not moved for so long is an alarm: several times as long as its usual step. */
  stalledAfterMs: number
  /**
   * The smallest depth that may stand for the tag, for nodes that lack it. Null: none is safe. A
   * rollup's depth says how long its sequencer has run, not what the layer below it holds.
   */
  safeDepth: number | null
  /** Whether a final block always lies below the head, so that a node that names its head lies. */
  finalBelowHead: boolean
}

const SECOND = 1_000
const MINUTE = 60 * SECOND

/**
 * A block is final after two epochs of 32 slots of 12 s, and the tag moves once an epoch:
 * https://ethereum.org/en/developers/docs/consensus-mechanisms/pos/#finality, and of the tag
 * https://github.com/ethereum/execution-apis (schemas, BlockTag). A depth of 96: what a custodian
 * waits for, https://docs.ripple.com/products/custody/v1.26/overview/blockchain/transactions/finality
 */
const ethereum = {
  blockTimeMs: 12 * SECOND,
  typicalFinalityMs: 15 * MINUTE,
  stalledAfterMs: 30 * MINUTE,
  safeDepth: 96,
  finalBelowHead: true,
}

/**
 * Final when the batch that holds the block stands in a final block of Ethereum, "typically around
 * 20-30 minutes": https://docs.optimism.io/concepts/transactions/transaction-finality; the stages of Base:
 * https://docs.base.org/base-chain/network-information/transaction-finality. Blocks come every 2 s.
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
     * The tag follows the batch into Ethereum; indexers are told to wait for it, not for a depth:
     * https://docs.arbitrum.io/how-arbitrum-works/reference/finality-and-reorgs
     */
    42161,
    { name: 'Arbitrum One', ...opStack, blockTimeMs: 250 },
  ],
  [
    /**
     * Milestones, 2 to 5 s: https://docs.polygon.technology/pos/concepts/finality/finality. They stood
     * still on 10 September 2025 and 12 January 2026, where a depth would have gone on crediting.
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
    /** Slots of 5 s, epochs of 16, final after 2.7 minutes: https://docs.gnosischain.com/about/networks/mainnet */
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

/** What is known of a chain; undefined for any other, of which nothing is assumed. */
export const networkOf = (chainId: number): Network | undefined => NETWORKS.get(chainId)

const SLOWEST_POLL_MS = 4_000
const FASTEST_POLL_MS = 1_000

/** How often a chain is asked unless its settings say so: once a block, within reason. */
export const defaultPollMs = (chainId: number): number =>
  Math.max(
    FASTEST_POLL_MS,
    Math.min(SLOWEST_POLL_MS, networkOf(chainId)?.blockTimeMs ?? SLOWEST_POLL_MS),
  )
