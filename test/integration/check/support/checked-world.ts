import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { createDatabase, type Database } from '../../../../src/db/client.ts'
import { advanceFinality, revertBlocks, settleBatch } from '../../../../src/domain/blocks/index.ts'
import { recordPrices } from '../../../../src/domain/books/index.ts'
import {
  changeCampaign,
  checkVerification,
  createCampaign,
  getVerification,
  verifyMilestone,
} from '../../../../src/domain/campaigns/index.ts'
import { checkDepositClaim, claimDeposit } from '../../../../src/domain/donations/index.ts'
import type { Actor } from '../../../../src/kernel/actor.ts'
import { createSealLedgerJob } from '../../../../worker/jobs/seal-ledger.ts'
import {
  address,
  applyBlock,
  blockHash,
  CHAIN_ID,
  minedAt,
  type Payment,
  startChain,
  txHash,
} from '../../../support/chain-facts.ts'
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts'
import { recordDonation, recordIntent } from '../../../support/donate.ts'
import { createFakeClock, type FakeClock } from '../../../support/fake-clock.ts'
import { createContext, createUser, TEST_CHAIN, type World } from '../../../support/world.ts'
import { createVerifier, EVIDENCE, signWith } from '../../milestones/support/verified-world.ts'
import { copyDatabase } from './copied-database.ts'

type User = Actor & { kind: 'user' }

export const OPTIONS = {
  chains: [{ ...TEST_CHAIN, feeds: [{ pair: 'ETH/USD' }] }],
  // The price of USDC in EUR is a third, which has no exact decimal text.
  prices: { 'USDC/USD': '1', 'EUR/USDC': '3' },
}
const USDC = 1_000_000n
const ETHER = 10n ** 18n

/**
 * The ids of rows by their names in tests. A donation or transfer has the name of its transaction.
 */
export type Ids = Readonly<Record<string, string>>

type Place = Omit<World, 'url'> & {
  clock: FakeClock
  ids: Record<string, string>
  creator: User
  donor: User
  owner: User
  height: number
}

/**
 * Builds, once for each file, a database with every kind of event that can happen to money. Each
 * test of the file gets a copy.
 */
export const useCheckedWorld = () => {
  let original: TestDatabase | undefined
  let ids: Ids = {}
  beforeAll(async () => {
    original = await createTestDatabase()
    const pool = createDatabase({ url: original.url, max: 2, name: 'test' })
    try {
      ids = await build(pool)
    } finally {
      await pool.end({ timeout: 1 })
    }
  })
  afterAll(() => original?.drop())
  return async () => {
    const { pool, ...database } = await copyDatabase(original)
    const { ctx } = await createContext(pool, { ...OPTIONS, clock: database.clock })
    return { ...database, ids, ctx }
  }
}

export type CheckedWorld = Awaited<ReturnType<ReturnType<typeof useCheckedWorld>>>

const build = async (pool: Database): Promise<Ids> => {
  const clock = createFakeClock(minedAt(0))
  const world = await createContext(pool, { ...OPTIONS, clock })
  const { ctx } = world
  const [creator, donor, owner] = [
    await createUser(ctx),
    await createUser(ctx),
    await createUser(ctx),
  ]
  await ctx.sql`
    insert into wallet (id, user_id, address, chain_id, method, created_at)
    values (gen_random_uuid(), ${owner.userId}, ${address('owner')}, ${CHAIN_ID}, 'ecdsa',
            ${clock.now()})`
  const place: Place = {
    ...world,
    ...{ clock, creator, donor, owner, height: 0 },
    ids: { creator: creator.userId, donor: donor.userId, owner: owner.userId },
  }
  await startChain(ctx)
  await createCampaigns(place)
  await giveToWells(place)
  await release(place)
  await giveInOtherCurrencies(place)
  await reorganise(place)
  await leaveOpen(place)
  clock.advance(60_000)
  const folder = mkdtempSync(join(tmpdir(), 'fundproof-data-'))
  await createSealLedgerJob(ctx, folder).run()
  rmSync(folder, { recursive: true })
  await storeSenders(place)
  return place.ids
}

const createCampaigns = async (place: Place): Promise<void> => {
  const { as, creator, ids } = place
  const open = async (name: string, currency: string, target: string, amounts: string[] = []) => {
    const campaign = await createCampaign(as(creator), {
      title: name,
      description: 'Clean water',
      targetAmount: target,
      currency,
      ledgerAccount: address(name),
      milestones: amounts.map((amount) => ({ description: 'A step', amount })),
      status: name === 'draft' ? 'draft' : 'active',
    })
    ids[name] = campaign.id
    campaign.milestones.forEach(({ id }, index) => {
      ids[`${name} ${index + 1}`] = id
    })
  }
  await open('wells', 'USDC', '100', ['30', '30', '40'])
  await open('schools', 'USD', '1000')
  await open('roofs', 'EUR', '1')
  await open('draft', 'USDC', '10')
  await open('cancelled', 'USDC', '10')
  await open('closed', 'USDC', '10')
  await changeCampaign(as(creator), ids.cancelled ?? '', { status: 'cancelled' })
  await changeCampaign(as(creator), ids.closed ?? '', { status: 'completed' })
}

const record = async (
  { as, donor, ids }: Place,
  tx: string,
  { to = 'wells', value = '10', currency = 'USDC', by = donor } = {},
): Promise<void> => {
  const { donation } = await recordDonation(as(by), {
    campaignId: ids[to] ?? '',
    amount: { value, currency },
    transaction: { txHash: txHash(tx), ledgerAddress: address(to) },
  })
  ids[tx] = donation.id
}

type Gift = Partial<Payment> & { tx: string }

/** Applies one block, and makes it final unless `final` is false. */
const mine = async (
  place: Place,
  gifts: Gift[],
  { branch = 'main', parent = 'main', final = true } = {},
): Promise<void> => {
  const { ctx, clock, ids } = place
  place.height += 1
  clock.set(minedAt(place.height))
  const payments = gifts.map((gift) => ({ to: address('wells'), ...gift }))
  await applyBlock(ctx, place.height, payments, branch, parent)
  if (final) {
    await advanceFinality(ctx, CHAIN_ID, { number: place.height, hash: null })
    while ((await settleBatch(ctx, CHAIN_ID)) > 0) {
      // Repeats until all final donations are settled.
    }
  }
  const rows = await ctx.sql<{ id: string; txHash: string }[]>`
    select id, tx_hash from chain_transfer`
  for (const { tx } of gifts) {
    const transfer = rows.find((row) => row.txHash === txHash(tx))
    if (transfer) ids[`transfer ${tx}`] = transfer.id
  }
}

/**
 * Gives 46 USDC: recorded, by an intent, moved to another user, unclaimed, and claimed by its
 * sender.
 */
const giveToWells = async (place: Place): Promise<void> => {
  const { as, donor, owner, ids } = place
  await record(place, 'more', { value: '12' })
  await record(place, 'exact', { value: '20' })
  await record(place, 'moved', { value: '7' })
  const intent = await recordIntent(as(donor), {
    campaignId: ids.wells ?? '',
    amount: { value: '5', currency: 'USDC' },
    donor: { walletAddress: address('announced') },
  })
  ids.announced = intent.id
  await mine(place, [
    { tx: 'more', usdc: 10n * USDC },
    { tx: 'exact', usdc: 20n * USDC },
    { tx: 'moved', usdc: 7n * USDC, from: address('owner') },
    { tx: 'announced', usdc: 5n * USDC, from: address('announced'), claimed: false },
    { tx: 'deposit', usdc: 3n * USDC, claimed: false },
    { tx: 'claimed', usdc: 4n * USDC, from: address('owner'), claimed: false },
  ])
  ids['moved from'] = ids.moved ?? ''
  for (const tx of ['moved', 'claimed']) {
    const id = ids[`transfer ${tx}`] ?? ''
    const checked = await checkDepositClaim(as(owner), id, {})
    const { donation } = await claimDeposit(as(owner), id, checked)
    ids[tx] = donation.id
  }
  await mine(place, [])
}

/** Verifies the first of the three milestones, which releases it. */
const release = async (place: Place): Promise<void> => {
  const { ctx, as, ids } = place
  const verifier = await createVerifier({ ctx }, 1)
  const status = 'completed' as const
  const milestoneId = ids['wells 1'] ?? ''
  const { typedData } = await getVerification(ctx, milestoneId, { status, evidence: EVIDENCE })
  if (!typedData) throw new Error('There is nothing to sign.')
  const verifierSignature = await signWith(verifier.key)(typedData)
  const given = {
    campaignId: ids.wells ?? '',
    milestoneId,
    verification: { status, evidence: EVIDENCE, verifierSignature },
  }
  await verifyMilestone(as(verifier), await checkVerification(as(verifier), given))
}

/**
 * Gives at a feed's price, at a feed's price times a configured price, and at a configured price.
 */
const giveInOtherCurrencies = async (place: Place): Promise<void> => {
  const { ctx } = place
  const number = place.height + 1
  await recordPrices(ctx, CHAIN_ID, [
    {
      pair: 'ETH/USD',
      blockNumber: number,
      blockHash: blockHash(number),
      price: '2500.12345678',
      feed: address('feed'),
      roundId: '18446744073709551617',
      answer: '250012345678',
      decimals: 8,
      updatedAt: minedAt(number),
      method: 'block',
    },
  ])
  await record(place, 'ether', { value: '0.01', currency: 'ETH' })
  await record(place, 'fed', { to: 'schools', value: '1', currency: 'ETH' })
  await record(place, 'third', { to: 'roofs', value: '10' })
  await mine(place, [
    { tx: 'ether', wei: ETHER / 100n },
    { tx: 'fed', to: address('schools'), wei: ETHER },
    { tx: 'third', to: address('roofs'), usdc: 10n * USDC },
  ])
}

/** Removes a block with two gifts. One gift comes back in another block, and one does not. */
const reorganise = async (place: Place): Promise<void> => {
  const { ctx } = place
  await record(place, 'back', { value: '1' })
  await record(place, 'lost', { value: '2' })
  await mine(place, [
    { tx: 'back', usdc: USDC },
    { tx: 'lost', usdc: 2n * USDC },
  ])
  const from = { number: place.height, hash: blockHash(place.height) }
  place.height -= 1
  const ancestor = { number: place.height, hash: blockHash(place.height) }
  if (!(await revertBlocks(ctx, { chainId: CHAIN_ID, from, ancestor }))) {
    throw new Error('The block was not undone.')
  }
  await mine(place, [{ tx: 'back', usdc: USDC }], { branch: 'other' })
}

/** Records two donations that stay open, and one that fails. */
const leaveOpen = async (place: Place): Promise<void> => {
  await record(place, 'waiting')
  await record(place, 'failed')
  await record(place, 'confirming')
  await mine(place, [{ tx: 'failed' }], { parent: 'other' })
  await mine(place, [{ tx: 'confirming', usdc: 10n * USDC }], { final: false })
}

/** Stores proofs of donations that contain only the sender. */
const storeSenders = ({ ctx }: Place) => ctx.sql`
  update donation_proof wanted set proof = '{}', sender = transfer.sender
  from chain_transfer transfer where transfer.id = wanted.transfer_id`
