import { Interface } from 'ethers'
import { approveCall, deployCall } from '../../../../src/chain/escrow/calls.ts'
import type { Signed } from '../../../support/test-chain.ts'
import { TOKEN } from '../../../support/world.ts'
import { deploy } from '../../chain/support/payments.ts'
import type { FollowedWorld } from './followed-world.ts'

/** One transaction deploys the escrow, pays 70 USDC to it and releases its first milestone. */
export const payAndRelease = async (world: FollowedWorld): Promise<Signed> => {
  const { chain, account, packed } = world
  const multicall = await deploy(chain, 'multicall')
  const units = 70_000_000n
  await world.send(1, approveCall(TOKEN, multicall.address, units))
  const token = new Interface(['function transferFrom(address,address,uint256)'])
  const pay = token.encodeFunctionData('transferFrom', [chain.addressOf(1), account, units])
  return world.batch(1, multicall.address, [
    deployCall(packed),
    { to: TOKEN, data: pay },
    await world.releaseCall(0),
  ])
}
