import { type BaseWallet, type HDNodeWallet, Interface, id } from 'ethers'
import { selectors, testToken } from '../../../../contracts-abi/index.ts'
import { encodeAddressAmount } from '../../../support/test-chain.ts'
import { TOKEN } from '../../../support/world.ts'

export const transferTo = (to: string, units: bigint, token: string = TOKEN) => ({
  to: token,
  data: encodeAddressAmount(selectors.transfer, to, units),
})

export const mintTo = (to: string, units: bigint, token: string = TOKEN) => ({
  to: token,
  data: encodeAddressAmount(selectors.mint, to, units),
})

/** A call that transfers tokens which `from` has approved for the caller. */
export const transferFrom = (from: string, to: string, units: bigint, token: string = TOKEN) => ({
  to: token,
  data: new Interface(testToken.abi).encodeFunctionData('transferFrom', [from, to, units]),
})

/** A transfer that the key allows by a signature (ERC-3009). Any account may send it. */
export const authorizedTransfer = async (
  key: BaseWallet | HDNodeWallet,
  { from, to, value }: { from: string; to: string; value: bigint },
) => {
  const message = { from, to, value, validAfter: 0n, validBefore: 2n ** 48n, nonce: id('a nonce') }
  const bytes32 = { name: 'nonce', type: 'bytes32' }
  const parties = ['from', 'to'].map((name) => ({ name, type: 'address' }))
  const numbers = ['value', 'validAfter', 'validBefore'].map((name) => ({ name, type: 'uint256' }))
  const domain = {
    ...{ name: testToken.name, version: testToken.version, chainId: 31337 },
    verifyingContract: TOKEN,
  }
  const types = { TransferWithAuthorization: [...parties, ...numbers, bytes32] }
  const signature = await key.signTypedData(domain, types, message)
  const data = new Interface(testToken.abi).encodeFunctionData('transferWithAuthorization', [
    ...Object.values(message),
    signature,
  ])
  return { to: TOKEN, data }
}
