import { getCreateAddress } from 'ethers'
import { selectors, testToken } from '../../contracts-abi/index.ts'
import { testContracts } from '../../contracts-abi/test-contracts.ts'
import { encodeAddressAmount, type TestChain } from '../support/test-chain.ts'
import { keyOf } from '../support/test-wallets.ts'
import { TEST_CHAIN } from '../support/world.ts'

/**
 * The next nonce of account 0, which has deployed and minted the first token and deployed the
 * factory.
 */
const FIRST_NONCE = 7
const deployed = (index: number): string =>
  getCreateAddress({ from: keyOf(0).address, nonce: FIRST_NONCE + index }).toLowerCase()

/** A token that no escrow holds. */
export const EURC: string = deployed(0)
/** A contract that makes several transfers in one transaction. */
export const MULTICALL: string = deployed(1)

export const CHAIN = {
  ...TEST_CHAIN,
  tokens: [...TEST_CHAIN.tokens, { symbol: 'EURC', address: EURC, decimals: 6 }],
}
export const PRICES = {
  ...{ 'ETH/USDC': '2500', 'USDC/USD': '1', 'ETH/USD': '2500' },
  ...{ 'EURC/USDC': '1.1', 'EURC/USD': '1.1' },
}

/** Deploys both contracts at this time, and mints the token for these accounts. */
export const deployContracts = async (
  chain: TestChain,
  accounts: readonly string[],
  atS: number,
): Promise<void> => {
  const gasLimit = 3_000_000n
  await chain.send(await chain.sign(0, { data: testToken.bytecode, gasLimit }))
  await chain.send(await chain.sign(0, { data: testContracts.multicall.bytecode, gasLimit }))
  for (const account of accounts) {
    const data = encodeAddressAmount(selectors.mint, account, 10n ** 15n)
    await chain.send(await chain.sign(0, { to: EURC, data }))
  }
  await chain.call('evm_setNextBlockTimestamp', [atS])
  await chain.mine()
}
