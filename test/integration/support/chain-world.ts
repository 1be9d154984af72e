import { expect } from 'vitest'
import type { ChainClientOptions } from '../../../src/chain/chain-client.ts'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { getDonation } from '../../../src/domain/donations/index.ts'
import type { Actor } from '../../../src/kernel/actor.ts'
import { formatUnits } from '../../../src/kernel/money/money.ts'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createCheckDonationsJob } from '../../../worker/jobs/check-donations.ts'
import { address } from '../../support/chain-facts.ts'
import { createChainSync } from '../../support/chain-sync.ts'
import { recordDonation } from '../../support/donate.ts'
import { eventTypes } from '../../support/event-types.ts'
import { type Signed, startTestChain, type TestChain } from '../../support/test-chain.ts'
import {
  createTestCampaign,
  createUser,
  createWorld,
  type NewCampaign,
  TEST_CHAIN,
  type World,
  type WorldOptions,
} from '../../support/world.ts'

export const ACCOUNT = address('campaign')

type User = Actor & { kind: 'user' }
type Claim = {
  campaignId?: string
  value?: string
  currency?: string
  ledgerAddress?: string
  logPosition?: number | 'native' | undefined
  user?: User
}
type ChainWorldOptions = WorldOptions & {
  chain?: TestChain
  /** URLs of nodes. Default: the node of the chain. */
  rpc?: readonly string[]
  campaign?: Partial<NewCampaign>
  /** Further settings of the chain. */
  config?: object
  client?: Partial<ChainClientOptions>
  /** The world of the database. Default: a new world. */
  world?: World
}

export type ChainWorld = Awaited<ReturnType<typeof createChainWorld>>

/** A campaign on a real chain, its donor, and the worker's jobs that follow the chain. */
export const createChainWorld = async (options: ChainWorldOptions = {}) => {
  const { rpc, campaign, config, client, ...worldOptions } = options
  const chain = options.chain ?? (await startTestChain())
  const world = options.world ?? (await createWorld(worldOptions))
  const { ctx } = world
  const creator = await createUser(ctx)
  const donor = await createUser(ctx)
  const account = campaign?.account ?? ACCOUNT
  const open = (change: Partial<NewCampaign> = {}) =>
    createTestCampaign(ctx, { creator, account, ...campaign, ...change })
  const campaignId = await open()
  const settings = options.chains?.[0] ?? TEST_CHAIN
  const nodes = [...(rpc ?? [chain.url])]
  const sync = createChainSync(
    ctx,
    {
      ...{ ...settings, tokens: [...settings.tokens], name: 'test', rpc: nodes, startBlock: 0 },
      ...config,
    },
    client,
  )
  const checks = createCheckDonationsJob(sync)
  const due = () => ctx.sql`
    update donation set next_check_at = ${ctx.clock.now()} where next_check_at is not null`
  const follow = () => syncChain(sync, new AbortController().signal)
  /** Records a donation, by default of 5 USDC to the first campaign. Returns its id. */
  const record = async (signed: Pick<Signed, 'hash' | 'from'>, claim: Claim = {}) => {
    const { logPosition, user = donor, value = '5', currency = 'USDC' } = claim
    const { donation } = await recordDonation(world.as(user), {
      campaignId: claim.campaignId ?? campaignId,
      amount: { value, currency },
      transaction: {
        txHash: signed.hash,
        ledgerAddress: claim.ledgerAddress ?? signed.from,
        ...(logPosition === undefined ? {} : { logPosition }),
      },
    })
    return donation.id
  }
  /** Sends base units of USDC from a development account to the campaign. Does not mine. */
  const pay = async (index: number, units = 5_000_000n): Promise<Signed> =>
    chain.send(await chain.signToken(index, account, units))
  return {
    ...{ chain, world, ctx, creator, donor, account, open, campaignId, sync, checks, due },
    ...{ follow, record, pay },
    mineAndFollow: async (blocks = 1) => {
      await chain.mine(blocks)
      await follow()
    },
    /** Pays, and records the payment as a donation of the donor. */
    give: async (index: number, units = 5_000_000n): Promise<Signed & { id: string }> => {
      const paid = await pay(index, units)
      return { ...paid, id: await record(paid, { value: formatUnits(units, 6) }) }
    },
    /** Looks up the transaction of every waiting donation. */
    lookUp: async () => {
      await due()
      await checks.run()
    },
    read: (id: string) => getDonation(world.as(donor), id),
    /** The status and the reason of every donation, oldest first. */
    donations: async () =>
      (
        await ctx.sql<{ status: string; reason: string }[]>`
          select status, reason from donation order by created_at, id`
      ).map((row) => [row.status, row.reason]),
    statuses: async () =>
      (
        await ctx.sql<{ status: string }[]>`select status from donation order by created_at, id`
      ).map((row) => row.status),
    /** `current_amount` in base units. Fails if the ledger has another amount. */
    raised: async (id = campaignId) => {
      expect((await checkLedger(ctx.pool)).differences).toEqual([])
      const [row] = await ctx.sql<{ raised: string }[]>`
        select raised::text from campaign_total where campaign_id = ${id}`
      return row?.raised
    },
    events: () => eventTypes(ctx),
  }
}
