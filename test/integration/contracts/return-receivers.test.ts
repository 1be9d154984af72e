import { getAddress, Interface } from 'ethers'
import { describe, expect, test } from 'vitest'
import { encodeAddressAmount, selectors } from '../../../contracts-abi/index.ts'
import { testContracts } from '../../../contracts-abi/test-contracts.ts'
import { listReturns } from '../../../src/domain/campaigns/index.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { createTestReaders, TOKEN } from '../../support/world.ts'
import {
  create,
  deployAccount,
  deploySafe,
  send,
  walletCodes,
} from '../chain/support/real-wallets.ts'
import { createFollowedWorld } from '../escrow/support/followed-world.ts'

const MULTICALL = new Interface(testContracts.multicall.abi)
const PAGE = { page: 1, limit: 20 }
const OWNER = 3

describe.skipIf(!hasAnvil)('a transfer to an escrow', () => {
  test('goes back to the wallet that sent it, and never to the signer of its transaction', async () => {
    const { chain, world, campaignId, account, ...calls } = await createFollowedWorld()
    await calls.deploy()
    const safe111 = walletCodes['@gnosis.pm/safe-contracts@1.1.1'].contracts
    const safe130 = walletCodes['@gnosis.pm/safe-contracts@1.3.0'].contracts
    const erc4337 = walletCodes['@account-abstraction/contracts@0.7.0'].contracts
    const entryPoint = await create(chain, erc4337.EntryPoint)
    const wallets = [
      await deploySafe(chain, OWNER, safe111),
      await deploySafe(chain, OWNER, safe130),
      await deployAccount(chain, OWNER, '0.7', { entryPoint, ...erc4337 }),
    ]
    const multicall = await create(chain, testContracts.multicall)
    const transfer = encodeAddressAmount(selectors.transfer, account, 4n)
    for (const holder of [...wallets.map(({ address }) => address), multicall]) {
      await send(chain, { to: TOKEN, data: encodeAddressAmount(selectors.mint, holder, 4n) })
    }
    for (const { execute } of wallets) await execute(TOKEN, transfer)
    const call = { to: TOKEN, value: 0n, data: transfer }
    await send(chain, { to: multicall, data: MULTICALL.encodeFunctionData('run', [[call]]) })
    await calls.pay(2, 4n)
    await calls.cancel()
    await calls.settle()

    const ctx = { ...world.ctx, contracts: createTestReaders(chain.url).contracts }
    const { items } = await listReturns(ctx, campaignId, PAGE)
    const key = keyOf(2).address
    expect(new Map(items.map(({ sender, receiver }) => [sender, receiver]))).toEqual(
      new Map([
        ...wallets.map(({ address }) => [address, address] as const),
        [getAddress(multicall), null],
        [key, key],
      ]),
    )

    // Without a node, the list still has all transfers, but no receivers.
    const blind = await listReturns(world.ctx, campaignId, PAGE)
    expect(blind.items).toEqual(items.map((item) => ({ ...item, receiver: null })))
  })
})
