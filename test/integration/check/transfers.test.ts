import { expect, test } from 'vitest'
import { createSealLedgerJob } from '../../../worker/jobs/seal-ledger.ts'
import { txHash, USDC_ASSET } from '../../support/chain-facts.ts'
import { makeUpDonation } from '../../support/made-up.ts'
import { newFolder } from '../../support/new-folder.ts'
import { useCheckedWorld } from './support/checked-world.ts'

const copy = useCheckedWorld()
const ETH = 'eip155:31337/slip44:60'

/** A tampered value: its name, the transfer, the assignment, and the differences to find. */
type Change = readonly [what: string, transfer: string, set: string, names: readonly string[]]

const CHANGES: readonly Change[] = [
  ['sender', 'exact', "sender = '0x07'", ['sender of transfer']],
  ['sender of an announced payment', 'announced', "sender = '0x07'", ['sender of transfer']],
  ['block number', 'exact', 'block_number = 2', ['block number of transfer']],
  ['block number beyond what was read', 'exact', 'block_number = 99', ['block number of transfer']],
  ['block hash', 'exact', "block_hash = '0x07'", ['block hash of transfer']],
  ['block, removed', 'exact', 'block_number = null', ['block number of transfer']],
  ['block number of a deposit', 'deposit', 'block_number = 2', ['block number of transfer']],
  [
    'block hash before it is final',
    'confirming',
    "block_hash = '0x07'",
    ['block hash of transfer'],
  ],
  ['time', 'exact', "mined_at = mined_at + interval '1 day'", ['time of transfer']],
  ['time, which is none', 'exact', "mined_at = 'infinity'", ['time of transfer']],
  ['generation', 'exact', 'generation = 7', ['generation of transfer']],
  ['source', 'exact', "source = 'trace'", ['source of transfer']],
  ['asset', 'exact', `asset_id = '${ETH}'`, ['custody of transfer']],
  ['amount', 'exact', 'amount = amount + 1', ['custody of transfer']],
  ['amount of a deposit', 'deposit', 'amount = 1', ['custody of transfer']],
]

test.each(CHANGES)('finds a transfer with another %s (%s)', async (_what, transfer, set, names) => {
  const { tamper, found, ids } = await copy()
  const id = ids[`transfer ${transfer}`]
  await tamper(`update chain_transfer set ${set} where id = '${id}'`)
  expect(await found()).toEqual(expect.arrayContaining(names.map((name) => `${name} ${id}`)))
})

test.each([
  ['kind', "kind = 'native'", 'kind of asset of transfer', 'transfer exact'],
  ['number of decimals', 'decimals = 7', 'price of donation', 'third'],
])('finds the transfers and conversions of an asset with another %s', async (...changed) => {
  const [, set, what, where] = changed
  const { tamper, found, ids } = await copy()
  await tamper(`update asset set ${set} where id = '${USDC_ASSET}'`)
  expect(await found()).toContain(`${what} ${ids[where]}`)
})

test('finds an amount that was changed before it is final by its donation', async () => {
  const { tamper, found, ids } = await copy()
  await tamper(`update chain_transfer set amount = 1 where id = '${ids['transfer confirming']}'`)
  expect(await found()).toEqual([`amount of donation ${ids.confirming}`])
})

test('finds a donation that was made up with its transfer, entry and totals by its missing event', async () => {
  const { tamper, found, ids, ctx } = await copy()
  const exceptItsEvent = (statement: string) => !statement.startsWith('insert into event')
  await tamper(...makeUpDonation(ids.exact ?? '', txHash('made up')).filter(exceptItsEvent))
  const [made] = await ctx.sql<{ id: string }[]>`
    select id from donation where tx_hash = ${txHash('made up')}`
  expect(await found()).toEqual([`event of donation ${made?.id}`])
  await createSealLedgerJob(ctx, newFolder()).run()
  expect(await found()).toContain(`event of donation ${made?.id}`)
})

test('leaves a donation that was made up with its event to the comparison with the chain', async () => {
  const { tamper, found, ids } = await copy()
  await tamper(...makeUpDonation(ids.exact ?? '', txHash('made up')))
  expect(await found()).toEqual([])
})
