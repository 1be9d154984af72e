import type { NewEvent } from '../../outbox/emit.ts'
import type { Context } from '../context.ts'
import { type Notice, notify } from './notify.ts'

type Titles = {
  campaigns: ReadonlyMap<string, { title: string; creatorId: string }>
  milestones: ReadonlyMap<string, string>
}

/**
 * Notifies the users of a batch of events, in the transaction that emits it. Takes four statements
 * at most, for a batch of any size. Skips events without a notification.
 */
export const notifyOfEvents = async (ctx: Context, events: readonly NewEvent[]): Promise<void> => {
  const campaignIds = [...new Set(events.flatMap(({ campaignId }) => campaignId ?? []))]
  if (campaignIds.length === 0) return
  const campaigns = await ctx.sql<{ id: string; title: string; creatorId: string }[]>`
    select id, title, creator_id from campaign where id = any(${campaignIds}::uuid[])`
  const titles = {
    campaigns: new Map(
      campaigns.map(({ id, title, creatorId: creator_id }) => [
        id,
        { title, creatorId: creator_id },
      ]),
    ),
    milestones: await milestoneTitles(ctx, events),
  }
  await notify(
    ctx,
    events.flatMap((event) => noticesOf(event, titles)),
  )
}

/** What each milestone reached is called: its title, or its description where it has none. */
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
      const notice = (to: 'donor' | 'creator', recipient: string): Notice => {
        const values = { amount: amount.value, currency: amount.currency, campaign, to }
        const about = { userId: recipient, data: { donationId, campaignId } }
        return event.type === 'donation.completed'
          ? { ...about, type: 'donation_completed', values }
          : {
              ...about,
              type: 'donation_reversed',
              values: { ...values, reason: event.data.reason },
            }
      }
      const donor = userId === null ? [] : [notice('donor', userId)]
      return userId === creatorId ? donor : [...donor, notice('creator', creatorId)]
    }
    case 'deposit.unclaimed': {
      const { depositId, campaignId, amount } = event.data
      return [
        {
          userId: creatorId,
          type: 'deposit_unclaimed',
          values: { amount: amount.value, currency: amount.currency, campaign },
          data: { depositId, campaignId },
        },
      ]
    }
    case 'campaign.milestone.reached': {
      const { campaignId, milestoneId } = event.data
      return [
        {
          userId: creatorId,
          type: 'milestone_reached',
          values: { milestone: titles.milestones.get(milestoneId) ?? '', campaign },
          data: { campaignId, milestoneId },
        },
      ]
    }
    case 'campaign.funded': {
      const { campaignId, targetAmount } = event.data
      return [
        {
          userId: creatorId,
          type: 'campaign_funded',
          values: { amount: targetAmount.value, currency: targetAmount.currency, campaign },
          data: { campaignId },
        },
      ]
    }
    default:
      return []
  }
}
