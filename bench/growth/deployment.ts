import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from '../../src/db/context.ts'
import {
  advanceFinality,
  applyBlocks,
  openChain,
  settleBatch,
} from '../../src/domain/blocks/index.ts'
import { createEndpoint, recordAttempts, relayEvents } from '../../src/domain/events/index.ts'
import type { Actor } from '../../src/kernel/actor.ts'
import { newId } from '../../src/kernel/formats/ids.ts'
import { createSealLedgerJob } from '../../worker/jobs/seal-ledger.ts'
import { type Claim, writeClaims } from '../settle/record-paid.ts'
import { BENCH_CHAIN, campaignAccount, createCampaigns, createDonor } from '../support/world.ts'
import { copyPass } from './copies.ts'

/**
 * A deployment that grows without a chain: by calls of the verbs, or by copies of the rows that the
 * verbs wrote.
 */
export type Deployment = {
  ctx: Context
  creator: Actor & { kind: 'user' }
  donor: Actor & { kind: 'user' }
  campaignIds: readonly string[]
  /** The only endpoint, which gets an event for each donation. */
  endpointId: string
  /** Pays and settles this number of donations. Returns the milliseconds of settling. */
  settle(count: number): Promise<number>
  /** Delivers the existing events. Returns the milliseconds. */
  deliver(): Promise<number>
  /** Adds at least this number of donations, with the same rows as the verbs write. */
  grow(count: number): Promise<number>
  /** Seals all entries of the ledger. */
  seal(): Promise<void>
}

const CHAIN_ID = BENCH_CHAIN.id
const BLOCK_DONATIONS = 350
const PASS_BLOCKS = 14
const PASS = PASS_BLOCKS * BLOCK_DONATIONS
const DONORS = 20
/**
 * The number of donations that one campaign and one donor have from the beginning. A list counts at
 * most 10 000 items, so both sizes count the same number.
 */
const FIRST_TOGETHER = 10_000
/**
 * The age of the first block. With the pause between blocks, millions of donations fit into this
 * time.
 */
const SINCE_MS = 20 * 3_600_000
const BLOCK_MS = 7_000
const EVENTS = 1_000

const hashOf = (text: string): string => `0x${createHash('sha256').update(text).digest('hex')}`
const blockHash = (number: number): string => hashOf(`block ${number}`)

export const createDeployment = async (
  context: Context,
  campaigns: number,
): Promise<Deployment> => {
  /** The copies take no time, but have later times, so the clock goes ahead. */
  let aheadMs = 0
  const now = () => new Date(Date.now() + aheadMs)
  const ctx: Context = { ...context, clock: { ...context.clock, now } }
  const creator = await createDonor(ctx)
  const campaignIds = await createCampaigns(ctx, creator, campaigns)
  const donors: (Actor & { kind: 'user' })[] = []
  for (let index = 0; index < DONORS; index++) donors.push(await createDonor(ctx))
  const [donor = creator] = donors
  const url = 'https://receiver.example.org/'
  const endpoint = await createEndpoint({ ...ctx, actor: creator }, { url })
  const since = Date.now() - SINCE_MS
  const minedAt = (number: number) => new Date(since + number * BLOCK_MS)
  const refOf = (number: number) => ({ number, hash: blockHash(number) })
  const blockOf = (number: number) => ({
    ...refOf(number),
    parentHash: blockHash(number - 1),
    minedAt: minedAt(number),
  })
  await openChain(ctx, CHAIN_ID, blockOf(0))
  const asset = ctx.settings.assets.bySymbol('USDC', CHAIN_ID)
  let blocks = 0
  let donations = 0

  const claimOf = (index: number): Claim => {
    const turn = index < FIRST_TOGETHER ? 0 : index
    return {
      txHash: hashOf(`transaction ${index}`),
      sender: hashOf(`sender ${index % 1_000}`).slice(0, 42),
      recipient: campaignAccount(turn % campaigns),
      units: 1_000_000n + BigInt(index % 1_000),
      userId: donors[turn % DONORS]?.userId ?? '',
      campaignId: campaignIds[turn % campaigns] ?? '',
    }
  }

  /**
   * Applies some blocks as one pass of the sync. Returns the milliseconds from its first written
   * row on.
   */
  const pass = async (numbers: readonly number[], claims: readonly Claim[]): Promise<number> => {
    const placeOf = (index: number) => {
      const number = numbers[Math.floor(index / BLOCK_DONATIONS)] ?? 0
      return { blockNumber: number, blockHash: blockHash(number), minedAt: minedAt(number) }
    }
    const [first = 0, last = 0] = [numbers[0], numbers.at(-1)]
    await writeClaims(ctx, claims, minedAt(first))
    const started = performance.now()
    const applied = await applyBlocks(ctx, {
      chainId: CHAIN_ID,
      after: refOf(first - 1),
      blocks: numbers.map(blockOf),
      headNumber: last,
      observed: {
        transfers: claims.map(({ txHash, sender, recipient, units }, index) => ({
          ...placeOf(index),
          ...{ txHash, sender, recipient, position: 0, assetId: asset.id, amount: units },
          source: 'log',
        })),
        transactions: claims.map(({ txHash }, index) => ({
          ...placeOf(index),
          ...{ txHash, reverted: false, unknownTokenRecipients: [], returned: [] },
        })),
      },
    })
    if (!applied) throw new Error('The blocks were not applied.')
    await advanceFinality(ctx, CHAIN_ID, { number: last, hash: null })
    while ((await settleBatch(ctx, CHAIN_ID)) > 0);
    return performance.now() - started
  }

  const folder = mkdtempSync(join(tmpdir(), 'fundproof-bench-'))
  const deployment: Deployment = {
    ctx,
    creator,
    donor,
    campaignIds,
    endpointId: endpoint.id,
    async settle(count) {
      let ms = 0
      for (let left = count; left > 0; ) {
        const now = Math.min(left, PASS)
        const claims = Array.from({ length: now }, (_, index) => claimOf(donations + index))
        const length = Math.ceil(now / BLOCK_DONATIONS)
        ms += await pass(
          Array.from({ length }, (_, index) => blocks + 1 + index),
          claims,
        )
        blocks += length
        donations += now
        left -= now
      }
      return ms
    },
    async deliver() {
      const started = performance.now()
      for (let more = true; more; ) {
        const options = { limit: EVENTS, capacity: EVENTS, leaseMs: 60_000 }
        const { events, deliveries } = await relayEvents(ctx, options)
        const startedAt = ctx.clock.now()
        const arrived = { startedAt, durationMs: 3, statusCode: 200, responseBody: 'ok' }
        const result = { ...arrived, errorKind: null, retryAfterMs: null }
        if (deliveries.length > 0) {
          await recordAttempts(
            ctx,
            deliveries.map((delivery) => ({ delivery, result })),
          )
        }
        more = events > 0
      }
      return performance.now() - started
    },
    async grow(count) {
      const fromId = newId(ctx.clock.now().getTime())
      const firstBlock = blocks + 1
      await deployment.settle(PASS)
      await deployment.deliver()
      const untilId = newId(ctx.clock.now().getTime())
      const pass = { chainId: CHAIN_ID, firstBlock, blocks: PASS_BLOCKS, fromId, untilId }
      const copies = Math.max(0, Math.ceil(count / PASS) - 2)
      aheadMs += await copyPass(ctx.pool, pass, blocks, copies)
      blocks += copies * PASS_BLOCKS
      // Settles once more with the verbs, which also update the milestones that the copies have
      // reached.
      await deployment.settle(PASS)
      await deployment.deliver()
      return (copies + 2) * PASS
    },
    seal: () => createSealLedgerJob(ctx, folder).run(),
  }
  return deployment
}
