import { describe, expect, test } from 'vitest'
import { beginRun, getReport } from '../../../src/domain/blocks/index.ts'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { reconcileRun } from '../../../worker/chain/reconcile/reconcile-run.ts'
import { CHAIN_ID, USDC_ASSET } from '../../support/chain-facts.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { type Call, createLoops, LENT } from '../chain/support/loops.ts'
import { deploy, ETHER } from '../chain/support/payments.ts'
import { createReconciledWorld } from './support/world.ts'

const setUp = async () => {
  const chain = await startTestChain()
  const loops = await createLoops(chain)
  const setup = await createReconciledWorld({ chain, account: loops.account.address })
  return { ...setup, ...loops, address: loops.account.address }
}

const give = (to: string, wei: bigint): Call => [to, wei, '0x']

describe.skipIf(!hasAnvil)('money that leaves in the transaction that brought it', () => {
  test('is no difference: custody is what the account kept', async () => {
    const setup = await setUp()
    const { chain, lender, lend, pay, asAccount, address } = setup
    await setup.follow()
    const back = (units: bigint) => asAccount(pay(lender.address, units))
    const loan = await lend([pay(address, LENT / 2n), back(LENT / 2n)])
    await setup.record({ ...loan, from: address }, '500000000')
    await chain.mine()
    await lend([pay(address, 900n), pay(address, 50n), back(300n)])
    await chain.mine()
    // The account pays more than this transaction brings, out of its earlier balance.
    await lend([pay(address, 10n), back(60n)])
    const wei = await lend(
      [give(address, ETHER), asAccount(give(lender.address, ETHER - 7n))],
      ETHER,
    )
    await setup.record({ ...wei, from: address }, '1', 'ETH')
    await setup.mineAndReconcile(4)
    expect(await setup.differences()).toEqual([])
    expect((await setup.transfers()).map((one) => one.amount)).toEqual(['650', '7'])
    const custody = await setup.ctx.sql`
      select entry.asset_id, sum(entry.amount)::text as amount from ledger_entry entry
      join ledger_account account on account.id = entry.debit_account and account.kind = 'custody'
      where entry.asset_id = ${USDC_ASSET} group by entry.asset_id`
    expect(custody).toEqual([{ assetId: USDC_ASSET, amount: '650' }])
    expect((await checkLedger(setup.ctx.pool)).differences).toEqual([])
    // The report shows 650 received units and a balance of 600, because the third transaction
    // brought 10 and took 60.
    const report = await getReport(setup.world.as(setup.creator), { page: 1, limit: 20 })
    expect(report.items[0]?.assets).toMatchObject([
      { symbol: 'USDC', received: '0.00065', balance: '0.0006', custody: '0.00065' },
      { symbol: 'ETH', received: '0.000000000000000007', balance: null },
    ])
    // A comparison by full blocks must give the same result.
    const run = await beginRun(setup.ctx, {
      chainId: CHAIN_ID,
      from: 1,
      to: (await chain.head()) - 2,
    })
    const signal = new AbortController().signal
    const full = await reconcileRun({ ...setup.sync, depth: 'full' }, run, { signal })
    expect(full.run).toMatchObject({ status: 'finished', recovered: 0, differences: 0 })
  })

  test('is no difference where an account sent it to itself by a contract', async () => {
    const chain = await startTestChain()
    const own = chain.addressOf(6)
    const setup = await createReconciledWorld({ chain, account: own })
    const router = await deploy(chain, 'router')
    await setup.follow()
    const loop = await router.call(6, 'forward', [own], ETHER)
    await setup.record({ ...loop, from: own }, '1', 'ETH')
    await chain.mine()
    // The account gets a part of its payment back.
    await router.call(
      6,
      'split',
      [
        [own, chain.addressOf(7)],
        [ETHER / 4n, ETHER / 2n],
      ],
      ETHER,
    )
    await chain.send(await chain.sign(2, { to: own, value: 11n }))
    await setup.mineAndReconcile(4)
    await setup.follow()
    await setup.reconcile()
    expect(await setup.differences()).toEqual([])
    expect((await setup.transfers()).map((one) => one.amount)).toEqual(['11'])
    expect((await checkLedger(setup.ctx.pool)).differences).toEqual([])
  })

  test('over several transactions is received each time, and the balance says that it is gone', async () => {
    const setup = await setUp()
    const { chain, lender, lend, pay, asAccount, address } = setup
    await setup.follow()
    for (let loop = 0; loop < 2; loop++) {
      await lend([pay(address, LENT)])
      await lend([asAccount(pay(lender.address, LENT))])
      await chain.mine()
    }
    await setup.mineAndReconcile(3)
    expect(await setup.differences()).toEqual([])
    const report = await getReport(setup.world.as(setup.creator), { page: 1, limit: 20 })
    expect(report.items[0]?.assets).toMatchObject([
      { received: '2000000000', balance: '0', balanceBlock: (await chain.head()) - 2 },
    ])
  })

  test('that was credited in full is named once the blocks are compared again', async () => {
    const setup = await setUp()
    const { chain, ctx, lender, lend, pay, asAccount, address } = setup
    await setup.follow()
    await lend([pay(address, 900n), pay(address, 50n), asAccount(pay(lender.address, 300n))])
    await chain.mine()
    const at = await chain.head()
    await setup.follow()
    // Stores the amounts that an earlier version, which did not have this rule, would have stored.
    await ctx.sql`update chain_transfer set amount = 900`
    await ctx.sql`
      insert into chain_transfer (id, chain_id, tx_hash, position, asset_id, sender, recipient,
        amount, source, block_number, block_hash, mined_at, seen_at)
      select gen_random_uuid(), chain_id, tx_hash, 1, asset_id, sender, recipient, 50, source,
        block_number, block_hash, mined_at, seen_at from chain_transfer`
    await setup.mineAndReconcile(3)
    const found = await setup.differences()
    expect(found.map((one) => [one.kind, one.blockNumber, one.expected, one.actual])).toEqual(
      expect.arrayContaining([
        ['transfer_differs', at, '900', '650'],
        ['transfer_unknown', at, '50', '0'],
      ]),
    )
    expect(found).toHaveLength(2)
    expect(found.map((one) => one.note).join(' ')).toMatch(/holds no counted transfer/)
  })
})
