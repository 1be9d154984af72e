import { expect, test } from 'vitest'
import { refundCall } from '../../../src/escrow/calls.ts'
import { applyBlock, startChain } from '../../support/chain-facts.ts'
import { finalise } from '../../support/finalise.ts'
import { createEscrowWorld, RECIPIENT } from '../escrow/support/escrow-world.ts'
import { createVerifier } from '../milestones/support/verified-world.ts'
import { createTestPages, pagesOf } from './support/test-pages.ts'

const setUp = async () => {
  const world = await createEscrowWorld({ required: [1, 1] })
  const { visit } = await pagesOf(world)
  await world.ctx.sql`update campaign set slug = 'roof', title = 'A roof'`
  const words = async (path = '/c/roof/escrow') =>
    (await visit(path)).html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/[\s\u00a0]+/g, ' ')
  return { world, visit, words }
}

const ZERO = `0x${'0'.repeat(64)}`
const FAILED = {
  kind: 'Failed',
  fields: {
    reason: 'cancelled',
    pool: '70000000',
    total: '70000000',
    recorded: '0',
    reasonHash: ZERO,
  },
} as const

test('shows the terms of an escrow and the transactions that can be sent, not the cancellation', async () => {
  const { words, visit, world } = await setUp()
  const page = await words()
  expect(page).toContain('The escrow collects money.')
  expect(page).toContain('Verifiers needed to end the campaign or to sign returns 2 of 3')
  expect(page).toContain('One verifier alone can release 70 USDC, with a signature for each')
  expect(page).toContain('Put the contract on the chain')
  expect(page).toContain('No node could try it now.')
  expect(page).not.toContain('Cancel the campaign')
  const { html } = await visit('/c/roof/escrow')
  const [, props = ''] = /data-island="send" data-props="([^"]+)"/.exec(html) ?? []
  expect(JSON.parse(props.replaceAll('&quot;', '"'))).toMatchObject({
    chain: { id: 31337 },
    from: null,
  })
  expect(await words('/c/roof')).toContain('Locked 0 USDC')
  const moved = await visit(`/c/${world.campaignId}/escrow`)
  expect([moved.status, moved.location]).toEqual([301, '/c/roof/escrow'])
})

test('offers the release of a verified milestone to all visitors', async () => {
  const { words, visit, world } = await setUp()
  const verifier = await createVerifier(world, 1)
  await world.give(70n)
  await world.settled({ kind: 'Activated', fields: { balance: '70000000' } })
  expect(await words()).not.toContain('Release: ')
  await world.decide(verifier)
  expect(await words()).toContain('Release: Step 1')
  const { html } = await visit('/c/roof')
  const [, link = ''] = /href="(\/c\/roof\/escrow#[^"]+)"/.exec(html) ?? []
  expect((await visit('/c/roof/escrow')).html).toContain(`id="${link.split('#')[1]}"`)
})

test('shows as locked what the contract holds after the payments since the last comparison', async () => {
  const { words, world } = await setUp()
  const { ctx, account, terms } = world
  await ctx.sql`
    insert into account_balance (chain_id, account, asset_id, block_number, block_hash, balance,
                                 checked_at)
    select chain_id, account, currency_id, 0, '0x', 0, now() from campaign
    where account = ${account}`
  await world.give(70n)
  await world.settled({
    kind: 'MilestoneReleased',
    fields: {
      ...{ milestone: 0, recipient: RECIPIENT, asset: terms.asset, amount: '30000000' },
      ...{ evidenceHash: ZERO, signers: [0] },
    },
  })
  expect(await words('/c/roof')).toContain('Locked 40 USDC')
})

test('says how donors get their money back after a failure', async () => {
  const { words, world } = await setUp()
  await world.give(70n)
  await world.settled(FAILED)
  const page = await words()
  expect(page).toContain('The creator cancelled the campaign.')
  expect(page).toContain(
    'For each refund, a person sends a transaction and pays the fee of the network.',
  )
  expect(page).toContain('Plain transfers also need signatures of verifiers.')
})

test('finds the refunds of an account that paid without a donation', async () => {
  const { words, visit, world } = await setUp()
  const { ctx, account, campaignId } = world
  const donor = `0x${'1a'.repeat(20)}`
  const search = (text: string) => `/c/roof/escrow?account=${text}`
  expect(await words(search(donor))).not.toContain('Find my refund')
  await startChain(ctx)
  await applyBlock(ctx, 1, [{ tx: 'plain', to: account, from: donor, usdc: 12_500_000n }])
  await finalise(ctx, 1)
  await world.settled({ kind: 'Donated', fields: { donor: RECIPIENT, payer: donor, amount: '1' } })
  await world.settled(FAILED)
  const plain = await words(search(donor))
  expect(plain).toContain('Plain transfer Needs signatures The contract did not record this')
  expect(plain).toContain('Signatures needed: 2.')
  expect(plain).toContain('Amount 12.50 USDC')
  expect(plain).not.toContain('Recorded donations')
  expect(await words(search(RECIPIENT))).toContain(
    'Recorded donations Can be sent The escrow gives',
  )
  const { html } = await visit(search(RECIPIENT))
  expect(html).toContain(refundCall(account, RECIPIENT).data)
  expect(html).toContain('data-island="send"')
  expect(await words(search(campaignId))).toContain('Enter the address of the wallet')
  expect(await words(search(`0x${'2b'.repeat(20)}`))).toContain('We know no refund')
  expect((await visit(search('roof'))).status).toBe(400)
})

test('takes no donation once the escrow records no more donors', async () => {
  const { visit, words, world } = await setUp()
  await world.ctx.sql`update milestone set status = 'released' where position = 0`
  expect(await words('/c/roof/donate')).toContain('takes no recorded donations any more')
  expect((await visit('/c/roof/donate')).html).not.toMatch(/<form[^>]*donate|data-island="donate"/)
  const form = { amount: '5', currency: 'USDC', wallet: RECIPIENT }
  expect((await visit('/c/roof/donate', { form })).status).toBe(409)
})

test('has no page for a campaign without an escrow', async () => {
  const { visit } = await createTestPages()
  expect((await visit('/c/roof/escrow')).status).toBe(404)
})
