import { z } from 'zod'
import { defaultPollMs, networkOf } from '../kernel/networks.ts'
import type { PublicChain } from '../kernel/settings.ts'
import { address, PriceFeeds, SequencerFeed, symbol } from './prices.ts'

/** The settings of a chain, its nodes and its assets. */

const Token = z.strictObject({
  symbol,
  address,
  decimals: z.int().min(0).max(36),
})

const Finality = z.union([
  z.strictObject({ tag: z.literal('finalized') }),
  z.strictObject({ depth: z.int().min(1).max(100_000) }),
])

/** `localhost` and the addresses of this machine, as `URL` writes them. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

const isLoopback = (url: string): boolean => LOOPBACK.test(new URL(url).hostname)

/** An address that everybody may read. Wallets take http from their own machine only. */
const PublicUrl = z
  .url({ protocol: /^https?$/ })
  .refine((text) => text.startsWith('https:') || isLoopback(text), 'must begin with https://')
  .refine((text) => {
    const { username, password } = new URL(text)
    return username === '' && password === ''
  }, 'must hold no password, because everybody can read it')

/** What browsers are shown of a chain, such as for `wallet_addEthereumChain` (EIP-3085). */
const PublicFacts = z.strictObject({
  name: z.string().min(1).max(40).optional(),
  rpc: z.array(PublicUrl).max(10).default([]),
  explorer: PublicUrl.optional(),
  testnet: z.boolean().optional(),
})

const ChainFields = z.strictObject({
  id: z.int().min(1),
  name: z.string().min(1).max(40),
  rpc: z.array(z.url({ protocol: /^https?$/ })).min(1),
  /** What everybody may know. The addresses of `rpc` hold keys, and are shown nowhere. */
  public: PublicFacts.optional(),
  /** How many nodes of `rpc` must say the same to be believed. Default: the majority. */
  quorum: z.int().min(1).optional(),
  /** A node whose newest block is so much older than the agreed one is asked last. Default 60. */
  maxLagSeconds: z.int().min(1).max(86_400).optional(),
  /** What makes a block final; default: the `finalized` tag. A depth only where one is safe. */
  finality: Finality.default({ tag: 'finalized' }),
  /** Finality that has not moved for so long is an alarm. Default: by network, else never. */
  stalledAfterMs: z
    .int()
    .min(1_000)
    .max(7 * 86_400_000)
    .optional(),
  native: z.strictObject({ symbol, decimals: z.int().min(0).max(36) }).default({
    symbol: 'ETH',
    decimals: 18,
  }),
  tokens: z.array(Token).max(100).default([]),
  /** Where prices are read, at the block of the donation; each pair once. */
  feeds: PriceFeeds,
  sequencerFeed: SequencerFeed.optional(),
  /** A contract with `isSanctioned(address)`, asked about donors and campaign accounts. */
  sanctionsOracle: address.optional(),
  /**
   * First block to read when this database has never followed the chain; default: the final one.
   */
  startBlock: z.int().min(0).optional(),
  /** From this block on the chain logs every move of its own currency itself (EIP-7708). */
  nativeLogs: z.strictObject({ fromBlock: z.int().min(0) }).optional(),
  /**
   * The least that a block must prove of itself; the weaker level is for nodes that give only
   * hashes.
   */
  proof: z.enum(['transactions-root', 'receipts-root']).default('transactions-root'),
  /** How often the nodes are asked for new blocks. Default: by network, else 4 000. */
  pollIntervalMs: z.int().min(50).max(600_000).optional(),
  /** How many blocks are asked for in one JSON-RPC batch. */
  blocksPerBatch: z.int().min(1).max(100).default(20),
})

/** A chain with everything that its settings leave to what is known of the network. */
export const ChainConfig = ChainFields.superRefine((chain, context) => {
  if (chain.quorum !== undefined && chain.quorum > chain.rpc.length) {
    context.addIssue({
      code: 'custom',
      path: ['quorum'],
      message: `asks for ${chain.quorum} nodes that agree, and rpc names only ${chain.rpc.length}`,
    })
  }
  const own = new Set(chain.rpc.map((url) => new URL(url).href))
  chain.public?.rpc.forEach((url, index) => {
    if (isLoopback(url) || !own.has(new URL(url).href)) return
    context.addIssue({
      code: 'custom',
      path: ['public', 'rpc', index],
      message: 'is also in rpc: give browsers another address, because they would use up yours',
    })
  })
  const network = networkOf(chain.id)
  if (!network || !('depth' in chain.finality)) return
  const { name, safeDepth } = network
  if (safeDepth !== null && chain.finality.depth >= safeDepth) return
  const least = safeDepth === null ? 'no depth is safe' : `a depth below ${safeDepth} is not safe`
  context.addIssue({
    code: 'custom',
    path: ['finality'],
    message: `${least} on ${name} (chain ${chain.id}): leave it out to wait for the finalized tag`,
  })
}).transform((chain) => {
  const stalledAfterMs = chain.stalledAfterMs ?? networkOf(chain.id)?.stalledAfterMs
  return {
    ...chain,
    ...(stalledAfterMs === undefined ? {} : { stalledAfterMs }),
    pollIntervalMs: chain.pollIntervalMs ?? defaultPollMs(chain.id),
  }
})
export type ChainConfig = z.output<typeof ChainConfig>

/** What everybody may know of a chain, completed from what is known of its network. */
export const publicFactsOf = ({ id, name, public: facts }: ChainConfig): PublicChain => {
  const network = networkOf(id)
  return {
    id,
    name: facts?.name ?? network?.name ?? name,
    rpc: facts?.rpc ?? [],
    explorer: facts?.explorer ?? null,
    testnet: facts?.testnet ?? network?.testnet ?? false,
  }
}
