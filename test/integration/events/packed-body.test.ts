import { expect, test } from 'vitest'
import { exampleEventData } from '../../../src/api/openapi/webhooks.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { emit, type NewEvent } from '../../../src/outbox/emit.ts'
import { EVENT_TYPES, type EventData } from '../../../src/outbox/events.ts'
import { createWorld } from '../../support/world.ts'

test('gives back the text of each event to the byte, in less than half of its space for a donation', async () => {
  const { ctx } = await createWorld()
  const [donor, creator, campaignId] = [newId(), newId(), newId()]
  const events = EVENT_TYPES.map((type) => {
    const data = { ...(exampleEventData(type) as object), userId: donor, campaignId }
    return { type, data, audience: [donor, creator], campaignId } as unknown as NewEvent
  })
  const example = exampleEventData('donation.completed') as EventData<'donation.completed'>
  const converted = { value: '7', currency: 'ETH' }
  const exchanged: NewEvent = {
    ...{ type: 'donation.completed', audience: [], campaignId },
    data: { ...example, campaignId, declaredAmount: converted, creditedAmount: converted },
  }
  // Words of people: a control character, a phrase of other events, and ids of the event's row.
  const evidence = { type: `\u0001\u0010 ","currency":"`, url: donor, timestamp: creator }
  const verified = { campaignId, verifiers: [], evidence: [evidence], verifiedAt: '' }
  const audience = [null]
  const strange: NewEvent = { type: 'impact.verified', data: verified, audience, campaignId }
  const sent = [...events, exchanged, strange, { ...strange, campaignId: null }]
  await emit(ctx, sent)
  const rows = await ctx.sql<{ id: string; createdAt: Date; body: string; packed: string }[]>`
    select id, created_at, event.body, packed from event order by seq`
  const texts = rows.map(({ id, createdAt }, index) => {
    const { type: event, data } = sent[index] ?? {}
    return JSON.stringify({ id, event, created: createdAt.toISOString(), data })
  })
  expect(rows.map(({ body }) => body)).toEqual(texts)
  const completed = rows[EVENT_TYPES.indexOf('donation.completed')]
  expect(completed?.packed.length).toBeLessThan((completed?.body.length ?? 0) / 2)
})
