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

/** A public URL. Wallets accept http only for a URL on their own machine. */
const PublicUrl = z
  .url({ protocol: /^https?$/ })
  .refine((text) => text.startsWith('https:') || isLoopback(text), 'must begin with https://')
  .refine((text) => {
    const { username, password } = new URL(text)
    return username === '' && password === ''
  }, 'must hold no password, because everybody can read it')

/** Public facts about a chain. Wallets need them for `wallet_addEthereumChain` (EIP-3085). */
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
  /** Public facts. The addresses in `rpc` are never public, because they may contain keys. */
  public: PublicFacts.optional(),
  /** How many nodes of `rpc` must agree. Default: the majority. */
  quorum: z.int().min(1).optional(),
  /** A node that is more than this behind the agreed newest block is asked last. Default: 60. */
  maxLagSeconds: z.int().min(1).max(86_400).optional(),
  /** The rule for final blocks. Default: the `finalized` tag. Use a depth only if it is safe. */
  finality: Finality.default({ tag: 'finalized' }),
  /** Time without a new final block before an alarm. Default: the network's value, or no alarm. */
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
  /** Contracts that report prices, at most one per pair. They are read at the donation's block. */
  feeds: PriceFeeds,
  sequencerFeed: SequencerFeed.optional(),
  /** A contract with `isSanctioned(address)`. It is asked about donors and campaign accounts. */
  sanctionsOracle: address.optional(),
  /** The first block to read of a chain that is new to the database. Default: the final block. */
  startBlock: z.int().min(0).optional(),
  /** From this block on, the chain logs every transfer of its native currency (EIP-7708). */
  nativeLogs: z.strictObject({ fromBlock: z.int().min(0) }).optional(),
  /** `receipts-root` also accepts blocks of nodes that return only the transactions' hashes. */
  proof: z.enum(['transactions-root', 'receipts-root']).default('transactions-root'),
  /** The pause between requests for new blocks. Default: the network's value, or 4 000. */
  pollIntervalMs: z.int().min(50).max(600_000).optional(),
  /** The number of blocks in one JSON-RPC batch. */
  blocksPerBatch: z.int().min(1).max(100).default(20),
})

/** The settings of a chain. Missing settings get the defaults of the chain's network. */
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

/** The public facts about a chain. The defaults are the facts about its network. */
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
