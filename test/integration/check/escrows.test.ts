import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import { address } from '../../support/chain-facts.ts'
import { createTestDatabase, type TestDatabase } from '../../support/database.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { createContext, createTestCampaign } from '../../support/world.ts'
import { createFollowedWorld } from '../escrow/support/followed-world.ts'
import { copyDatabase } from './support/copied-database.ts'

/** Names of rows by their ids: an event's kind, or a milestone's position. */
type Names = ReadonlyMap<string, string>

let original: TestDatabase | undefined
let names: Promise<Names> | undefined

beforeAll(async () => {
  original = await createTestDatabase()
})
afterAll(() => original?.drop())

/**
 * Copies the world. The first test builds the world, because a chain stops at the end of its test.
 */
const copy = async () => {
  names ??= build(original?.url ?? '')
  const known = await names
  const { tamper, found } = await copyDatabase(original)
  const name = (difference: string) =>
    difference.replace(/\S+$/, (id) => known.get(id) ?? 'without a name')
  return { tamper, found: async () => (await found()).map(name) }
}

/**
 * Builds a campaign with one released and one rejected milestone. Its verifiers end the campaign,
 * and one of its two donors gets a refund. A second campaign has no escrow.
 */
const build = async (url: string): Promise<Names> => {
  const pool = createDatabase({ url, max: 2, name: 'test' })
  const world = await createFollowedWorld({ world: { url, ...(await createContext(pool)) } })
  await createTestCampaign(world.world.ctx, {
    ...{ creator: world.creator, account: address('plain'), target: '10' },
  })
  await world.deploy()
  await world.chain.mine()
  await world.record(await world.donate(1, 60_000_000n), '60')
  await world.record(await world.donate(2, 10_000_000n), '10')
  await world.settle()
  await world.release(0)
  await world.reject(1)
  await world.chain.mine()
  await world.terminate()
  await world.chain.mine()
  await world.refund(keyOf(1).address.toLowerCase())
  await world.settle()
  const rows = await pool<{ id: string; name: string }[]>`
    select id, kind as name from escrow_event
    union all select id, position::text from milestone
    union all select id, status from donation
    union all select id, case when id = ${world.campaignId} then 'escrow' else 'plain' end
      from campaign`
  await pool.end({ timeout: 1 })
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const event = (kind: string, set: string) => `update escrow_event set ${set} where kind = '${kind}'`
const milestone = (position: number, set: string) =>
  `update milestone set ${set} where position = ${position}`
const withFields = (fields: object) => `fields = fields || '${JSON.stringify(fields)}'`
const ofRelease = (what: string) => `${what} of escrow event MilestoneReleased`
const ofRefund = (what: string) => `${what} of escrow event Refunded`

/** A tampered value: its name, the statement that changes it, and the differences to find. */
const CHANGES: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'amount of a release',
    event('MilestoneReleased', withFields({ amount: '30000001' })),
    [ofRelease('released amount'), ofRelease('paid amount')],
  ],
  [
    'amount of a refund',
    event('Refunded', withFields({ amount: '1' })),
    [ofRefund('refunded amount')],
  ],
  [
    'asset of a refund',
    event('Refunded', withFields({ asset: address('another token') })),
    [ofRefund('refunded amount')],
  ],
  [
    'release that is not settled',
    event('MilestoneReleased', 'settled_at = null'),
    [ofRelease('released amount'), ofRelease('paid amount'), 'status of milestone 0'],
  ],
  [
    'kind of an event',
    event('Activated', `kind = 'SurplusReleased', ${withFields({ amount: '1' })}`),
    ['released amount of escrow event Activated', 'paid amount of escrow event Activated'],
  ],
  [
    'account of an event',
    event('Donated', `account = '${address('thief')}'`),
    ['account of escrow event Donated'],
  ],
  [
    'block number of a release',
    event('MilestoneReleased', 'block_number = block_number - 1'),
    [ofRelease('block number')],
  ],
  [
    'block number above the newest block',
    event('Activated', 'block_number = 1000000'),
    ['block number of escrow event Activated'],
  ],
  [
    'block hash of a release',
    event('MilestoneReleased', "block_hash = '0x07'"),
    [ofRelease('block hash')],
  ],
  ['block hash of a refund', event('Refunded', "block_hash = '0x07'"), [ofRefund('block hash')]],
  [
    'generation of a release',
    event('MilestoneReleased', 'generation = 1'),
    [ofRelease('generation')],
  ],
  [
    'milestone of a release',
    event('MilestoneReleased', withFields({ milestone: 1 })),
    ['status of milestone 0', 'status of milestone 1'],
  ],
  [
    'round of a rejection',
    event('MilestoneRejected', withFields({ round: 1 })),
    ['verification round of milestone 1'],
  ],
  [
    'refunded amount of a donation',
    "update donation set refunded_amount = 60000000 where status = 'partly_refunded'",
    ['refunded amount of donation partly_refunded'],
  ],
  [
    'refunded amount of a donation without a refund',
    "update donation set refunded_amount = 1, status = 'partly_refunded' where status = 'completed'",
    ['refunded amount of donation completed'],
  ],
  [
    'campaign that failed, to active',
    "update campaign set status = 'active' where status = 'failed'",
    ['status of campaign escrow'],
  ],
  [
    'campaign without a failure, to failed',
    "update campaign set status = 'failed' where status = 'active'",
    ['status of campaign plain'],
  ],
  [
    'failure that is gone',
    "delete from escrow_event where kind = 'Failed'",
    ['status of campaign escrow'],
  ],
  [
    'event of a refund that is gone',
    "delete from event where type = 'donation.refunded'",
    ['event of donation partly_refunded'],
  ],
  [
    'amount in the event of a refund',
    `update event set packed = replace(event.body, '"amount":{"value":"', '"amount":{"value":"1')
     where type = 'donation.refunded'`,
    ['event of donation partly_refunded'],
  ],
  [
    'status in the event of a refund',
    "update event set packed = replace(event.body, 'partly_refunded', 'refunded') where type = 'donation.refunded'",
    ['event of donation partly_refunded'],
  ],
  [
    'event of a release that is gone',
    "delete from event where type = 'milestone.released'",
    ['event of milestone 0'],
  ],
  [
    'terms that are gone',
    'delete from campaign_escrow',
    ['terms of escrow event Donated', 'terms of escrow event Refunded'],
  ],
  [
    'paid amount',
    "update ledger_entry set amount = amount - 1 where kind = 'payout'",
    ['paid of campaign escrow', ofRelease('paid amount')],
  ],
  [
    'milestone that is released, to reached',
    milestone(0, "status = 'reached'"),
    ['status of milestone 0', 'release of milestone 0'],
  ],
  [
    'milestone that is not released, to released',
    milestone(1, "status = 'released'"),
    ['status of milestone 1', 'release of milestone 1'],
  ],
  [
    'round of a milestone',
    milestone(1, 'verification_round = 0'),
    ['verification round of milestone 1'],
  ],
]

describe.skipIf(!hasAnvil)('the check of escrows', () => {
  test('finds nothing where nothing was changed', async () => {
    const { found } = await copy()
    expect(await found()).toEqual([])
  })

  test.each(CHANGES)('finds a change: %s', async (_what, change, expected) => {
    const { tamper, found } = await copy()
    await tamper(change)
    expect(await found()).toEqual(expect.arrayContaining([...expected]))
  })
})
