import { expect, test } from 'vitest'
import { createSealLedgerJob } from '../../../worker/jobs/seal-ledger.ts'
import { newFolder } from '../../support/new-folder.ts'
import { useCheckedWorld } from './support/checked-world.ts'

const copy = useCheckedWorld()

/** Inserts a changed copy of an entry as the newest entry. No seal contains the copy. */
const insertEntry = (columns: Readonly<Record<string, string>>, original: string): string => {
  const changed = {
    kind: 'kind',
    debit_account: 'debit_account',
    credit_account: 'credit_account',
    asset_id: 'asset_id',
    amount: 'amount',
    campaign_id: 'campaign_id',
    donation_id: 'donation_id',
    transfer_id: 'transfer_id',
    generation: 'generation',
    block_number: 'block_number',
    block_hash: 'block_hash',
    milestone_id: 'milestone_id',
    reverses: 'reverses',
    created_at: 'created_at',
    ...columns,
  }
  return `insert into ledger_entry (${Object.keys(changed).join(', ')})
    select ${Object.values(changed).join(', ')} from ledger_entry where ${original} limit 1`
}

test('finds an entry of a donation that names none', async () => {
  const { tamper, found, ctx } = await copy()
  await tamper(insertEntry({ donation_id: 'null', transfer_id: 'null' }, "kind = 'donation'"))
  const [newest] = await ctx.sql<{ id: number }[]>`select max(id) as id from ledger_entry`
  expect(await found()).toEqual(
    expect.arrayContaining([
      'custody of transfer none',
      `donation of entry ${newest?.id}`,
      `transfer of entry ${newest?.id}`,
    ]),
  )
})

test('finds an entry between accounts that its kind moves no money between', async () => {
  const { tamper, found, ctx } = await copy()
  await tamper(
    insertEntry(
      { debit_account: 'credit_account', credit_account: 'debit_account', generation: '9' },
      "kind = 'donation'",
    ),
  )
  const [newest] = await ctx.sql<{ id: number }[]>`select max(id) as id from ledger_entry`
  expect(await found()).toContain(`accounts of entry ${newest?.id}`)
})

test.each([
  ['amount', { amount: 'amount - 1' }],
  ['transfer', { transfer_id: 'null' }],
  ['donation', { donation_id: 'null' }],
])('finds a reversal of another %s than the entry had', async (_what, columns) => {
  const { tamper, found, ids, ctx } = await copy()
  await tamper(
    insertEntry(
      {
        kind: "'reversal'",
        debit_account: 'credit_account',
        credit_account: 'debit_account',
        reverses: 'id',
        ...columns,
      },
      `donation_id = '${ids.exact}'`,
    ),
  )
  const [newest] = await ctx.sql<{ id: number }[]>`select max(id) as id from ledger_entry`
  expect(await found()).toContain(`reversed entry of entry ${newest?.id}`)
})

const NO_SEALS = [
  'delete from sealed_entry',
  'delete from ledger_seal',
  'alter sequence ledger_seal_id_seq restart',
]

test('finds that all seals were removed with their entries, before and after they are made again', async () => {
  const { tamper, found, ids, ctx, clock } = await copy()
  await tamper(...NO_SEALS)
  expect(await found()).toContain(`seal of donation ${ids.exact}`)
  clock.advance(3_600_000)
  await createSealLedgerJob(ctx, newFolder()).run()
  expect(await found()).toContain(`seal of donation ${ids.exact}`)
})

test('finds entries that stay unsealed while a worker follows the chain', async () => {
  const { tamper, found, ctx } = await copy()
  const followedUntil = (later: string) =>
    `update chain_state set updated_at = (select max(created_at) from ledger_entry) + ${later}`
  await tamper(...NO_SEALS, 'delete from donation_proof', followedUntil("interval '1 minute'"))
  expect(await found()).toEqual([])
  await tamper(followedUntil("interval '3 hours'"))
  const entries = await ctx.sql<{ id: number }[]>`select id from ledger_entry`
  expect(await found()).toEqual(entries.map(({ id }) => `seal of entry ${id}`).sort())
})

test('finds that the whole ledger was removed with all its seals', async () => {
  const { tamper, found, ids } = await copy()
  await tamper(
    ...NO_SEALS,
    'delete from ledger_entry',
    'alter sequence ledger_entry_id_seq restart',
    'update campaign_total set raised = 0',
  )
  expect(await found()).toEqual(
    expect.arrayContaining([
      `credit of donation ${ids.exact}`,
      `custody of transfer ${ids['transfer exact']}`,
      `release of milestone ${ids['wells 1']}`,
      `seal of donation ${ids.exact}`,
    ]),
  )
})

test('finds that everything of one donation was removed but its proof', async () => {
  const { tamper, found, ids } = await copy()
  await tamper(
    ...NO_SEALS,
    `delete from ledger_entry where donation_id = '${ids.exact}'`,
    `delete from donation where id = '${ids.exact}'`,
    `delete from chain_transfer where id = '${ids['transfer exact']}'`,
    `update campaign_total set raised = raised - 20000000, donations = donations - 1
     where campaign_id = '${ids.wells}'`,
  )
  expect(await found()).toContain(`seal of donation ${ids.exact}`)
})
