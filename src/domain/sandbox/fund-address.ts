import { parseAddress } from '../../kernel/address.ts'
import type { Asset } from '../../kernel/assets.ts'
import type { DevChain } from '../../kernel/dev-chain.ts'
import { inField } from '../../kernel/errors.ts'
import { parseUnits } from '../../kernel/money.ts'
import type { Context } from '../context.ts'

const ETHER = '10'
const TOKENS = '10000'

/** What the faucet gives: some of the chain's coin for gas, and of each token. */
const faucetAmounts = ({ settings }: Context, chainId: number): { asset: Asset; value: string }[] =>
  settings.assets.all
    .filter((asset) => asset.chainId === chainId)
    .map((asset) => ({ asset, value: asset.kind === 'native' ? ETHER : TOKENS }))

/**
 * Sends test money to an address. Returns what it will have got once the transactions are mined.
 *
 * @throws DomainError `invalid_input` for a wrong checksum, `unavailable`, `conflict`
 */
export const fundAddress = async (
  ctx: Context,
  chain: DevChain,
  input: { address: string },
): Promise<{ amounts: { value: string; currency: string }[]; txHashes: string[] }> => {
  const to = inField('address', () => parseAddress(input.address))
  const amounts = faucetAmounts(ctx, chain.chainId)
  const txHashes = await chain.fund(
    amounts.map(({ asset, value }) => ({
      to,
      token: asset.address,
      units: parseUnits(value, asset.decimals),
    })),
  )
  return {
    amounts: amounts.map(({ asset, value }) => ({ value, currency: asset.symbol })),
    txHashes,
  }
}
