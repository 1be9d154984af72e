import { encodeAddressAmount, selectors, testToken } from '../../contracts-abi/index.ts'
import { StartError } from '../kernel/errors.ts'
import { callNode, callNodeForText } from './rpc.ts'

/** The address of the first contract of Anvil's first account, the same on every chain. */
export const DEV_TOKEN_ADDRESS = '0x5fbdb2315678afecb367f032d93f642f64180aa3'

/** Each account gets a million tokens. */
const BALANCE_UNITS = 1_000_000n * 10n ** BigInt(testToken.decimals)
const DEPLOY_GAS = '0x1e8480'

/**
 * Deploys the test token unless the chain has it, and gives these accounts a million of it each.
 * They are unlocked: Anvil signs for them.
 *
 * @throws StartError if the chain has other code at that address
 */
export const ensureToken = async (url: string, accounts: readonly string[]): Promise<void> => {
  const code = await callNodeForText(url, 'eth_getCode', [DEV_TOKEN_ADDRESS, 'latest'])
  if (code !== '0x') return
  const [deployer = ''] = accounts
  const nonce = await callNodeForText(url, 'eth_getTransactionCount', [deployer, 'latest'])
  if (Number(nonce) !== 0) {
    throw new StartError(`The development chain has no token at ${DEV_TOKEN_ADDRESS}.`)
  }
  await send(url, { from: deployer, data: testToken.bytecode, gas: DEPLOY_GAS })
  await callNode(url, 'evm_mine')
  for (const account of accounts) {
    const data = encodeAddressAmount(selectors.mint, account, BALANCE_UNITS)
    await send(url, { from: deployer, to: DEV_TOKEN_ADDRESS, data })
  }
  await callNode(url, 'evm_mine')
  const deployed = await callNodeForText(url, 'eth_getCode', [DEV_TOKEN_ADDRESS, 'latest'])
  if (deployed !== testToken.deployedBytecode) {
    throw new StartError('The test token could not be deployed on the development chain.')
  }
}

const send = (url: string, transaction: Record<string, string>) =>
  callNode(url, 'eth_sendTransaction', [transaction])
