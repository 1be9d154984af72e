import { expect, test } from 'vitest'
import { claimCall } from '../../../src/chain/escrow/calls.ts'
import { refundRoot } from '../../../src/chain/escrow/merkle.ts'
import { TOKEN } from '../../support/world.ts'
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
  expect(page).toContain('Verifiers needed to end the campaign 2 of 3')
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

test('says how donors get their money back after a failure', async () => {
  const { words, world } = await setUp()
  await world.give(70n)
  await world.settled(FAILED)
  const page = await words()
  expect(page).toContain('The creator cancelled the campaign.')
  expect(page).toContain('Still to be paid back 70 USDC')
  expect(page).toContain('No split is computed yet.')
})

test('finds the refunds of an account that paid without a donation', async () => {
  const { words, visit, world } = await setUp()
  const { ctx, campaignId, terms } = world
  const account = `0x${'1a'.repeat(20)}`
  const search = (text: string) => `/c/roof/escrow?account=${text}`
  expect(await words(search(account))).not.toContain('Find my refund')
  await world.settled(FAILED)
  const leaves = [{ asset: TOKEN, donor: account, amount: '12500000' }]
  const root = await refundRoot(leaves)
  await ctx.sql`
    insert into refund_root
      (campaign_id, index, root, data_hash, block_number, block_hash, leaves, created_at)
    values (${campaignId}, 0, ${root}, ${ZERO}, 9, ${ZERO}, ${ctx.sql.json(leaves)}, now())`
  expect(await words(search(account))).toContain('No refund of this account can be sent now.')
  const readyAt = terms.expiry
  await world.settled({
    kind: 'RootProposed',
    fields: { index: 0, root, dataHash: ZERO, readyAt },
  })
  expect(await words(search(account))).toContain('Refunds by it can be sent from')
  await world.setChainTime(readyAt)
  const page = await words(search(account))
  expect(page).toContain('Plain transfers 12.50 USDC The escrow gives your money back.')
  const { html } = await visit(search(account))
  const call = { asset: TOKEN, donor: account, cumulative: 12_500_000n, proof: [] }
  expect(html).toContain(claimCall(world.account, call).data)
  expect(html).toContain('data-island="send"')
  expect(await words(search(RECIPIENT))).toContain('No refund of this account')
  expect(await words(search('roof'))).toContain('Enter the address of the wallet')
  expect((await visit(search('roof'))).status).toBe(400)
})

test('has no page for a campaign without an escrow', async () => {
  const { visit } = await createTestPages()
  expect((await visit('/c/roof/escrow')).status).toBe(404)
})
