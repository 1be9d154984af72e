import { describe, expect, test } from 'vitest'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { recordIntent } from '../../support/donate.ts'
import { createRandom } from '../../support/random.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createUser, TOKEN } from '../../support/world.ts'
import { type Call, createLoops, LENT } from './support/loops.ts'
import { at, createPaymentsWorld, deploy, ETHER, encode } from './support/payments.ts'

/** A campaign whose account is a contract, and a lender contract. */
const setUp = async () => {
  const chain = await startTestChain()
  const loops = await createLoops(chain)
  const accounts = [loops.account.address]
  const payments = await createPaymentsWorld('traces', { chain, accounts })
  const { ctx } = payments.world
  return {
    ...payments,
    ...loops,
    ctx,
    /** The status, the reason and the credited amount of each donation. */
    ends: async () =>
      (await payments.donations()).map(({ status, reason, amount }) => [status, reason, amount]),
    raised: async () => {
      const [row] = await ctx.sql<{ sum: string }[]>`
        select sum(raised)::text as sum from campaign_total`
      return row?.sum
    },
    /** The position and the amount of each stored transfer. */
    counted: async () => (await payments.transfers()).map((one) => [one.position, one.amount]),
  }
}

const RETURNED = ['failed', 'returned_in_transaction', null]
const completed = (amount: string) => ['completed', 'completed', amount]

describe.skipIf(!hasAnvil)('money that leaves in the transaction that brought it', () => {
  test('a flash loan through the account credits nothing, and says so', async () => {
    const { ctx, account, lender, lend, pay, asAccount, ...world } = await setUp()
    const loan = await lend([pay(account.address, LENT), asAccount(pay(lender.address, LENT))])
    await world.claim(loan, account.address, '1000000000', 'USDC')
    await world.mineAndFollow()
    expect(await world.ends()).toEqual([['confirming', 'returned_in_transaction', null]])
    await world.mineAndFollow(2)
    expect(await world.transfers()).toEqual([])
    expect(await world.ends()).toEqual([RETURNED])
    expect(await world.raised()).toBe('0')
    expect(await ctx.sql`select from ledger_entry`).toHaveLength(0)
    expect(await ctx.sql`select type from event`).toEqual([{ type: 'donation.failed' }])
    expect(await ctx.sql`select status from campaign`).toEqual([{ status: 'active' }])
  })

  test('what the account kept counts in the order of the transfers, the last one in part', async () => {
    const { account, lender, lend, pay, asAccount, ...world } = await setUp()
    const calls: Call[] = [
      // The account pays 15 back before more arrives, which makes no difference. Its transfer to
      // itself moves nothing.
      pay(account.address, 20n),
      asAccount(pay(lender.address, 15n), pay(account.address, 4n)),
      pay(account.address, 30n),
      pay(account.address, 40n),
      asAccount(pay(lender.address, 50n)),
    ]
    const paid = await lend(calls)
    // Positions of the logs: 0 in, 1 out, 2 to itself, 3 in, 4 in, 5 out.
    for (const position of [0, 3, 4, 2, 5]) {
      await world.claim(paid, account.address, '0.00002', 'USDC', position)
    }
    await world.mineAndFollow(3)
    expect(await world.ends()).toEqual([
      completed('20'),
      completed('5'),
      RETURNED,
      ['failed', 'no_such_transfer', null],
      ['failed', 'no_such_transfer', null],
    ])
    expect(await world.raised()).toBe('25')
    expect((await checkLedger(world.world.ctx.pool)).differences).toEqual([])
  })

  test('a claim that is recorded after its block was read fails for the same reason', async () => {
    const { account, lender, lend, pay, asAccount, ...world } = await setUp()
    const calls = [pay(account.address, 8n), pay(account.address, 5n)]
    const paid = await lend([...calls, asAccount(pay(lender.address, 6n))])
    await world.mineAndFollow(3)
    await world.claim(paid, account.address, '0.000005', 'USDC', 1)
    await world.claim(paid, account.address, '0.000008', 'USDC', 0)
    await world.ctx.sql`update donation set next_check_at = now() - interval '1 second'`
    await world.checks.run()
    expect(await world.ends()).toEqual([RETURNED, completed('7')])
    // The transfer was a deposit before, and the claim has removed this deposit.
    expect((await checkLedger(world.ctx.pool)).differences).toEqual([])
  })

  test('an intent is paid by what counts, and waits on where nothing does', async () => {
    const { account, lender, lend, pay, asAccount, ...world } = await setUp()
    const donor = await createUser(world.ctx)
    const intent = async () => {
      const [campaign] = await world.ctx.sql<{ id: string }[]>`select id from campaign`
      await recordIntent(world.world.as(donor), {
        campaignId: campaign?.id ?? '',
        amount: { value: '0.00001', currency: 'USDC' },
        donor: { walletAddress: lender.address },
      })
    }
    await intent()
    await lend([pay(account.address, 10n), asAccount(pay(lender.address, 10n))])
    await world.mineAndFollow(3)
    expect(await world.ends()).toEqual([['pending', 'waiting_for_payment', null]])
    // A donation claims one of the transfers and the intent gets the other. The account keeps 13 of
    // 20.
    const calls = [pay(account.address, 10n), pay(account.address, 10n)]
    const paid = await lend([...calls, asAccount(pay(lender.address, 7n))])
    await world.claim(paid, account.address, '0.00001', 'USDC', 0)
    await world.mineAndFollow(3)
    expect(await world.ends()).toEqual([completed('3'), completed('10')])
  })

  test('each of several campaigns in one transaction counts what its own account kept', async () => {
    const { chain, account, lender, lend, pay, asAccount, open, ...world } = await setUp()
    const second = await deploy(chain, 'multicall')
    await open(second.address)
    const through: Call = [
      second.address,
      0n,
      encode('multicall', 'run', [[pay(lender.address, 4n)]]),
    ]
    const paid = await lend([
      pay(account.address, 10n),
      asAccount(pay(second.address, 10n)),
      through,
    ])
    await world.claim(paid, account.address, '0.00001', 'USDC')
    await world.claim(paid, second.address, '0.00001', 'USDC')
    await world.mineAndFollow(3)
    expect(await world.ends()).toEqual([RETURNED, completed('6')])
  })

  test('a token that takes its fee from the recipient counts with what is left', async () => {
    const { account, lend, pay, asAccount, ...world } = await setUp()
    await lend([pay(account.address, 100n), asAccount(pay(`0x${'fe'.repeat(20)}`, 2n))])
    await world.mineAndFollow(3)
    expect(await world.counted()).toEqual([[0, '98']])
  })

  test('wrapped money that is unwrapped at once counts for nothing, though no Transfer shows it', async () => {
    const chain = await startTestChain()
    const { account, lender, lend, asAccount, pay } = await createLoops(chain)
    const weth = await deploy(chain, 'wrapped')
    const tokens = [{ symbol: 'WETH', address: weth.address, decimals: 18 }]
    const world = await createPaymentsWorld('traces', {
      chain,
      accounts: [account.address],
      tokens,
    })
    const call = (method: string, args: unknown[], wei = 0n): Call => [
      weth.address,
      wei,
      encode('wrapped', method, args),
    ]
    const passOn = (wei: bigint) => asAccount(call('withdraw', [wei]), [lender.address, wei, '0x'])
    const loop = await lend(
      [call('deposit', [], ETHER), pay(account.address, ETHER, weth.address), passOn(ETHER)],
      ETHER,
    )
    await world.claim(loop, account.address, '1', 'WETH')
    await chain.mine()
    await lend([call('deposit', [], 9n), pay(account.address, 9n, weth.address), passOn(5n)], 9n)
    await world.mineAndFollow(3)
    expect((await world.transfers()).map((one) => one.amount)).toEqual(['4'])
    expect(await world.donations()).toMatchObject([{ reason: 'returned_in_transaction' }])
  })

  test('a reorganisation changes what counts, and what was booked in another block is taken back', async () => {
    const chain = await startTestChain()
    const loops = await createLoops(chain)
    const { account, lender, lend, asAccount } = loops
    // A transfer of this token returns false if the balance is too low, and the transaction
    // succeeds.
    const token = await deploy(chain, 'falseToken')
    await token.call(1, 'mint', [lender.address, 100n])
    await token.call(1, 'mint', [chain.addressOf(1), 100n])
    await chain.mine()
    const tokens = [{ symbol: 'OLD', address: token.address, decimals: 0 }]
    const world = await createPaymentsWorld('traces', {
      chain,
      accounts: [account.address],
      tokens,
    })
    const pay = (to: string, units: bigint) => loops.pay(to, units, token.address)
    const paid = await lend([pay(account.address, 10n), asAccount(pay(lender.address, 15n))])
    await world.claim(paid, account.address, '10', 'OLD')
    await world.follow()
    await world.mineAndFollow(4)
    // The token has no price, so the donation waits, and its money is in custody as a deposit.
    expect(await world.donations()).toMatchObject([{ status: 'confirming', amount: '10' }])
    const custody = await world.world.ctx.sql`select kind, amount::text from ledger_entry`
    expect(custody).toEqual([{ kind: 'deposit', amount: '10' }])
    // On the other branch the account already has 9, so its payment of 15 succeeds.
    const before = await token.call(1, 'transfer', [account.address, 9n])
    await chain.reorg(4, [
      [before, 0],
      [paid, 1],
    ])
    await world.follow()
    await world.mineAndFollow(4)
    expect(await world.donations()).toMatchObject([
      { status: 'failed', reason: 'returned_in_transaction' },
    ])
    expect(await world.transfers()).toMatchObject([{ txHash: before.hash, amount: '9' }])
    expect((await checkLedger(world.world.ctx.pool)).differences).toEqual([])
  })

  test('random loops credit exactly what each transaction left on the account', async () => {
    const random = createRandom(5)
    const { chain, account, lender, lend, pay, asAccount, ...world } = await setUp()
    const token = at(chain, 'token', TOKEN)
    const balance = async () =>
      BigInt(
        await chain.call<string>('eth_call', [
          { to: token.address, data: encode('token', 'balanceOf', [account.address]) },
          'latest',
        ]),
      )
    // The account needs a balance first, so that a transaction can take more than it brings.
    await lend([pay(account.address, 1_000_000n)])
    await chain.mine()
    let kept = 1_000_000n
    let held = await balance()
    for (let block = 0; block < 25; block++) {
      const calls = Array.from({ length: random.int(1, 6) }, () => {
        const units = BigInt(random.int(1, 50))
        const to = random.chance(0.2) ? account.address : lender.address
        return random.chance(0.5) ? pay(account.address, units) : asAccount(pay(to, units))
      })
      await lend(calls)
      await chain.mine()
      const now = await balance()
      if (now > held) kept += now - held
      held = now
    }
    await world.mineAndFollow(2)
    expect((await world.transfers()).reduce((sum, one) => sum + BigInt(one.amount), 0n)).toBe(kept)
    expect((await checkLedger(world.ctx.pool)).differences).toEqual([])
  })
})
