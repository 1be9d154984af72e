import { expect, test } from 'vitest'
import { address } from '../../support/chain-facts.ts'
import { type Ids, useCheckedWorld } from './support/checked-world.ts'

const copy = useCheckedWorld()
const ETH = 'eip155:31337/slip44:60'

/**
 * A tampered value: its name, its row, the statement that changes it, and the differences to find.
 */
type Change = readonly [
  what: string,
  where: string,
  statement: (ids: Ids) => string,
  names: readonly string[],
]
const campaign =
  (name: string, set: string) =>
  (ids: Ids): string =>
    `update campaign set ${set} where id = '${ids[name]}'`
const milestone =
  (name: string, set: string) =>
  (ids: Ids): string =>
    `update milestone set ${set} where id = '${ids[name]}'`

const CAMPAIGNS: readonly Change[] = [
  [
    'status, to funded',
    'wells',
    campaign('wells', "status = 'funded', funded_at = now()"),
    ['status'],
  ],
  ['status, to completed', 'wells', campaign('wells', "status = 'completed'"), ['status']],
  ['status, to cancelled', 'wells', campaign('wells', "status = 'cancelled'"), ['status']],
  ['status, to draft', 'wells', campaign('wells', "status = 'draft'"), ['status']],
  [
    'status, from funded',
    'schools',
    campaign('schools', "status = 'active', funded_at = null"),
    ['status'],
  ],
  ['status, opened again', 'cancelled', campaign('cancelled', "status = 'active'"), ['status']],
  [
    'status, cancelled in the end',
    'closed',
    campaign('closed', "status = 'cancelled'"),
    ['status'],
  ],
  ['time of funding', 'wells', campaign('wells', 'funded_at = now()'), ['funded_at']],
  ['time of funding, removed', 'schools', campaign('schools', 'funded_at = null'), ['funded_at']],
  ['currency', 'wells', campaign('wells', `currency_id = '${ETH}'`), ['currency']],
  ['account', 'wells', campaign('wells', `account = bytes_of('${address('thief')}')`), ['account']],
  ['chain', 'wells', campaign('wells', 'chain_id = 1'), ['account']],
  ['opening', 'wells', campaign('wells', "opened_at = '2100-01-01'"), ['opening']],
  [
    'place of opening',
    'wells',
    campaign('wells', "counts_after = '2100-01-01', counts_after_block = 100"),
    ['opening'],
  ],
  [
    'place of opening, long before it',
    'schools',
    campaign('schools', "counts_after = '1969-01-01'"),
    ['opening'],
  ],
  ['creation', 'wells', campaign('wells', "created_at = '2100-01-01'"), ['opening']],
  ['mark as never opened', 'wells', campaign('wells', 'never_opened = true'), ['never_opened']],
  [
    'target, below what was raised',
    'wells',
    campaign('wells', 'target_amount = 72000000'),
    ['status'],
  ],
  [
    'target of one that is funded',
    'schools',
    campaign('schools', 'target_amount = 100000000'),
    ['target'],
  ],
  ['creator', 'wells', campaign('wells', `creator_id = gen_random_uuid()`), ['creator']],
]

test.each(CAMPAIGNS)(
  'finds a campaign with another %s (%s)',
  async (_what, name, change, names) => {
    const { tamper, found, ids } = await copy()
    await tamper('drop index campaign_open_account', change(ids))
    expect(await found()).toEqual(
      expect.arrayContaining(names.map((one) => `${one} of campaign ${ids[name]}`)),
    )
  },
)

const MILESTONES: readonly Change[] = [
  ['status, to reached', 'wells 3', milestone('wells 3', "status = 'reached'"), ['status']],
  ['status, to pending', 'wells 2', milestone('wells 2', "status = 'pending'"), ['status']],
  ['status, to verified', 'wells 2', milestone('wells 2', "status = 'verified'"), ['status']],
  ['status, to rejected', 'wells 2', milestone('wells 2', "status = 'rejected'"), ['status']],
  [
    'status, to rejected in another round',
    'wells 2',
    milestone('wells 2', "status = 'rejected', verification_round = 1"),
    ['verification round'],
  ],
  [
    'status, to released',
    'wells 2',
    milestone('wells 2', "status = 'released'"),
    ['release', 'status'],
  ],
  ['status, from released', 'wells 1', milestone('wells 1', "status = 'reached'"), ['release']],
  ['amount', 'wells 2', milestone('wells 2', 'amount = 1'), ['amount', 'cumulative amount']],
  [
    'amount, with the sums that it makes',
    'wells 2',
    ({ wells }) => `update milestone set amount = case position when 1 then 1 else amount end,
       cumulative = case position when 1 then 30000001 when 2 then 70000001 else cumulative end
       where campaign_id = '${wells}'`,
    ['amount'],
  ],
  [
    'sum',
    'wells 3',
    milestone('wells 3', 'cumulative = 70000000'),
    ['cumulative amount', 'status'],
  ],
  ['position', 'wells 3', milestone('wells 3', 'position = 7'), ['position']],
  [
    'campaign',
    'wells 3',
    ({ closed, 'wells 3': id }) =>
      `update milestone set campaign_id = '${closed}' where id = '${id}'`,
    ['cumulative amount', 'position'],
  ],
  [
    'decision, turned round',
    'wells 1',
    () => "update milestone_verification set decision = 'rejected'",
    ['status', 'verification round'],
  ],
  [
    'decision, of another round',
    'wells 1',
    () => 'update milestone_verification set round = 3',
    ['status'],
  ],
  ['decision, which is gone', 'wells 1', () => 'delete from milestone_verification', ['status']],
]

test.each(MILESTONES)(
  'finds a milestone with another %s (%s)',
  async (_what, name, change, names) => {
    const { tamper, found, ids } = await copy()
    await tamper(change(ids))
    const all = await found()
    expect(all.filter((one) => one.endsWith(ids[name] ?? ''))).toEqual(
      expect.arrayContaining(names.map((one) => `${one} of milestone ${ids[name]}`)),
    )
  },
)

const TOTALS: readonly Change[] = [
  ['amount', 'wells', () => 'update campaign_total set raised = raised + 1', ['current_amount']],
  [
    'number of donations',
    'wells',
    () => 'update campaign_total set donations = donations + 1',
    ['number of donations'],
  ],
  [
    'campaign',
    'wells',
    () => 'delete from campaign_total',
    ['current_amount', 'number of donations'],
  ],
]

test.each(TOTALS)('finds a total with another %s (%s)', async (_what, name, change, names) => {
  const { tamper, found, ids } = await copy()
  await tamper(change(ids))
  expect(await found()).toEqual(
    expect.arrayContaining(names.map((one) => `${one} of campaign ${ids[name]}`)),
  )
})

test('finds the entries of a campaign that was removed with its total', async () => {
  const { tamper, found, ids } = await copy()
  await tamper(
    `delete from campaign where id = '${ids.roofs}'`,
    `delete from campaign_total where campaign_id = '${ids.roofs}'`,
  )
  expect(await found()).toEqual(
    expect.arrayContaining([
      `current_amount of campaign ${ids.roofs}`,
      expect.stringMatching(/^campaign of entry \d+$/),
    ]),
  )
})

test('finds the release of a milestone that was removed', async () => {
  const { tamper, found, ids, ctx } = await copy()
  const [entry] = await ctx.sql<
    { id: number }[]
  >`select id from ledger_entry where kind = 'release'`
  await tamper(`delete from milestone where id = '${ids['wells 1']}'`)
  expect(await found()).toContain(`milestone of entry ${entry?.id}`)
})
