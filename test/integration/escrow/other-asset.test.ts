import { describe, expect, test } from 'vitest'
import { encodeAddress, selectors, testToken } from '../../../contracts-abi/index.ts'
import { getDonationRefund } from '../../../src/domain/campaigns/index.ts'
import { claimDeposit, getDonation } from '../../../src/domain/donations/index.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { encodeAddressAmount, hasAnvil, type TestChain } from '../../support/test-chain.ts'
import { deploy, keyOf } from '../../support/test-wallets.ts'
import { createContext, TEST_CHAIN } from '../../support/world.ts'
import { deploy as deployContract } from '../chain/support/payments.ts'
import { returnOf } from './support/followed-world.ts'
import { createRefundWorld } from './support/refund-world.ts'

const DONOR = keyOf(1).address.toLowerCase()
const NATIVE = `0x${'0'.repeat(40)}`
const GIFT = 5_000_000n

/** Deploys a second token, and mints enough for the donor. */
const secondToken = async (chain: TestChain): Promise<string> => {
  const token = await deploy(chain, testToken.bytecode)
  const data = encodeAddressAmount(selectors.mint, DONOR, GIFT)
  await chain.send(await chain.sign(0, { to: token, data }))
  await chain.mine()
  return token
}

/** An escrow of USDC. Its donor has paid 5 EURC, and 1 ether before the escrow was deployed. */
const setUp = async () => {
  let token = ''
  const world = await createRefundWorld({
    secondToken: async (chain) => (token = await secondToken(chain)),
  })
  const ether = await world.record(
    await world.chain.send(await world.chain.signEther(1, world.account, '1')),
    '3000',
  )
  const data = encodeAddressAmount(selectors.transfer, world.account, GIFT)
  const paid = await world.send(1, { to: token, data })
  const euros = await world.record(paid, '5')
  await world.deploy()
  await world.settle(world.pay(2, 70_000_000n))
  const unclaimed = async () => {
    const rows = await world.ctx.sql<{ units: string }[]>`
      select sum(case when entry.credit_account = account.id then entry.amount
                      else -entry.amount end)::text as units
      from ledger_account account
      join ledger_entry entry on account.id in (entry.debit_account, entry.credit_account)
      join asset on asset.id = account.asset_id
      where account.kind = 'unclaimed' and (asset.address = ${token} or asset.kind = 'native')
      group by asset.id order by units`
    return rows.map(({ units }) => units)
  }
  const eurosOf = async (holder: string) => {
    const call = { to: token, data: encodeAddress(selectors.balanceOf, holder) }
    return BigInt(await world.chain.call<string>('eth_call', [call, 'latest']))
  }
  return { world, token, ether, paid, euros, unclaimed, eurosOf }
}

describe.skipIf(!hasAnvil)('a donation in an asset that the escrow does not hold', () => {
  test.each(['has failed', 'is done'])(
    'fails with the reason, and goes back in full by signatures when the escrow %s',
    async (end) => {
      const { world, token, ether, paid, euros, unclaimed, eurosOf } = await setUp()
      const { ctx, account } = world
      for (const id of [ether, euros]) {
        expect(await getDonation(ctx, id)).toMatchObject({
          ...{ status: 'failed', reason: 'asset_not_escrowed', creditedAmount: null },
        })
        await expect(getDonationRefund(ctx, id)).rejects.toMatchObject({
          code: 'campaign_not_failed',
        })
      }
      // The holder of the paying wallet cannot claim the deposit as a donation either.
      await linkWallet(world.world, world.donor.userId, DONOR)
      const [deposit] = await ctx.sql<{ id: string }[]>`
        select id from chain_transfer where tx_hash = ${paid.hash}`
      const claim = claimDeposit(world.world.as(world.donor), deposit?.id ?? '', { nonce: null })
      await expect(claim).rejects.toMatchObject({
        ...{ code: 'conflict', message: expect.stringContaining('Its verifiers can return it') },
      })
      const failures = (await world.events()).filter(({ type }) => type === 'donation.failed')
      expect(failures.map(({ data }) => data.reason)).toEqual([
        'asset_not_escrowed',
        'asset_not_escrowed',
      ])

      if (end === 'has failed') await world.cancel()
      else for (const milestone of [0, 1]) await world.release(milestone)
      await world.settle()
      const returns = await world.returns()
      const full = { share: String(GIFT), receiver: keyOf(1).address }
      expect(returns.find(({ asset }) => asset.toLowerCase() === token)).toMatchObject(full)
      expect(returns.find(({ asset }) => asset === NATIVE)).toMatchObject({
        ...{ position: -1, share: '1000000000000000000', receiver: keyOf(1).address },
      })
      await expect(getDonationRefund(ctx, euros)).rejects.toMatchObject({
        code: 'refund_by_verifiers',
      })

      const before = BigInt(await world.chain.call<string>('eth_getBalance', [DONOR, 'latest']))
      await world.settle(world.giveAllBack())
      const after = BigInt(await world.chain.call<string>('eth_getBalance', [DONOR, 'latest']))
      expect(after - before).toBe(10n ** 18n)
      expect([await eurosOf(DONOR), await eurosOf(account)]).toEqual([GIFT, 0n])
      expect(await unclaimed()).toEqual(['0', '0'])
      await expect(getDonationRefund(ctx, euros)).rejects.toMatchObject({
        code: 'already_refunded',
      })
    },
  )

  test('goes back to a wallet also if a call of a contract paid it in the native coin', async () => {
    const world = await createRefundWorld()
    const safe = await deployContract(world.chain, 'safe', [keyOf(1).address], 10n)
    const sent = await safe.call(1, 'execTransaction', [world.account, 7n, '0x'])
    const paid = await world.record({ ...sent, from: safe.address }, '0.01')
    await world.deploy()
    await world.settle(world.cancel())
    expect(await getDonation(world.ctx, paid)).toMatchObject({ reason: 'asset_not_escrowed' })
    await expect(getDonationRefund(world.ctx, paid)).rejects.toMatchObject({
      code: 'refund_by_verifiers',
    })
    expect(await world.returns()).toMatchObject([
      { transaction: sent.hash, position: -2, asset: NATIVE, amount: '7', share: '7' },
    ])
    await world.settle(world.giveAllBack())
    const balance = await world.chain.call<string>('eth_getBalance', [safe.address, 'latest'])
    expect(BigInt(balance)).toBe(10n)
    await expect(getDonationRefund(world.ctx, paid)).rejects.toMatchObject({
      code: 'already_refunded',
    })
  })

  test('and that the service did not know leaves no difference when the service learns of it', async () => {
    const world = await createRefundWorld()
    const token = await secondToken(world.chain)
    const paid = await world.send(1, {
      to: token,
      data: encodeAddressAmount(selectors.transfer, world.account, GIFT),
    })
    await world.deploy()
    await world.settle(world.cancel())
    await world.settle(world.returnTransfers(returnOf(paid, DONOR, GIFT, token)))
    const eurc = { symbol: 'EURC', address: token, decimals: 6 }
    const chains = [{ ...TEST_CHAIN, tokens: [...TEST_CHAIN.tokens, eurc] }]
    await createContext(world.ctx.pool, { chains })
    await world.agree()
  })
})
