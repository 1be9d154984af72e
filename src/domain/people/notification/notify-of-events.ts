import type { Context } from '../../../db/context.ts'
import type { Campaign } from '../../../db/schema/campaigns.ts'
import { emit, type NewEvent } from '../../../outbox/emit.ts'
import { type Notice, notify } from './notify.ts'

type Titles = {
  campaigns: ReadonlyMap<string, Pick<Campaign, 'title' | 'creatorId'>>
  milestones: ReadonlyMap<string, string>
}

/** Emits events in the caller's transaction, and notifies the donors and creators concerned. */
export const emitAndNotify = async (ctx: Context, events: readonly NewEvent[]): Promise<void> => {
  await emit(ctx, events)
  await notifyOfEvents(ctx, events)
}

/** Notifies donors and creators of these events, with at most four SQL statements in total. */
const notifyOfEvents = async (ctx: Context, events: readonly NewEvent[]): Promise<void> => {
  const campaignIds = [...new Set(events.flatMap(({ campaignId }) => campaignId ?? []))]
  if (campaignIds.length === 0) return
  const campaigns = await ctx.sql<Pick<Campaign, 'id' | 'title' | 'creatorId'>[]>`
    select id, title, creator_id from campaign where id = any(${campaignIds}::uuid[])`
  const titles = {
    campaigns: new Map(campaigns.map((campaign) => [campaign.id, campaign])),
    milestones: await milestoneTitles(ctx, events),
  }
  const notices = events.flatMap((event) => noticesOf(event, titles))
  await notify(ctx, notices)
}

/** Reads the title of each reached milestone, or its description if it has no title. */
const milestoneTitles = async (
  ctx: Context,
  events: readonly NewEvent[],
): Promise<Map<string, string>> => {
  const ids = events.flatMap((event) =>
    event.type === 'campaign.milestone.reached' ? [event.data.milestoneId] : [],
  )
  if (ids.length === 0) return new Map()
  const rows = await ctx.sql<{ id: string; title: string }[]>`
    select id, coalesce(title, description) as title from milestone
    where id = any(${ids}::uuid[])`
  return new Map(rows.map(({ id, title }) => [id, title]))
}

const noticesOf = (event: NewEvent, titles: Titles): Notice[] => {
  const about = titles.campaigns.get(event.campaignId ?? '')
  if (!about) return []
  const { title: campaign, creatorId } = about
  switch (event.type) {
    case 'donation.completed':
    case 'donation.reversed': {
      const { donationId, campaignId, userId, amount } = event.data
      const notice = (to: 'donor' | 'creator', userId: string): Notice => {
        const values = { ...moneyOf(amount), campaign, to }
        const about = { userId, data: { donationId, campaignId } }
        if (event.type === 'donation.completed') {
          return { ...about, type: 'donation_completed', values }
        }
        const { reason } = event.data
        return { ...about, type: 'donation_reversed', values: { ...values, reason } }
      }
      const donor = userId === null ? [] : [notice('donor', userId)]
      return userId === creatorId ? donor : [...donor, notice('creator', creatorId)]
    }
    case 'deposit.unclaimed': {
      const { depositId, campaignId, amount } = event.data
      const values = { ...moneyOf(amount), campaign }
      const data = { depositId, campaignId }
      return [{ userId: creatorId, type: 'deposit_unclaimed', values, data }]
    }
    case 'campaign.milestone.reached': {
      const { campaignId, milestoneId } = event.data
      const values = { milestone: titles.milestones.get(milestoneId) ?? '', campaign }
      const data = { campaignId, milestoneId }
      return [{ userId: creatorId, type: 'milestone_reached', values, data }]
    }
    case 'campaign.funded': {
      const { campaignId, targetAmount } = event.data
      const values = { ...moneyOf(targetAmount), campaign }
      return [{ userId: creatorId, type: 'campaign_funded', values, data: { campaignId } }]
    }
    case 'campaign.failed': {
      const { campaignId, refundable } = event.data
      const values = { ...moneyOf(refundable), campaign }
      return [{ userId: creatorId, type: 'campaign_failed', values, data: { campaignId } }]
    }
    case 'donation.refunded': {
      const { donationId, campaignId, userId, amount, receiver } = event.data
      if (userId === null) return []
      const values = { ...moneyOf(amount), campaign, ...(receiver && { receiver }) }
      return [{ userId, type: 'donation_refunded', values, data: { donationId, campaignId } }]
    }
    default:
      return []
  }
}

const moneyOf = ({ value, currency }: { value: string; currency: string }) => ({
  amount: value,
  currency,
})
