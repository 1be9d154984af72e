import { createEndpoint } from '../../src/domain/events/index.ts'
import { newId } from '../../src/kernel/formats/ids.ts'
import { emit } from '../../src/outbox/emit.ts'
import { address } from './chain-facts.ts'
import { recordIntent } from './donate.ts'
import { freePort } from './metrics-scrape.ts'
import { waitFor } from './wait-for.ts'
import { createTestCampaign, createUser, type World } from './world.ts'

export type Perishable = {
  /** The number or the status of the rows of each kind. */
  left(): Promise<unknown>
  /** Waits until a worker has failed to send an event to the endpoint. */
  failEndpoint(): Promise<void>
}

/** The result of `left` while nothing has been removed, expired or disabled. */
export const ALL_LEFT = {
  events: 1,
  sessions: 1,
  answers: 1,
  intent: 'pending',
  endpoint: 'active',
}

/**
 * Creates a row of each kind that ends by a clock: a sent event, a session, a stored answer, an
 * intent, and an endpoint that has failed for a day. All of them have hours or days left.
 */
export const createPerishable = async (world: World): Promise<Perishable> => {
  const { ctx } = world
  const user = await createUser(ctx)
  const as = world.as(user)
  const campaignId = await createTestCampaign(ctx, { creator: user, account: address('campaign') })
  const { userId } = user
  const data = { userId, verifiedAt: new Date().toISOString() }
  const happen = () =>
    emit(ctx, [{ type: 'user.verified', data, audience: [userId], campaignId: null }])
  await happen()
  await ctx.sql`delete from unrelayed_event`
  await ctx.sql`
    insert into session (id, user_id, created_at, expires_at)
    values (${newId()}, ${user.userId}, now(), now() + interval '1 day')`
  await ctx.sql`
    insert into idempotency_key (caller, key, fingerprint, expires_at)
    values ('perishable', 'key', '', now() + interval '1 hour')`
  await recordIntent(as, {
    campaignId,
    amount: { value: '1', currency: 'USDC' },
    donor: { walletAddress: address('donor') },
  })
  await ctx.sql`update donation set next_check_at = expires_at`
  const url = `http://127.0.0.1:${await freePort()}`
  await createEndpoint(as, { url, events: ['user.verified'] })
  await ctx.sql`update webhook_endpoint set failing_since = now() - interval '1 day'`
  return {
    async left() {
      const [row] = await ctx.sql`
        select (select count(*)::int from event where seq = 1) as events,
               (select count(*)::int from session) as sessions,
               (select count(*)::int from idempotency_key where caller = 'perishable') as answers,
               (select status from donation) as intent,
               (select status from webhook_endpoint) as endpoint`
      return row
    },
    async failEndpoint() {
      await happen()
      await waitFor(
        'an attempt to fail',
        () => ctx.sql`select from webhook_delivery where attempts > 0`,
        (rows) => rows.length > 0,
      )
    },
  }
}
