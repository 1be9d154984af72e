import { expect, test } from 'vitest'
import type { Context } from '../../../src/db/context.ts'
import {
  checkSince,
  checkSlice,
  getLedgerHead,
  type SignedHead,
} from '../../../src/domain/books/index.ts'
import { useCheckedWorld } from './support/checked-world.ts'

const copy = useCheckedWorld()

/** Lists the differences that a check since the head of this seal finds. */
const foundSince = async (ctx: Context, place = 1): Promise<string[]> => {
  const [seal] = await ctx.sql<{ campaignId: string }[]>`
    select campaign_id from ledger_seal where id = ${place}`
  const head = await getLedgerHead(ctx, seal?.campaignId ?? '')
  const kept = JSON.parse(JSON.stringify(head)) as SignedHead
  const { differences } = await checkSince(ctx.pool, { kept, others: [] }, checkSlice)
  return differences.map(({ what, id }) => `${what} ${id}`).sort()
}

test('finds nothing from any head on where nothing was changed, in every state that money can be in', async () => {
  const { ctx } = await copy()
  const seals = await ctx.sql<{ id: number }[]>`select id from ledger_seal order by id`
  expect(seals.length).toBeGreaterThan(2)
  for (const { id } of seals) expect(await foundSince(ctx, id)).toEqual([])
})

/** Each changed column, with the column of the ledger entries that refers to the row. */
const CHANGES: [table: string, named: string, change: string][] = [
  ['donation', 'donation_id', 'confirmed_amount = confirmed_amount + 1'],
  ['donation', 'donation_id', 'credited_amount = credited_amount + 1'],
  ['donation', 'donation_id', "status = 'failed'"],
  ['donation', 'donation_id', "price = '7'"],
  ['chain_transfer', 'transfer_id', 'amount = amount + 1'],
  ['chain_transfer', 'transfer_id', "block_hash = '0x00'"],
  ['chain_transfer', 'transfer_id', "sender = '0x00'"],
  ['chain_transfer', 'transfer_id', 'generation = 7'],
  ['milestone', 'milestone_id', "status = 'verified'"],
]
/**
 * Differences of sums over all entries, and of events, which a check since a head does not cover.
 */
const BEYOND = /^(number|user|declared amount|event|unclaimed) of|^status of campaign/

test.each(CHANGES)(
  'finds from the first head on what a full check finds of each %s that an entry names by %s, with %s',
  async (table, named, change) => {
    const { ctx, tamper, found } = await copy()
    await tamper(`update ${table} set ${change} where id in (select ${named} from ledger_entry)`)
    const since = await foundSince(ctx)
    expect(since.length).toBeGreaterThan(0)
    expect(since).toEqual((await found()).filter((name) => !BEYOND.test(name)))
  },
)
