import type { Queryable } from '../../../../db/client.ts'
import { escrowAddress } from '../../../../escrow/address.ts'
import { type EscrowTerms, unpackTerms } from '../../../../escrow/terms.ts'
import type { Difference } from '../../../shared/index.ts'
import { type Check, compareRows } from './check-parts.ts'

const ROWS_AT_ONCE = 1_000

type Row = {
  id: string
  account: string
  terms: string
  asset: string | null
  target: string
  /** The amounts in base units, in the order of the milestones, joined by commas. */
  milestones: string
}

/**
 * Compares each campaign that has an escrow with its terms. The account also differs if an earlier
 * version of the contract computed it: this version cannot follow such an escrow.
 */
export const checkEscrowTerms: Check = (sql, most) =>
  compareRows(readCampaigns(sql), most, (row) => {
    const terms = readTerms(row.terms)
    if (!terms) return [differs('terms', row, row.terms, 'readable')]
    const amounts = terms.milestones.map(({ amount }) => amount)
    const pairs: [what: string, stored: string, recomputed: string][] = [
      ['account', row.account, escrowAddress(row.terms as `0x${string}`)],
      ['currency', row.asset ?? 'none', terms.asset],
      ['target', row.target, terms.target.toString()],
      ['milestone amounts', row.milestones, amounts.join()],
    ]
    return pairs.flatMap(([what, stored, recomputed]) =>
      stored === recomputed ? [] : [differs(what, row, stored, recomputed)],
    )
  })

const readTerms = (packed: string): EscrowTerms | undefined => {
  try {
    return unpackTerms(packed)
  } catch {
    return undefined
  }
}

const differs = (what: string, { id }: Row, stored: string, recomputed: string): Difference => ({
  ...{ what: `${what} of campaign`, id, stored, recomputed },
})

const readCampaigns = (sql: Queryable) =>
  sql<Row[]>`
    select campaign.id, campaign.account, escrow.terms, currency.address as asset,
           campaign.target_amount::text as target,
           (select coalesce(string_agg(milestone.amount::text, ',' order by milestone.position), '')
            from milestone where milestone.campaign_id = campaign.id) as milestones
    from campaign_escrow escrow
    join campaign on campaign.id = escrow.campaign_id
    join asset currency on currency.id = campaign.currency_id`.cursor(ROWS_AT_ONCE)
