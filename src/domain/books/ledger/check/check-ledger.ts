import type { Queryable } from '../../../../db/client.ts'
import type { Clock } from '../../../../kernel/ports/clock.ts'
import type { Difference } from '../../../shared/index.ts'
import type { Part } from '../../ranges/run-parts.ts'
import { among, MOST_DIFFERENCES, type Slice } from '../../ranges/slice.ts'
import { checkOpenings, checkStatuses, checkTerms } from './check-campaigns.ts'
import { checkConversions } from './check-conversions.ts'
import { checkCustody, checkUnarrived, checkUnclaimed } from './check-custody.ts'
import { checkDonations, checkSenders } from './check-donations.ts'
import { checkEntries } from './check-entries.ts'
import { checkEscrowTerms } from './check-escrow-terms.ts'
import { checkEscrows, checkRefundedAmounts } from './check-escrows.ts'
import { checkCampaignEvents, checkDonationEvents } from './check-events.ts'
import { checkMilestones } from './check-milestones.ts'
import { checkMoneyEvents } from './check-money-events.ts'
import { type Check, readSlice } from './check-parts.ts'
import { checkCredits, checkReleases, checkTotals } from './check-totals.ts'
import { checkBookedTransfers, checkTransfers } from './check-transfers.ts'

/** The checks of single rows. A range of a table is checked with the rows that its rows name. */
const OF_ENTRIES = [checkEntries, checkUnarrived, checkBookedTransfers, checkTerms]
const OF_DONATIONS = [
  checkCredits,
  checkDonations,
  checkSenders,
  checkConversions,
  checkRefundedAmounts,
]
const OF_TRANSFERS = [checkCustody, checkTransfers]
const OF_MILESTONES = [checkReleases]

/**
 * Recomputes all totals from the ledger. Compares donations, transfers, campaigns and milestones
 * with the ledger entries and with each other. docs/check.md lists the compared columns.
 */
export const ledgerParts = (clock: Clock): Part[] => [
  { name: 'payment events', run: whole((sql, most) => checkMoneyEvents(sql, most, clock.now())) },
  { name: 'donation events', run: whole(checkDonationEvents) },
  { name: 'totals', run: whole(checkTotals) },
  { name: 'unclaimed deposits', run: whole(checkUnclaimed) },
  { name: 'campaigns', run: campaigns },
  { name: 'milestones', run: whole(checkMilestones) },
  { name: 'escrows', run: whole(checkEscrows) },
  { name: 'terms of escrows', run: whole(checkEscrowTerms) },
  {
    name: 'campaign events',
    run: whole((sql, most) => checkCampaignEvents(sql, most, clock.now())),
  },
  {
    name: 'releases',
    ranges: { table: 'milestone', column: 'id', rows: 'milestones' },
    run: whole(...OF_MILESTONES),
  },
  {
    name: 'entries',
    ranges: { table: 'ledger_entry', column: 'id', rows: 'entries' },
    run: entries,
  },
  {
    name: 'transfers',
    ranges: { table: 'chain_transfer', column: 'id', rows: 'transfers' },
    run: whole(...OF_TRANSFERS),
  },
  {
    name: 'donations',
    ranges: { table: 'donation', column: 'id', rows: 'donations' },
    run: whole(...OF_DONATIONS),
  },
]

const all = async (
  checks: readonly Check[],
  sql: Queryable,
  slice: Slice,
): Promise<Difference[]> => {
  const differences: Difference[] = []
  for (const check of checks) differences.push(...(await check(sql, MOST_DIFFERENCES, slice)))
  return differences
}

const whole =
  (...checks: Check[]): Part['run'] =>
  async (sql, slice) => ({ differences: await all(checks, sql, slice) })

const campaigns: Part['run'] = async (sql, slice) => {
  const [row] = await sql<{ count: number }[]>`select count(*) from campaign`
  const differences = await all([checkOpenings, checkStatuses], sql, slice)
  return { differences, counts: { campaigns: row?.count ?? 0 } }
}

const entries: Part['run'] = async (sql, slice) => {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from ledger_entry where true ${among(sql, 'id', slice, 'entries')}`
  const differences = await all(OF_ENTRIES, sql, slice)
  return { differences, counts: { entries: row?.count ?? 0 } }
}

/**
 * Compares these entries with their donations, transfers and milestones, and compares each of these
 * rows with all its entries. Does not check totals, because this would read the whole ledger.
 */
export const checkSlice = async (sql: Queryable, ids: readonly number[]): Promise<Difference[]> =>
  all(
    [...OF_DONATIONS, ...OF_MILESTONES, ...OF_ENTRIES, ...OF_TRANSFERS],
    sql,
    await readSlice(sql, ids),
  )
