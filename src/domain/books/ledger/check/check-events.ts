import type { Queryable } from '../../../../db/client.ts'
import type { Campaign } from '../../../../db/schema/campaigns.ts'
import type { Donation } from '../../../../db/schema/donations.ts'
import type { Difference } from '../../../shared/index.ts'
import { compareRows, standingEntries } from './check-parts.ts'
import {
  eventsOf,
  idIn,
  keptSince,
  moneyText,
  readFacts,
  readSymbols,
  type StoredMoney,
  saidText,
  saysMoney,
} from './event-facts.ts'

const ROWS_AT_ONCE = 1_000

type DonationRow = StoredMoney &
  Pick<Donation, 'id' | 'userId' | 'campaignId'> & {
    transferId: string
    minedAt: Date | null
    creatorId: string
    body: string
    audience: string[]
  }

/**
 * Compares each credited donation with its newest `donation.completed` event. The event repeats the
 * donor, the declared amount and the block time, which the ledger does not have.
 */
export const checkDonationEvents = async (sql: Queryable, most: number): Promise<Difference[]> => {
  const symbols = await readSymbols(sql)
  return compareRows(readDonations(sql), most, (row) => compareDonation(row, symbols))
}

const readDonations = (sql: Queryable) =>
  sql<DonationRow[]>`
    with standing as (${standingEntries(sql)}), sent as (
      select distinct on (1) ${idIn(sql, 'donationId')} as donation_id, body, audience
      from ${eventsOf(sql, ['donation.completed'])}
      order by 1, seq desc
    )
    select donation.id, donation.user_id, donation.declared_amount::text as units,
           declared.decimals, declared.symbol, transfer.id as transfer_id, transfer.mined_at,
           campaign.id as campaign_id, campaign.creator_id, sent.body, sent.audience
    from donation
    join standing credit on credit.donation_id = donation.id and credit.kind = 'donation'
    join chain_transfer transfer on transfer.id = credit.transfer_id
    join campaign on campaign.id = credit.campaign_id
    join asset declared on declared.id = donation.declared_asset_id
    join sent on sent.donation_id = donation.id::text`.cursor(ROWS_AT_ONCE)

const compareDonation = (row: DonationRow, symbols: ReadonlySet<string>): Difference[] => {
  const facts = readFacts('donation.completed', row.body)
  if (!facts) {
    const recomputed = 'donation.completed'
    return [{ what: 'event of donation', id: row.id, stored: 'unreadable', recomputed }]
  }
  const differences: Difference[] = []
  const declared = facts.declaredAmount
  // `toJSON` returns null for an invalid date.
  const minedAt = row.minedAt?.toJSON() ?? 'none'
  const differs = (what: string, id: string, stored: string, recomputed: string): void => {
    differences.push({ what, id, stored, recomputed })
  }
  // A guest's donation has no user in its event, even if a user has claimed the donation later.
  if (facts.userId !== null && facts.userId !== row.userId) {
    differs('user of donation', row.id, row.userId ?? 'none', facts.userId)
  }
  if (!saysMoney(row, declared, symbols)) {
    differs('declared amount of donation', row.id, moneyText(row), saidText(declared))
  }
  if (facts.transaction.timestamp !== minedAt) {
    differs('time of transfer', row.transferId, minedAt, facts.transaction.timestamp)
  }
  const others = row.audience.filter((id) => id !== facts.userId)
  const creators = others.length > 0 || facts.userId === null ? others : [facts.userId]
  if (!creators.includes(row.creatorId)) {
    differs('creator of campaign', row.campaignId, row.creatorId, creators.join(' or '))
  }
  return differences
}

type CampaignRow = StoredMoney &
  Pick<Campaign, 'id' | 'status'> & {
    statusBody: string | null
    fundedBody: string | null
    /** Whether the campaign changed so recently that the event of this change must still exist. */
    recent: boolean
  }
/** `holds`: the milestone is reached, or a later event says that it is missed again. */
type MilestoneRow = StoredMoney & { id: string; body: string; holds: boolean }

/** Compares the status and target of campaigns and the amounts of milestones with their events. */
export const checkCampaignEvents = async (
  sql: Queryable,
  most: number,
  now: Date,
): Promise<Difference[]> => {
  const symbols = await readSymbols(sql)
  const campaigns = await compareRows(readCampaigns(sql, keptSince(now)), most, (row) =>
    compareCampaign(row, symbols),
  )
  const milestones = await compareRows(readMilestones(sql, keptSince(now)), most, (row) => {
    const said = readFacts('campaign.milestone.reached', row.body)?.amount
    if (!row.holds) {
      return [
        { what: 'event of milestone', id: row.id, stored: saidText(said), recomputed: 'none' },
      ]
    }
    if (said && saysMoney(row, said, symbols)) return []
    const stored = moneyText(row)
    return [{ what: 'amount of milestone', id: row.id, stored, recomputed: saidText(said) }]
  })
  return [...campaigns, ...milestones].slice(0, most)
}

const readCampaigns = (sql: Queryable, since: Date) =>
  sql<CampaignRow[]>`
    with changed as (
      select distinct on (campaign_id) campaign_id, body
      from ${eventsOf(sql, ['campaign.updated'])} where body ~ '"changes":\\[[^]]*"status"'
      order by campaign_id, seq desc
    ), funded as (
      select distinct on (campaign_id) campaign_id, body
      from ${eventsOf(sql, ['campaign.funded'])}
      order by campaign_id, seq desc
    )
    select campaign.id, campaign.status, campaign.target_amount::text as units,
           currency.decimals, currency.symbol, funded.body as funded_body,
           -- If an escrow has ended the campaign, checkEscrows compares the status.
           case when not ended.by_escrow then changed.body end as status_body,
           campaign.updated_at > ${since} and not ended.by_escrow as recent
    from campaign
    join asset currency on currency.id = campaign.currency_id
    left join changed on changed.campaign_id = campaign.id
    left join funded on funded.campaign_id = campaign.id
    cross join lateral (select campaign.status in ('failed', 'cancelled') and exists (
      select from escrow_event
      where campaign_id = campaign.id and kind = 'Failed' and settled_at is not null
    ) as by_escrow) ended
    where changed.body is not null or funded.body is not null
      or campaign.status in ('completed', 'cancelled')`.cursor(ROWS_AT_ONCE)

const compareCampaign = (row: CampaignRow, symbols: ReadonlySet<string>): Difference[] => {
  const differences: Difference[] = []
  const differs = (what: string, stored: string, recomputed: string): void => {
    differences.push({ what: `${what} of campaign`, id: row.id, stored, recomputed })
  }
  const isOver = (status: string) => status === 'completed' || status === 'cancelled'
  if (row.statusBody !== null) {
    const said = readFacts('campaign.updated', row.statusBody)?.status ?? 'unreadable event'
    const isOpen = (status: string) => status === 'active' || status === 'funded'
    const holds = isOver(said) ? row.status === said : isOpen(said) && isOpen(row.status)
    if (!holds) differs('status', row.status, said)
  } else if (isOver(row.status) && row.recent) {
    differs('status', row.status, 'active or funded')
  }
  if (row.fundedBody !== null) {
    const said = readFacts('campaign.funded', row.fundedBody)?.targetAmount
    if (!said || !saysMoney(row, said, symbols)) differs('target', moneyText(row), saidText(said))
  }
  return differences
}

/** Reads the events of milestones since a time, also if the milestone is gone. */
const readMilestones = (sql: Queryable, since: Date) =>
  sql<MilestoneRow[]>`
    with named as (
      select ${idIn(sql, 'milestoneId')} as id, type, body, seq,
             max(seq) over (partition by ${idIn(sql, 'milestoneId')}) as newest
      from ${eventsOf(sql, ['campaign.milestone.reached', 'campaign.threshold.reverted'])}
      where created_at > ${since}
    )
    select named.id, milestone.amount::text as units, currency.decimals, currency.symbol, named.body,
           milestone.id is not null
             and (milestone.reached_at is not null or named.seq < named.newest) as holds
    from named
    left join milestone on milestone.id::text = named.id
    left join campaign on campaign.id = milestone.campaign_id
    left join asset currency on currency.id = campaign.currency_id
    where named.type = 'campaign.milestone.reached'`.cursor(ROWS_AT_ONCE)
