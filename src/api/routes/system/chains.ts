import { z } from 'zod'
import { succeed, success } from '../../../edge/answer/answers.ts'
import { route } from '../../../edge/route.ts'
import { component } from '../../../edge/schemas.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import type { Asset } from '../../../kernel/money/assets.ts'
import type { PublicChain, Settings } from '../../../kernel/settings.ts'

const PUBLIC_FOR_5_MIN = { 'Cache-Control': 'public, max-age=300' }

const ChainAsset = component('ChainAsset', {
  id: z.string().describe('The id of the asset (CAIP-19).'),
  symbol: z.string().describe('The name to use as `currency` of an amount.'),
  decimals: z.int(),
  token: z.string().nullable().describe("The address of the token; null for the chain's own coin."),
})

const Chain = component('Chain', {
  id: z.int().describe('The chain id (EIP-155).'),
  name: z.string(),
  testnet: z.boolean(),
  rpc: z
    .array(z.string())
    .describe('Public nodes for wallets that do not know the chain (EIP-3085). Often empty.'),
  explorer: z.string().nullable(),
  assets: z
    .array(ChainAsset)
    .describe("The assets that new donations may use, the chain's own coin first."),
})

export const chainOperations = () => [
  route.get('/api/chains', {
    operationId: 'listChains',
    summary: 'The followed chains, with the assets that each accepts.',
    auth: 'none',
    answers: { 200: success('All chains.', { chains: z.array(Chain) }) },
    handler: async ({ ctx: { settings } }) =>
      succeed(
        { chains: settings.chains.map((chain) => toChainBody(settings, chain)) },
        { headers: PUBLIC_FOR_5_MIN },
      ),
  }),
]

/** Copies each field by name, so that a new setting does not become public by accident. */
const toChainBody = ({ assets }: Settings, chain: PublicChain): z.output<typeof Chain> => ({
  id: chain.id,
  name: chain.name,
  testnet: chain.testnet,
  rpc: [...chain.rpc],
  explorer: chain.explorer,
  assets: assets.accepted(chain.id).map(toAssetBody),
})

const toAssetBody = ({ id, symbol, decimals, address }: Asset): z.output<typeof ChainAsset> => ({
  id,
  symbol,
  decimals,
  token: address === null ? null : toChecksumAddress(address),
})
