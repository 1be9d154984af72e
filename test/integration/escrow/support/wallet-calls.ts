import { ZeroHash } from 'ethers'
import { approveCall, deployCall } from '../../../../src/escrow/calls.ts'
import type { Signed, TestChain } from '../../../support/test-chain.ts'
import { TOKEN } from '../../../support/world.ts'
import { deploy, encode } from '../../chain/support/payments.ts'
import type { FollowedWorld } from './followed-world.ts'
import { transferFrom } from './token-calls.ts'

type Call = { to: string; data: string }

/** A contract wallet. `send` makes calls and returns the transaction of the last call. */
export type ContractWallet = { address: string; send(...calls: Call[]): Promise<Signed> }

/** The development account that sends the transactions of contract wallets. */
const SENDER = 4

/** Deploys a Safe. It makes each call in a separate transaction. */
export const deploySafe = async (chain: TestChain): Promise<ContractWallet> => {
  const safe = await deploy(chain, 'safe', [chain.addressOf(SENDER)])
  const execute = ({ to, data }: Call) => safe.call(SENDER, 'execTransaction', [to, 0n, data])
  return {
    address: safe.address,
    async send(...calls) {
      const sent: Signed[] = []
      for (const call of calls) sent.push(await execute(call))
      const last = sent.at(-1)
      if (!last) throw new Error('There is no call.')
      return last
    },
  }
}

/** Deploys an ERC-4337 account. Its calls are the operations of one bundle. */
export const deployAccount = async (chain: TestChain): Promise<ContractWallet> => {
  const entryPoint = await deploy(chain, 'entryPointV07')
  const { address } = await deploy(chain, 'account', [entryPoint.address])
  const operationOf = ({ to, data }: Call) => {
    const execute = encode('account', 'execute', [to, 0n, data])
    return [address, 0, '0x', execute, ZeroHash, 0, ZeroHash, '0x', '0x']
  }
  return {
    address,
    send: (...calls) =>
      entryPoint.call(SENDER, 'handleOps', [calls.map(operationOf), chain.addressOf(SENDER)]),
  }
}

/**
 * Deploys the escrow, pays 70 USDC to it and releases its first milestone, all in one transaction.
 */
export const payAndRelease = async (world: FollowedWorld): Promise<Signed> => {
  const { chain, account, packed } = world
  const multicall = await deploy(chain, 'multicall')
  const units = 70_000_000n
  await world.send(1, approveCall(TOKEN, multicall.address, units))
  return world.batch(1, multicall.address, [
    deployCall(packed),
    transferFrom(chain.addressOf(1), account, units),
    await world.releaseCall(0),
  ])
}
