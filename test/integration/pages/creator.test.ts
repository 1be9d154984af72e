import { expect, test } from 'vitest'
import { readCreator } from '../../../src/domain/campaigns/index.ts'
import { toChecksumAddress } from '../../../src/kernel/formats/address.ts'
import { address } from '../../support/chain-facts.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { createTestCampaign, createUser, createWorld } from '../../support/world.ts'
import { createEscrowWorld, RECIPIENT } from '../escrow/support/escrow-world.ts'

const PROVEN = new Date('2026-03-03T09:00:00Z')

test('knows of a creator what is proven, and the earlier campaigns that have ended', async () => {
  const { ctx } = await createWorld()
  const creator = await createUser(ctx)
  const of = (account: string, who = creator) =>
    createTestCampaign(ctx, { creator: who, account: address(account), milestones: ['400', '600'] })
  const [id, ended] = [await of('now'), await of('ended')]
  await of('open')
  await of('of a stranger', await createUser(ctx))
  const never = await of('never opened')
  await ctx.sql`
    update campaign set status = 'cancelled', never_opened = true where id = ${never}`
  await ctx.sql`update campaign set status = 'completed', title = 'A well' where id = ${ended}`
  await ctx.sql`update campaign_total set raised = 1000000000 where campaign_id = ${ended}`
  await ctx.sql`
    update milestone set status = 'verified' where campaign_id = ${ended} and position = 0`
  expect(await readCreator(ctx, id)).toEqual({
    name: null,
    since: expect.any(Date),
    account: toChecksumAddress(address('now')),
    provenAt: null,
    earlier: [
      {
        ...{ title: 'A well', slug: ended, status: 'completed' },
        ...{ raised: { value: '1000', currency: 'USDC' }, milestones: 2, verified: 1 },
      },
    ],
  })
  await ctx.sql`
    update campaign set creator_name = 'Bako', account_proven_at = ${PROVEN} where id = ${id}`
  expect(await readCreator(ctx, id)).toMatchObject({ name: 'Bako', provenAt: PROVEN })
})

test('proves the recipient of an escrow only by a wallet that the creator has linked', async () => {
  const { ctx, campaignId } = await createEscrowWorld()
  await ctx.sql`update campaign set account_proven_at = ${PROVEN}`
  const account = toChecksumAddress(RECIPIENT)
  expect(await readCreator(ctx, campaignId)).toMatchObject({ account, provenAt: null })
  const [row] = await ctx.sql<{ creatorId: string }[]>`select creator_id from campaign`
  await linkWallet({ ctx }, (await createUser(ctx)).userId, RECIPIENT)
  expect(await readCreator(ctx, campaignId)).toMatchObject({ provenAt: null })
  await ctx.sql`update wallet set user_id = ${row?.creatorId ?? ''}, created_at = ${PROVEN}`
  expect(await readCreator(ctx, campaignId)).toMatchObject({ account, provenAt: PROVEN })
})
