import { expect, test } from 'vitest'
import {
  acknowledgeDifference,
  checkAcknowledgements,
  countOpenDifferences,
  openDifference,
} from '../../../src/domain/blocks/index.ts'
import { address, CHAIN_ID, startChain, txHash, USDC_ASSET } from '../../support/chain-facts.ts'
import { createTestCampaign, createUser, createWorld } from '../../support/world.ts'

/** A difference of a transfer whose stored sender is wrong, but whose amount is right. */
const differing = async () => {
  const { ctx } = await createWorld()
  const account = address('campaign')
  const campaignId = await createTestCampaign(ctx, { creator: await createUser(ctx), account })
  await startChain(ctx)
  const found = {
    kind: 'transfer_differs' as const,
    campaignId,
    account,
    assetId: USDC_ASSET,
    blockNumber: 1,
    firstBlock: 1,
    blockHash: txHash('block'),
    txHash: txHash('paid'),
    expected: 5n,
    actual: 5n,
    note: 'The sender differs.',
  }
  await openDifference(ctx, CHAIN_ID, found)
  const [row] = await ctx.sql<{ id: string }[]>`select id from ledger_difference`
  return { ctx, found, id: row?.id ?? '' }
}

test.for([
  ['note', { note: 'The block differs.' }],
  ['block', { blockHash: txHash('another block') }],
  ['first block', { firstBlock: 0 }],
] as const)(
  'an acknowledgement ends when the %s changes, and the new one is stored',
  async ([, change]) => {
    const { ctx, found, id } = await differing()
    await acknowledgeDifference(ctx, id, 'A known fault.')
    await openDifference(ctx, CHAIN_ID, found)
    expect(await countOpenDifferences(ctx.sql)).toBe(0)
    await openDifference(ctx, CHAIN_ID, { ...found, ...change })
    expect(await countOpenDifferences(ctx.sql)).toBe(1)
    const { note, blockHash, firstBlock } = { ...found, ...change }
    expect(await ctx.sql`select * from ledger_difference`).toMatchObject([
      { id, note, blockHash, firstBlock, acknowledgement: null, acknowledgementJws: null },
    ])
  },
)

test('an acknowledgement of the books stays when they are compared at a later block', async () => {
  const { ctx, found } = await differing()
  await ctx.sql`delete from ledger_difference`
  const books = { ...found, kind: 'escrow' as const, txHash: null }
  await openDifference(ctx, CHAIN_ID, books)
  const [row] = await ctx.sql<{ id: string }[]>`select id from ledger_difference`
  await acknowledgeDifference(ctx, row?.id ?? '', 'A known fault.')
  const later = { blockNumber: 7, firstBlock: 7, blockHash: txHash('later') }
  await openDifference(ctx, CHAIN_ID, { ...books, ...later })
  expect(await countOpenDifferences(ctx.sql)).toBe(0)
  expect(await checkAcknowledgements(ctx.sql)).toEqual([])
})

test('an acknowledgement signs where the difference is, and what it is', async () => {
  const { ctx, id } = await differing()
  await acknowledgeDifference(ctx, id, 'A known fault.')
  expect(await checkAcknowledgements(ctx.sql)).toEqual([])
  for (const [column, value] of [
    ['note', "'x'"],
    ['block_number', '2'],
    ['first_block', '0'],
    ['block_hash', "'x'"],
    ['tx_hash', 'null'],
    ['campaign_id', 'null'],
  ] as const) {
    const [before] = await ctx.sql.unsafe(`select ${column}::text as old from ledger_difference`)
    await ctx.sql.unsafe(`update ledger_difference set ${column} = ${value}`)
    expect(await checkAcknowledgements(ctx.sql), column).toMatchObject([{ id }])
    const type = column.endsWith('_id')
      ? 'uuid'
      : column.includes('k_n') || column === 'first_block'
        ? 'bigint'
        : column.endsWith('_hash')
          ? 'bytea'
          : 'text'
    await ctx.sql.unsafe(`update ledger_difference set ${column} = $1::text::${type}`, [
      before?.old,
    ])
  }
  expect(await checkAcknowledgements(ctx.sql)).toEqual([])
})

test('an acknowledgement of an earlier version is named, and can be signed again, also when resolved', async () => {
  const { ctx, id } = await differing()
  await acknowledgeDifference(ctx, id, 'A known fault.')
  await ctx.sql`update ledger_difference set acknowledgement_jws = 'old', resolved_at = now()`
  expect(await checkAcknowledgements(ctx.sql)).toMatchObject([{ id }])
  await acknowledgeDifference(ctx, id, 'A known fault.')
  expect(await checkAcknowledgements(ctx.sql)).toEqual([])
})

test('nothing is acknowledged while a restore is not confirmed, because nothing may be signed', async () => {
  const { ctx, found, id } = await differing()
  await ctx.sql`
    insert into lost_head (global_head, campaign_id, seq, head, key_id, sealed_at)
    values (${txHash('global')}, ${found.campaignId}, 9, ${txHash('head')}, 'k', now())`
  await expect(acknowledgeDifference(ctx, id, 'A known fault.')).rejects.toThrow(
    'The ledger was restored, so nothing is signed. Confirm the restore first',
  )
  expect(await ctx.sql`select * from ledger_difference`).toMatchObject([{ acknowledgement: null }])
})

test.for([
  ['a line break', 'one\ntwo'],
  ['a character that turns the text', 'one\u202etwo'],
  ['a zero', 'one\u0000two'],
  ['too many characters', 'x'.repeat(1_001)],
] as const)('a reason with %s is refused', async ([, reason]) => {
  const { ctx, id } = await differing()
  await expect(acknowledgeDifference(ctx, id, reason)).rejects.toMatchObject({
    code: 'invalid_input',
  })
})
