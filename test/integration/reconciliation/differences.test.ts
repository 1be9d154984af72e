import { describe, expect, test } from 'vitest'
import {
  acknowledgeDifference,
  checkAcknowledgements,
  countOpenDifferences,
} from '../../../src/domain/blocks/index.ts'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { eventData } from '../../../src/outbox/events.ts'
import { CHAIN_ID, ETH_ASSET, txHash, USDC_ASSET } from '../../support/chain-facts.ts'
import { makeUpDonation } from '../../support/made-up.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { createReconciledWorld } from './support/world.ts'

/** A campaign with one donation of 5 USDC, followed and compared. */
const donated = async () => {
  const setup = await createReconciledWorld()
  await setup.follow()
  const signed = await setup.chain.send(await setup.chain.signToken(1, setup.account, 5_000_000n))
  const donationId = await setup.record(signed, '5')
  const blockNumber = await setup.chain.mine(1)
  await setup.mineAndFollow(4)
  return { ...setup, signed, blockNumber, donationId }
}

const makeUpTransfer = (
  { ctx }: Awaited<ReturnType<typeof donated>>,
  position: number,
  source: string,
  assetId: string,
) => ctx.sql`
  insert into chain_transfer (id, chain_id, tx_hash, position, asset_id, sender, recipient,
                              amount, source, block_number, block_hash, mined_at, seen_at)
  select gen_random_uuid(), chain_id, ${txHash('made up')}, ${position}, ${assetId}, sender,
         recipient, 7000000, ${source}, block_number, block_hash, mined_at, seen_at
  from chain_transfer`

describe.skipIf(!hasAnvil)('what does not add up', () => {
  test('nothing, as long as everything is right', async () => {
    const setup = await donated()
    await setup.reconcile()
    await setup.reconcile()
    expect(await setup.differences()).toEqual([])
    expect(await setup.events()).toEqual([])
    expect(await setup.raised()).toBe('5000000')
  })

  test('an invented transfer row is a difference until it is gone', async () => {
    const setup = await donated()
    const { ctx, blockNumber, account, campaignId } = setup
    await ctx.sql`
      insert into chain_transfer (id, chain_id, tx_hash, position, asset_id, sender, recipient,
                                  amount, source, block_number, block_hash, mined_at, seen_at)
      select gen_random_uuid(), chain_id, ${txHash('invented')}, 0, asset_id, sender, recipient,
             7000000, source, block_number, block_hash, mined_at, seen_at
      from chain_transfer`
    await setup.reconcile()
    const [unknown, ...others] = await setup.differences()
    expect(unknown).toMatchObject({
      kind: 'transfer_unknown',
      campaignId,
      account,
      assetId: USDC_ASSET,
      blockNumber: blockNumber,
      txHash: txHash('invented'),
      expected: '7000000',
      actual: '0',
      resolvedAt: null,
    })
    // The invented transfer has no ledger entry either, so custody differs too.
    expect(others).toMatchObject([{ kind: 'custody', expected: '5000000', actual: '12000000' }])
    await ctx.sql`delete from chain_transfer where tx_hash = ${txHash('invented')}`
    await setup.reconcile()
    const after = await setup.differences()
    expect(after.map(({ resolvedAt }) => resolvedAt === null)).toEqual([false, false])
    expect(after[0]?.resolution).toBe('Compared again: the difference is gone.')
  })

  test('a stored amount that the chain contradicts is a difference', async () => {
    const setup = await donated()
    await setup.ctx.sql`update chain_transfer set amount = amount + 1`
    await setup.reconcile()
    expect(await setup.differences()).toMatchObject([
      { kind: 'transfer_differs', expected: '5000001', actual: '5000000' },
      { kind: 'custody', expected: '5000000', actual: '5000001' },
    ])
    expect((await setup.differences())[0]?.note).toContain(
      '5.000001 USDC is stored, the chain says 5 USDC',
    )
    await setup.ctx.sql`update chain_transfer set amount = amount - 1`
    await setup.reconcile()
    expect((await setup.differences()).every(({ resolvedAt }) => resolvedAt)).toBe(true)
  })

  test.each([
    ['sender', "sender = '0x0000000000000000000000000000000000000007'", 'it is stored as sent by'],
    ['block number', 'block_number = block_number - 1', 'it is stored in block'],
    ['block hash', "block_hash = '0x07'", 'it is stored in block'],
    ['time', "mined_at = mined_at - interval '1 hour'", 'it is stored as mined at'],
  ])('a stored %s that the chain contradicts is a difference', async (_what, set, words) => {
    const setup = await donated()
    await setup.ctx.pool.unsafe(`update chain_transfer set ${set}`)
    await setup.reconcile()
    const [found, ...others] = await setup.differences()
    expect(others).toEqual([])
    expect(found).toMatchObject({ kind: 'transfer_differs', txHash: setup.signed.hash })
    expect(found?.note).toContain(words)
  })

  test('a donation that was made up with everything but its payment is a difference', async () => {
    const setup = await donated()
    await setup.ctx.pool.begin(async (sql) => {
      for (const statement of makeUpDonation(setup.donationId, txHash('made up'))) {
        await sql.unsafe(statement)
      }
    })
    expect((await checkLedger(setup.ctx.pool)).differences).toEqual([])
    await setup.reconcile()
    expect(await setup.differences()).toMatchObject([
      { kind: 'transfer_unknown', txHash: txHash('made up'), expected: '1000000000', actual: '0' },
    ])
  })

  test.each([
    ['a log', 0, 'log', USDC_ASSET],
    ['a log, called a payment by calls', 0, 'trace', USDC_ASSET],
    ['a value', -1, 'value', ETH_ASSET],
  ])(
    'a transfer that was made up is unknown to its block (%s)',
    async (_what, position, source, asset) => {
      const setup = await donated()
      await makeUpTransfer(setup, position, source, asset)
      await setup.reconcile()
      expect((await setup.differences()).map(({ kind }) => kind)).toContain('transfer_unknown')
    },
  )

  test('a payment by calls that was made up is a difference of the balance', async () => {
    const setup = await donated()
    await makeUpTransfer(setup, -2, 'trace', ETH_ASSET)
    await setup.reconcile()
    expect(await setup.differences()).toContainEqual(
      expect.objectContaining({
        kind: 'balance',
        assetId: ETH_ASSET,
        blockNumber: setup.blockNumber,
      }),
    )
  })

  test('a total that was changed by hand is named once, with one event for administrators, and resolved when it is mended', async () => {
    const setup = await donated()
    const { ctx, campaignId, account, metrics } = setup
    await ctx.sql`update campaign_total set raised = raised + 1000000`
    await setup.reconcile()
    await setup.reconcile()
    const [difference, ...others] = await setup.differences()
    expect(others).toEqual([])
    expect(difference).toMatchObject({
      kind: 'current_amount',
      campaignId,
      expected: '5000000',
      actual: '6000000',
      resolvedAt: null,
    })
    const gauge = () => metrics.value('fundproof_ledger_differences_open', { chain: CHAIN_ID })
    expect(gauge()).toBe(1)
    const events = await setup.events()
    expect(events).toHaveLength(1)
    expect(events[0]).toMatchObject({ campaignId, audience: [] })
    const envelope = JSON.parse(events[0]?.body ?? '{}') as { data: unknown }
    expect(eventData['reconciliation.difference'].parse(envelope.data)).toMatchObject({
      differenceId: difference?.id,
      campaignId,
      kind: 'current_amount',
      chainId: CHAIN_ID,
      account,
      asset: USDC_ASSET,
      expected: '5',
      actual: '6',
    })

    await ctx.sql`update campaign_total set raised = raised + 500000`
    await setup.reconcile()
    expect(await setup.differences()).toMatchObject([{ actual: '6500000', resolvedAt: null }])
    await ctx.sql`update campaign_total set raised = raised - 1500000`
    await setup.reconcile()
    expect(await setup.differences()).toMatchObject([
      { resolution: 'Recomputed: the difference is gone.' },
    ])
    expect(gauge()).toBe(0)
    expect(await setup.events()).toHaveLength(1)
  })

  test('a difference that an operator acknowledges is listed, signed, and out of the alert until its amounts change', async () => {
    const setup = await donated()
    const { ctx, metrics } = setup
    const gauge = () => metrics.value('fundproof_ledger_differences_open', { chain: CHAIN_ID })
    await ctx.sql`update campaign_total set raised = raised + 777`
    await setup.reconcile()
    const id = (await setup.differences())[0]?.id ?? ''
    await expect(acknowledgeDifference(ctx, id, '  ')).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await expect(acknowledgeDifference(ctx, 'none', 'x')).rejects.toMatchObject({
      code: 'not_found',
    })
    await acknowledgeDifference(ctx, id, 'The token pays interest.')
    await setup.reconcile()
    expect(await setup.differences()).toMatchObject([
      { id, actual: '5000777', acknowledgement: 'The token pays interest.', resolvedAt: null },
    ])
    expect(await countOpenDifferences(ctx.sql)).toBe(0)
    expect(gauge()).toBe(0)
    expect(await checkAcknowledgements(ctx.sql)).toEqual([])

    // A change of the stored amount makes a new difference, which raises the alert.
    await ctx.sql`update chain_transfer set amount = amount + 1`
    await setup.reconcile()
    expect(gauge()).toBeGreaterThan(0)
    await ctx.sql`update chain_transfer set amount = amount - 1`
    await setup.reconcile()
    expect(gauge()).toBe(0)

    const change = (to: string) =>
      ctx.sql.unsafe(`update ledger_difference set ${to} where acknowledged_at is not null`)
    for (const [to, back] of [
      ["acknowledgement = 'x'", "acknowledgement = 'The token pays interest.'"],
      ['actual = actual + 1', 'actual = actual - 1'],
      ['expected = expected + 1', 'expected = expected - 1'],
      ["kind = 'credits'", "kind = 'current_amount'"],
    ] as const) {
      await change(to)
      const what = 'acknowledgement of difference'
      expect(await checkAcknowledgements(ctx.sql)).toMatchObject([{ what, id }])
      await change(back)
    }
    expect(await checkAcknowledgements(ctx.sql)).toEqual([])

    await ctx.sql`update campaign_total set raised = raised + 1`
    await setup.reconcile()
    expect((await setup.differences())[0]).toMatchObject({
      actual: '5000778',
      acknowledgement: null,
    })
    expect(gauge()).toBe(1)
  })

  test('a ledger entry that no transfer stands behind is a difference of custody', async () => {
    const setup = await donated()
    await setup.ctx.sql`
      insert into ledger_entry (kind, debit_account, credit_account, asset_id, amount, campaign_id,
                                created_at)
      select 'deposit', debit_account, credit_account, asset_id, 1, campaign_id, now()
      from ledger_entry where kind = 'donation'`
    await setup.reconcile()
    const found = await setup.differences()
    expect(found.map(({ kind, expected, actual }) => [kind, expected, actual])).toContainEqual([
      'custody',
      '5000001',
      '5000000',
    ])
    expect(found.map(({ kind }) => kind)).toContain('current_amount')
    expect(found.map(({ kind }) => kind)).toContain('credits')
  })

  test('a token whose balances move without a log is found out', async () => {
    const setup = await donated()
    const { chain, account } = setup
    await setup.reconcile()
    await chain.mine(10)
    const mapping = await storageSlotOf(setup)
    await chain.call('anvil_setStorageAt', [
      USDC_ASSET.split(':').at(-1),
      mapping,
      `0x${4_000_000n.toString(16).padStart(64, '0')}`,
    ])
    // Anvil changes the state of its newest block, so the difference is in this block.
    const at = await chain.head()
    await setup.mineAndFollow(10)
    await setup.reconcile()
    expect(await setup.differences()).toMatchObject([
      {
        kind: 'balance',
        assetId: USDC_ASSET,
        account,
        blockNumber: at,
        expected: '5000000',
        actual: '4000000',
      },
    ])
  })
})

/** The storage slot in which the test token keeps the balance of the campaign's account. */
const storageSlotOf = async ({
  chain,
  account,
}: Awaited<ReturnType<typeof donated>>): Promise<string> => {
  const { keccak256 } = await import('ethers')
  const token = USDC_ASSET.split(':').at(-1)
  for (let slot = 0; slot < 12; slot++) {
    const key = keccak256(
      `0x${account.slice(2).padStart(64, '0')}${slot.toString(16).padStart(64, '0')}`,
    )
    const held = await chain.call<string>('eth_getStorageAt', [token, key, 'latest'])
    if (BigInt(held) === 5_000_000n) return key
  }
  throw new Error('The token keeps its balances somewhere else.')
}
