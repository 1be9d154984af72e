import { escrowFactory } from '../../contracts-abi/index.ts'
import { StartError } from '../kernel/errors.ts'
import { callNode } from './rpc.ts'

const DEPLOY_GAS = '0x7a1200'

/**
 * Deploys the escrow factory unless the chain has it. `account` pays; Anvil must be able to sign
 * for it. Anvil has the proxy for the deployment from its first block on.
 *
 * @throws StartError if the deployment fails
 */
export const ensureFactory = async (url: string, account: string | undefined): Promise<void> => {
  const { address, deployedBytecode, deploymentData, deploymentProxy } = escrowFactory
  const readCode = () => callNode<string>(url, 'eth_getCode', [address, 'latest'])
  if ((await readCode()) === deployedBytecode) return
  const transaction = { from: account, to: deploymentProxy, data: deploymentData, gas: DEPLOY_GAS }
  await callNode(url, 'eth_sendTransaction', [transaction])
  await callNode(url, 'evm_mine')
  if ((await readCode()) === deployedBytecode) return
  throw new StartError('The escrow factory could not be deployed on the development chain.')
}
