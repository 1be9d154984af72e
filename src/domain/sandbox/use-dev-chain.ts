import { parseAddress, toChecksumAddress } from '../../kernel/address.ts'
import type { DevChain } from '../../kernel/dev-chain.ts'
import { DomainError, inField } from '../../kernel/errors.ts'
import { type BaseUnits, parseUnits } from '../../kernel/money.ts'
import type { Context } from '../context.ts'

export type TestTransferView = { txHash: string; from: string; to: string; chainId: number }

/** 10 000 ether: a hundred thousandth of what the sender of the embedded chain begins with. */
const MAX_NATIVE_UNITS = 10n ** 22n

/**
 * Sends a real transaction on the development chain, such as a donor's wallet would. The addresses
 * returned are EIP-55.
 *
 * @throws DomainError `invalid_input`, `invalid_amount`, `unknown_currency`, `unavailable`,
 *   `conflict`
 */
export const sendTransfer = async (
  { settings }: Context,
  chain: DevChain,
  input: { to: string; amount: string; currency: string },
): Promise<TestTransferView> => {
  const to = inField('to', () => parseAddress(input.to))
  const asset = settings.assets.bySymbol(input.currency, chain.chainId)
  if (asset.kind === 'fiat') {
    throw new DomainError('unknown_currency', `${input.currency} is nothing that a chain can send.`)
  }
  const units: BaseUnits = parseUnits(input.amount, asset.decimals)
  if (asset.kind === 'native' && units > MAX_NATIVE_UNITS) {
    throw new DomainError('invalid_amount', 'The sandbox sends at most 10 000 at once.')
  }
  const { txHash, from } = await chain.transfer({ to, token: asset.address, units })
  return {
    txHash,
    from: toChecksumAddress(from),
    to: toChecksumAddress(to),
    chainId: chain.chainId,
  }
}
