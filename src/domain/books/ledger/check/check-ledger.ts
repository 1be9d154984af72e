import type { Database, Queryable } from '../../../../db/client.ts'
import { type Clock, systemClock } from '../../../../kernel/ports/clock.ts'
import type { Difference } from '../../../shared/index.ts'
import { checkCampaigns } from './check-campaigns.ts'
import { checkConversions } from './check-conversions.ts'
import { checkCustody, checkUnclaimed } from './check-custody.ts'
import { checkDonations } from './check-donations.ts'
import { checkEntries } from './check-entries.ts'
import { checkEscrowTerms } from './check-escrow-terms.ts'
import { checkEscrows } from './check-escrows.ts'
import { checkCampaignEvents, checkDonationEvents } from './check-events.ts'
import { checkMilestones } from './check-milestones.ts'
import { checkMoneyEvents } from './check-money-events.ts'
import { type Check, readSlice } from './check-parts.ts'
import { checkCredits, checkTotals } from './check-totals.ts'
import { checkBookedTransfers, checkTransfers } from './check-transfers.ts'

type LedgerCheck = { campaigns: number; entries: number; differences: Difference[] }

/** The largest number of differences that one check returns. */
const MOST_DIFFERENCES = 1_000

/** The checks in their order. If several checks report the same value, only the first counts. */
const CHECKS: readonly Check[] = [
  checkTotals,
  checkCredits,
  checkEntries,
  checkCustody,
  checkUnclaimed,
  checkBookedTransfers,
  checkTransfers,
  checkDonations,
  checkConversions,
  checkCampaigns,
  checkMilestones,
  checkEscrows,
  checkEscrowTerms,
]
const EVENT_CHECKS = [checkMoneyEvents, checkDonationEvents, checkCampaignEvents]

/** The checks that can run on a part of the ledger, because they need no sum over all entries. */
const SLICE_CHECKS: readonly Check[] = [
  checkCredits,
  checkEntries,
  checkCustody,
  checkBookedTransfers,
  checkTransfers,
  checkDonations,
  checkConversions,
]

/**
 * Recomputes all totals from the ledger. Compares donations, transfers, campaigns and milestones
 * with the ledger entries and with each other, in one snapshot. Returns the differences.
 * docs/check.md lists the compared columns.
 */
export const checkLedger = (pool: Database, clock: Clock = systemClock): Promise<LedgerCheck> =>
  pool.begin('isolation level repeatable read read only', async (sql) => {
    // Turns off nested loops, which are very slow here if the table statistics are wrong.
    await sql`select set_config('enable_nestloop', 'off', true)`
    const [counted] = await sql<{ campaigns: number; entries: number }[]>`
      select (select count(*) from campaign) as campaigns,
             (select count(*) from ledger_entry) as entries`
    const found = new Map<string, Difference>()
    const add = (differences: readonly Difference[]): void => {
      for (const difference of differences) {
        const key = `${difference.what} ${difference.id}`
        if (!found.has(key)) found.set(key, difference)
      }
    }
    for (const check of CHECKS) add(await check(sql, MOST_DIFFERENCES))
    for (const check of EVENT_CHECKS) add(await check(sql, MOST_DIFFERENCES, clock.now()))
    return {
      campaigns: counted?.campaigns ?? 0,
      entries: counted?.entries ?? 0,
      differences: [...found.values()],
    }
  })

/**
 * Compares these entries with their donations, transfers and milestones, and compares each of these
 * rows with all its entries. Does not check totals, because this would read the whole ledger.
 */
export const checkSlice = async (
  sql: Queryable,
  entries: readonly number[],
): Promise<Difference[]> => {
  const slice = await readSlice(sql, entries)
  const differences: Difference[] = []
  for (const check of SLICE_CHECKS) {
    differences.push(...(await check(sql, MOST_DIFFERENCES, slice)))
  }
  return differences
}
