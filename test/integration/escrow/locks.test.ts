import { describe, expect, test } from 'vitest'
import type { Context } from '../../../src/db/context.ts'
import { recordEscrowEvents } from '../../../src/domain/blocks/follow-escrow/record-events.ts'
import {
  changeCampaign,
  deleteDraft,
  deleteDraftsOf,
  proveAccount,
} from '../../../src/domain/campaigns/index.ts'
import { requireMilestone } from '../../../src/domain/campaigns/milestone/milestone-row.ts'
import { lockChainRow } from '../../../src/domain/shared/index.ts'
import { blockHash, CHAIN_ID, minedAt, startChain, txHash } from '../../support/chain-facts.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { waitForLock } from '../../support/wait-for.ts'
import { type CampaignAnswer, createPlanningWorld, startFactoryChain } from './support/planned.ts'

type Draft = { id: string; creatorId: string; account: string }

/** Runs one transaction without a retry, so that a deadlock fails the test. */
const once = <T>(ctx: Context, work: (ctx: Context) => Promise<T>) =>
  ctx.pool.begin((sql) => work({ ...ctx, sql, afterCommit: [] }))

/** Records that a block contains a transaction of the escrow. */
const record = (ctx: Context, { account }: Draft, tx: string, block: number) =>
  recordEscrowEvents(ctx, CHAIN_ID, [
    {
      ...{ kind: 'Activated', fields: { balance: '0' }, account },
      ...{ txHash: txHash(tx), position: 0 },
      ...{ blockNumber: block, blockHash: blockHash(block), minedAt: minedAt(block) },
    },
  ])

describe.skipIf(!hasAnvil)('a block with events never waits in a circle with a draft that', () => {
  test.each<[string, (ctx: Context, draft: Draft) => Promise<unknown>]>([
    ['opens', (ctx, { id }) => changeCampaign(ctx, id, { status: 'active' })],
    [
      'changes',
      (ctx, { id }) =>
        changeCampaign(ctx, id, {
          ...{ slug: 'w', targetAmount: '2000' },
          milestones: [{ description: 'Dig', amount: '2000' }],
        }),
    ],
    ['is deleted', (ctx, { id }) => deleteDraft(ctx, id)],
    ['is deleted with its user', (ctx, { creatorId }) => deleteDraftsOf(ctx, creatorId)],
    [
      'opens with the proof of its account',
      (ctx, { id, account }) => proveAccount(ctx, id, { account, chainId: CHAIN_ID }),
    ],
  ])('%s', async (_, work) => {
    const chain = await startFactoryChain()
    const world = await createPlanningWorld({ chain, clock: createFakeClock(minedAt(1)) })
    const made = (await world.create({}, { status: 'draft' })).body.campaign as CampaignAnswer
    const account = made.ledger_account.toLowerCase()
    const draft = { id: made._id, creatorId: world.creator.userId, account }
    const [milestone] = await world.ctx.sql<{ id: string }[]>`select id from milestone`
    await world.ctx.sql`update campaign set opens_when_proven = true`
    await startChain(world.ctx)
    await record(world.ctx, draft, 'first', 1)
    let other: Promise<unknown> = Promise.resolve()
    await once(world.ctx, async (ctx) => {
      await lockChainRow(ctx, CHAIN_ID)
      await record(ctx, draft, 'first', 2)
      other = once(world.ctx, (ctx) => work(ctx, draft))
      other.catch(() => {})
      await waitForLock(world.ctx.pool)
      await record(ctx, draft, 'second', 2)
      await requireMilestone(ctx, milestone?.id ?? '', { lock: true })
    })
    await expect(other).resolves.not.toThrow()
  })
})
