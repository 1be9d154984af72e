import { expect, test } from 'vitest'
import { claimDeliveries } from '../../../src/domain/events/index.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { relayEvents } from '../../support/deliveries.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createTestApi } from '../http/support/api.ts'

test('sends events that an earlier version wrote as they are, in the feed, in webhooks and in replays', async () => {
  const api = await createTestApi()
  const { ctx } = api
  const [donor, campaignId] = [await api.signIn(), newId()]
  const endpoint = await api.ask('POST', '/api/webhooks', {
    token: donor.token,
    body: { url: 'http://127.0.0.1:3999/hook', events: ['donation.completed'] },
  })
  const { id: endpointId } = endpoint.body.webhook as { id: string }
  const eventId = newId()
  const created = ctx.clock.now()
  const body = JSON.stringify({
    id: eventId,
    event: 'donation.completed',
    created: created.toISOString(),
    data: {
      ...{ donationId: newId(), campaignId, status: 'completed', userId: donor.userId },
      amount: { value: '1000000', currency: 'USDC' },
      transaction: { ledgerTxId: `0x${'ab'.repeat(32)}`, timestamp: created.toISOString() },
      confirmedAmount: { value: '0.000001', currency: 'USDC' },
      confirmations: 1,
    },
  })
  await ctx.sql`
    with written as (
      insert into event (id, type, campaign_id, audience, packed, created_at)
      values (${eventId}, 'donation.completed', ${campaignId}, ${[donor.userId]}::uuid[], ${body},
              ${created})
      returning tx, seq
    ), waiting as (
      insert into unrelayed_event (seq) select seq from written
    )
    insert into event_audience (user_id, tx, seq) select ${donor.userId}, tx, seq from written`
  await waitFor(
    'the feed to show the event as it is',
    // Reads the feed without checking it against the document, which describes events of this
    // version.
    async () =>
      (
        await api.app.request('/api/events', {
          headers: { authorization: `Bearer ${donor.token}` },
        })
      ).text(),
    (text) => text.includes(body),
  )
  const due = () => claimDeliveries(ctx, { limit: 10, perEndpoint: 10, leaseMs: 60_000 })
  await relayEvents(ctx, { limit: 10 })
  expect(await due()).toMatchObject([{ body }])
  await ctx.sql`update webhook_delivery set status = 'exhausted', next_attempt_at = null`
  const replayed = await api.ask('POST', `/api/webhooks/${endpointId}/replay`, {
    token: donor.token,
    body: { since: '2020-01-01T00:00:00Z' },
  })
  expect(replayed.body.replay).toMatchObject({ replayed: 1 })
  expect(await due()).toMatchObject([{ body }])
})
