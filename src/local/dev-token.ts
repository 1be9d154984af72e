import { encodeAddressAmount, selectors, testToken } from '../../contracts-abi/index.ts'
import { StartError } from '../kernel/errors.ts'
import { ensureFactory } from './dev-factory.ts'
import { callNode } from './rpc.ts'

/** The first contract that Anvil's first account deploys has this address on every chain. */
export const DEV_TOKEN_ADDRESS = '0x5fbdb2315678afecb367f032d93f642f64180aa3'

/** The amount that each account gets: a million tokens. */
const BALANCE_UNITS = 1_000_000n * 10n ** BigInt(testToken.decimals)
const DEPLOY_GAS = '0x1e8480'

/**
 * If the chain lacks the test token, deploys it and gives each account a million tokens. Anvil must
 * be able to sign for the accounts.
 *
 * @throws StartError if the first account has sent transactions before, or the deployment fails
 */
export const ensureToken = async (url: string, accounts: readonly string[]): Promise<void> => {
  const readCode = () => callNode<string>(url, 'eth_getCode', [DEV_TOKEN_ADDRESS, 'latest'])
  const send = (transaction: Record<string, string>) =>
    callNode(url, 'eth_sendTransaction', [{ from: accounts[0], ...transaction }])
  if ((await readCode()) !== '0x') return
  const nonce = await callNode<string>(url, 'eth_getTransactionCount', [accounts[0], 'latest'])
  if (Number(nonce) !== 0) {
    throw new StartError(`The development chain has no token at ${DEV_TOKEN_ADDRESS}.`)
  }
  await send({ data: testToken.bytecode, gas: DEPLOY_GAS })
  await callNode(url, 'evm_mine')
  for (const account of accounts) {
    const data = encodeAddressAmount(selectors.mint, account, BALANCE_UNITS)
    await send({ to: DEV_TOKEN_ADDRESS, data })
  }
  await callNode(url, 'evm_mine')
  if ((await readCode()) !== testToken.deployedBytecode) {
    throw new StartError('The test token could not be deployed on the development chain.')
  }
}

// docker-compose.yml runs `node src/local/dev-token.ts http://anvil:8545` for its chain.
if (import.meta.main) {
  const url = process.argv[2] ?? 'http://127.0.0.1:8545'
  const accounts = await callNode<string[]>(url, 'eth_accounts')
  await ensureToken(url, accounts)
  await ensureFactory(url, accounts[0])
  console.log('The development chain has the test token and the escrow factory.')
}
