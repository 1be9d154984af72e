import { z } from 'zod'
import { defaultPollMs, networkOf } from '../kernel/networks.ts'
import type { PublicChain } from '../kernel/settings.ts'
import { address, PriceFeeds, SequencerFeed, symbol } from './prices.ts'
import { WebUrl } from './urls.ts'

/** The settings of a chain, its nodes and its assets. */

const Token = z.strictObject({
  symbol,
  address,
  decimals: z.int().min(0).max(36),
  /** An escrow may hold the token. Its balances must never change without a transfer. */
  escrow: z.boolean().optional(),
  /** The token is shown and settled, and takes no new campaigns and donations. */
  retired: z.boolean().optional(),
})

const Finality = z.union([
  z.strictObject({ tag: z.literal('finalized') }),
  z.strictObject({ depth: z.int().min(1).max(100_000) }),
])

/** Matches `localhost` and the loopback addresses, in the form that `URL` gives them. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

const isLoopback = (url: string): boolean => LOOPBACK.test(new URL(url).hostname)

/** A URL that the service publishes. Wallets accept http only for a URL on their own machine. */
const PublicUrl = WebUrl.refine(
  (text) => text.startsWith('https:') || isLoopback(text),
  'must begin with https://',
).refine((text) => {
  const { username, password } = new URL(text)
  return username === '' && password === ''
}, 'must hold no password, because everybody can read it')

/** Public facts about a chain. Wallets use them in `wallet_addEthereumChain` (EIP-3085). */
const PublicFacts = z.strictObject({
  name: z.string().min(1).max(40).optional(),
  rpc: z.array(PublicUrl).max(10).default([]),
  explorer: PublicUrl.optional(),
  testnet: z.boolean().optional(),
})

const bytes32 = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i, 'must be 0x and 64 hex digits')
  .toLowerCase()
const Fork = z.strictObject({
  epoch: z.int().min(0),
  version: z.string().regex(/^0x[0-9a-f]{8}$/),
})

/** A proof-of-stake network that is not known (`config.yaml` and preset of consensus-specs). */
const BeaconNetwork = z.strictObject({
  genesisRoot: bytes32,
  genesisTime: z.int().min(0),
  secondsPerSlot: z.int().min(1),
  slotsPerEpoch: z.int().min(1),
  epochsPerPeriod: z.int().min(1),
  forks: z.partialRecord(
    z.enum(['altair', 'bellatrix', 'capella', 'deneb', 'electra', 'fulu']),
    Fork,
  ),
})

const ChainFields = z.strictObject({
  id: z.int().min(1),
  name: z.string().min(1).max(40),
  rpc: z.array(WebUrl).min(1),
  /** The chain is shown and settled, and takes no new campaigns and donations. */
  retired: z.boolean().optional(),
  /** Facts that everyone may read. `rpc` above stays secret, because its URLs may contain keys. */
  public: PublicFacts.optional(),
  /** The number of nodes in `rpc` that must agree. Default: the majority. */
  quorum: z.int().min(1).optional(),
  /** A node that is further behind the agreed newest block than this is asked last. Default: 60. */
  maxLagSeconds: z.int().min(1).max(86_400).optional(),
  /** The rule for final blocks: the nodes' `finalized` tag (default), or a depth below the head. */
  finality: Finality.default({ tag: 'finalized' }),
  /** Beacon nodes. Then a block is final only if the chain's sync committee proves it too. */
  beacon: z.array(WebUrl).min(1).max(5).optional(),
  /** The root of a final beacon block, which is trusted: where the proof begins. */
  checkpoint: bytes32.optional(),
  beaconNetwork: BeaconNetwork.optional(),
  /** An alarm starts after this time without a new final block. The network may have a default. */
  stalledAfterMs: z
    .int()
    .min(1_000)
    .max(7 * 86_400_000)
    .optional(),
  /** Nodes give amounts of a chain's own coin in wei, so its decimals are always 18. */
  native: z.strictObject({ symbol, decimals: z.literal(18) }).default({
    symbol: 'ETH',
    decimals: 18,
  }),
  tokens: z.array(Token).max(100).default([]),
  /** Contracts that report prices, at most one per pair. A donation's block selects the price. */
  feeds: PriceFeeds,
  sequencerFeed: SequencerFeed.optional(),
  /** A contract with `isSanctioned(address)`, called for each donor and each campaign account. */
  sanctionsOracle: address.optional(),
  /** The first block to read if the database has no block yet. Default: the newest final block. */
  startBlock: z.int().min(0).optional(),
  /** From this block on, the chain logs every transfer of its native currency (EIP-7708). */
  nativeLogs: z.strictObject({ fromBlock: z.int().min(0) }).optional(),
  /** With `receipts-root`, blocks also count if a node returns only the transactions' hashes. */
  proof: z.enum(['transactions-root', 'receipts-root']).default('transactions-root'),
  /** The pause between requests for new blocks. Default: the block time, within 1 to 4 s. */
  pollIntervalMs: z.int().min(50).max(600_000).optional(),
  /** The number of blocks in one JSON-RPC batch. */
  blocksPerBatch: z.int().min(1).max(100).default(20),
})

/** The settings of a chain. Its network has defaults for `stalledAfterMs` and `pollIntervalMs`. */
export const ChainConfig = ChainFields.superRefine((chain, context) => {
  const refuse = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message })
  const { id, rpc, quorum = 1 } = chain
  if (quorum > rpc.length) {
    const text = `asks for ${quorum} nodes that agree, and rpc names only ${rpc.length}`
    refuse(['quorum'], text)
  }
  const own = new Set(rpc.map((url) => new URL(url).href))
  if (own.size < rpc.length) refuse(['rpc'], 'names a node twice, which has one vote')
  if ((chain.beacon === undefined) !== (chain.checkpoint === undefined)) {
    refuse(['checkpoint'], 'and beacon belong together')
  }
  chain.public?.rpc.forEach((url, index) => {
    if (isLoopback(url) || !own.has(new URL(url).href)) return
    const remedy = 'give browsers another address, because they would use up yours'
    refuse(['public', 'rpc', index], `is also in rpc: ${remedy}`)
  })
  const network = networkOf(id)
  if (!network || !('depth' in chain.finality)) return
  const { name, safeDepth } = network
  if (safeDepth !== null && chain.finality.depth >= safeDepth) return
  const least = safeDepth === null ? 'no depth is safe' : `a depth below ${safeDepth} is not safe`
  const remedy = 'leave it out to wait for the finalized tag'
  refuse(['finality'], `${least} on ${name} (chain ${id}): ${remedy}`)
}).transform((chain) => {
  const stalledAfterMs = chain.stalledAfterMs ?? networkOf(chain.id)?.stalledAfterMs
  return {
    ...chain,
    ...(stalledAfterMs === undefined ? {} : { stalledAfterMs }),
    pollIntervalMs: chain.pollIntervalMs ?? defaultPollMs(chain.id),
  }
})
export type ChainConfig = z.output<typeof ChainConfig>

/** The public facts about a chain. Missing settings get the known facts about the network. */
export const publicFactsOf = (chain: ChainConfig): PublicChain => {
  const { id, name, public: facts, pollIntervalMs, stalledAfterMs = null } = chain
  const network = networkOf(id)
  return {
    id,
    name: facts?.name ?? network?.name ?? name,
    rpc: facts?.rpc ?? [],
    explorer: facts?.explorer ?? null,
    testnet: facts?.testnet ?? network?.testnet ?? false,
    pollIntervalMs,
    stalledAfterMs,
  }
}
