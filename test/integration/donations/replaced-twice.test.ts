import { expect, test } from 'vitest'
import { applyReplacements } from '../../../src/domain/blocks/index.ts'
import { blockHash, CHAIN_ID, observed, txHash } from '../../support/chain-facts.ts'
import { ACCOUNT, createSettledWorld } from './support/settled-world.ts'

test('two recorded transactions of one nonce that a third replaces do not stop the others', async () => {
  const { ctx, record, block } = await createSettledWorld()
  for (const tx of ['first', 'second']) await record(tx, '5')
  await block(1, [{ tx: 'third', to: ACCOUNT, usdc: 5_000_000n, claimed: false }])
  await ctx.sql`update chain_state set finalized_number = 1`
  const applied = await applyReplacements(
    ctx,
    CHAIN_ID,
    { number: 1, hash: blockHash(1) },
    ['first', 'second'].map((tx) => ({ txHash: txHash(tx), by: txHash('third') })),
    observed(1, [{ tx: 'third', to: ACCOUNT, usdc: 5_000_000n }]),
  )
  expect(applied).toBe(true)
  expect(
    await ctx.sql`select tx_hash, status, reason, replaced_by from donation order by created_at, id`,
  ).toMatchObject([
    { txHash: txHash('third'), status: 'confirming', reason: 'waiting_for_finality' },
    { status: 'confirming', reason: 'transfer_already_claimed', replacedBy: txHash('third') },
  ])
})
