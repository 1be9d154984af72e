import type { Database, Queryable } from '../../../db/client.ts'
import { type Clock, systemClock } from '../../../kernel/clock.ts'
import type { Difference } from '../difference.ts'
import { checkCampaigns } from './check-campaigns.ts'
import { checkConversions } from './check-conversions.ts'
import { checkCustody, checkUnclaimed } from './check-custody.ts'
import { checkDonations } from './check-donations.ts'
import { checkEntries } from './check-entries.ts'
import { checkCampaignEvents, checkDonationEvents } from './check-events.ts'
import { checkMilestones } from './check-milestones.ts'
import { checkCredits, checkTotals } from './check-totals.ts'
import { checkBookedTransfers, checkTransfers } from './check-transfers.ts'

export type LedgerCheck = { campaigns: number; entries: number; differences: Difference[] }

/** Of each check. */
const MOST_DIFFERENCES = 1_000

/** Each is one statement, or a few, over whole tables. What is sealed is compared first. */
const CHECKS: readonly ((sql: Queryable, most: number, now: Date) => Promise<Difference[]>)[] = [
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
  checkDonationEvents,
  checkCampaignEvents,
]

/**
 * Recomputes every total from the ledger, and compares donations, transfers, campaigns and
 * milestones with its entries and with each other, in one snapshot. Names everything that differs:
 * docs/check.md lists what that covers, column by column.
 */
export const checkLedger = async (
  pool: Database,
  clock: Clock = systemClock,
): Promise<LedgerCheck> =>
  (await pool.begin('isolation level repeatable read read only', async (sql) => {
    // Whole tables are compared: joined by hash that is linear, whatever the planner knows of them.
    await sql`select set_config('enable_nestloop', 'off', true)`
    const [counted] = await sql<{ campaigns: number; entries: number }[]>`
      select (select count(*) from campaign) as campaigns,
             (select count(*) from ledger_entry) as entries`
    const found = new Map<string, Difference>()
    for (const check of CHECKS) {
      for (const one of await check(sql, MOST_DIFFERENCES, clock.now())) {
        const key = `${one.what} ${one.id}`
        if (!found.has(key)) found.set(key, one)
      }
    }
    return {
      campaigns: counted?.campaigns ?? 0,
      entries: counted?.entries ?? 0,
      differences: [...found.values()],
    }
  })) as LedgerCheck
