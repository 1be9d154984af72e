import { expect, test } from 'vitest'
import { txHash } from '../../support/chain-facts.ts'
import { type Ids, useCheckedWorld } from './support/checked-world.ts'

const copy = useCheckedWorld()
const ETH = 'eip155:31337/slip44:60'

/** A tampered value: its name, the donation, the assignment, and the differences to find. */
type Change = readonly [
  what: string,
  donation: string,
  set: string | ((ids: Ids) => string),
  names: readonly string[],
]

const CHANGES: readonly Change[] = [
  ['amount that arrived', 'exact', 'confirmed_amount = 1', ['amount of donation']],
  ['asset that arrived', 'exact', `confirmed_asset_id = '${ETH}'`, ['asset of donation']],
  [
    'declared amount, with the discrepancy that it makes',
    'exact',
    'declared_amount = 1, discrepancy = true',
    ['declared amount of donation'],
  ],
  [
    'declared amount alone',
    'exact',
    'declared_amount = 1',
    ['declared amount of donation', 'discrepancy of donation'],
  ],
  [
    'declared asset',
    'exact',
    `declared_asset_id = '${ETH}', discrepancy = true`,
    ['asset of donation', 'declared amount of donation'],
  ],
  ['discrepancy', 'more', 'discrepancy = false', ['discrepancy of donation']],
  ['user', 'exact', ({ owner }) => `user_id = '${owner}'`, ['user of donation']],
  ['price of a feed', 'fed', "price = '2501'", ['price of donation']],
  ['price of the configuration', 'third', "price = '0.4'", ['price of donation']],
  ['price, where there was nothing to convert', 'exact', "price = '1'", ['price of donation']],
  ['price, removed', 'fed', 'price = null, price_source = null', ['price of donation']],
  [
    'answer of the feed behind a price',
    'fed',
    `price_source = jsonb_set(price_source, '{0,answer}', '"250000000000"')`,
    ['price of donation'],
  ],
  [
    'answer of the feed and the price',
    'fed',
    `price = '2500', price_source = jsonb_set(jsonb_set(price_source, '{0,answer}',
       '"250000000000"'), '{0,price}', '"2500"')`,
    ['price of donation'],
  ],
  ['sources of a price, unreadable', 'fed', `price_source = '["?"]'`, ['price of donation']],
  ['credited amount', 'exact', 'credited_amount = 1', ['credit of donation']],
  [
    'credited amount, of a conversion',
    'third',
    'credited_amount = credited_amount + 1',
    ['credit of donation'],
  ],
  ['transaction', 'exact', `tx_hash = bytes_of('${txHash('other')}')`, ['transaction of donation']],
  ['chain', 'exact', 'chain_id = 1', ['chain of donation']],
  ['block number', 'exact', 'block_number = 7', ['block number of donation']],
  ['position of the transfer', 'claimed', 'claimed_position = 7', ['position of donation']],
  ['wallet of an announced donation', 'announced', "donor_wallet = '0x07'", ['wallet of donation']],
  ['time of completion', 'exact', "completed_at = '2020-01-01'", ['completion of donation']],
  ['status, completed before', 'exact', "status = 'failed'", ['status of donation']],
  ['status, never paid', 'lost', "status = 'completed'", ['status of donation']],
  ['status, not final yet', 'confirming', "status = 'completed'", ['status of donation']],
  ['status, with its transfer', 'confirming', "status = 'expired'", ['status of donation']],
  [
    'campaign before it is final',
    'confirming',
    ({ closed }) => `campaign_id = '${closed}'`,
    ['account of donation'],
  ],
  [
    'credit of what is not final yet',
    'confirming',
    "status = 'completed', credited_amount = 10000000, completed_at = now()",
    ['credit of donation', 'completion of donation', 'status of donation'],
  ],
]

test.each(CHANGES)('finds a donation with another %s (%s)', async (_what, donation, set, names) => {
  const { tamper, found, ids } = await copy()
  const assignment = typeof set === 'string' ? set : set(ids)
  await tamper(
    'alter table donation drop constraint donation_completed',
    `update donation set ${assignment} where id = '${ids[donation]}'`,
    // Adjusts the count too, because a person who changes a status by hand would also do so.
    `update campaign_total set donations = (
       select count(*) from donation
       where donation.campaign_id = campaign_total.campaign_id and status = 'completed')`,
  )
  expect(await found()).toEqual(names.map((name) => `${name} ${ids[donation]}`).sort())
})

test('finds two donations whose transfers were exchanged', async () => {
  const { tamper, found, ids } = await copy()
  await tamper(
    'drop index donation_transfer',
    `update donation set transfer_id = case when id = '${ids.exact}' then '${ids['transfer more']}'
       else '${ids['transfer exact']}' end::uuid where id in ('${ids.exact}', '${ids.more}')`,
  )
  const names = await found()
  expect(names).toContain(`transfer of donation ${ids.exact}`)
  expect(names).toContain(`transfer of donation ${ids.more}`)
})

test('finds a donation that was given to another campaign, with everything that is counted', async () => {
  const { tamper, found, ids } = await copy()
  await tamper(
    `update donation set campaign_id = '${ids.closed}' where id = '${ids.exact}'`,
    `update campaign_total set donations = (
       select count(*) from donation
       where donation.campaign_id = campaign_total.campaign_id and status = 'completed')`,
  )
  expect(await found()).toEqual([`campaign of donation ${ids.exact}`])
})

test('finds a donation whose transfer is gone', async () => {
  const { tamper, found, ids } = await copy()
  await tamper(`delete from chain_transfer where id = '${ids['transfer confirming']}'`)
  expect(await found()).toEqual([`transfer of donation ${ids.confirming}`])
})

test('finds the entry of a donation that was removed, with everything that is counted', async () => {
  const { tamper, found, ids, ctx } = await copy()
  const [entry] = await ctx.sql<{ id: number }[]>`
    select id from ledger_entry where donation_id = ${ids.exact ?? ''}`
  await tamper(
    `delete from donation where id = '${ids.exact}'`,
    `update campaign_total set donations = donations - 1 where campaign_id = '${ids.wells}'`,
  )
  expect(await found()).toEqual([`donation of entry ${entry?.id}`])
})

test('finds the donation whose event was removed or names another', async () => {
  const { tamper, found, ids } = await copy()
  await tamper(
    `delete from event where type = 'donation.completed' and event.body like '%${ids.exact}%'`,
    `update event set packed = 'nonsense ' || event.body
     where type = 'donation.completed' and event.body like '%${ids.more}%'`,
  )
  expect(await found()).toEqual(
    [`event of donation ${ids.exact}`, `event of donation ${ids.more}`].sort(),
  )
})
