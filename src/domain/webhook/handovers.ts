import { onCommit, withTransaction } from '../../db/transaction.ts'
import type { HandedDelivery, Handover } from '../../outbox/relay.ts'
import type { Context } from '../context.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'
import { wasDeliveredAtOnce } from './delivery-sources.ts'
import { openHeaders, openSigners, type SealedKeys } from './sealed-keys.ts'

/** Handovers that one pass takes back. */
const TAKEN_BACK = 20

type Endpoint = { id: string; url: string } & SealedKeys

/**
 * The deliveries of a handover, ready to be sent: `ready` those whose endpoint is active, `others`
 * those that it has been switched off or paused under.
 */
export const openHandover = async (
  { sql, clock, secrets }: Context,
  { id: lease, deliveries }: Handover,
): Promise<{ ready: ClaimedDelivery[]; others: HandedBack[] }> => {
  const ids = [...new Set(deliveries.map(({ endpointId }) => endpointId))]
  const rows = await sql<Endpoint[]>`
    select id, url, secret_sealed, previous_secret_sealed, previous_secret_until, headers_sealed
    from webhook_endpoint where id = any(${ids}::uuid[]) and status = 'active'`
  const now = clock.now()
  const endpoints = new Map(
    rows.map((row) => [
      row.id,
      {
        url: row.url,
        signers: openSigners(secrets, row, now),
        headers: openHeaders(secrets, row.headers_sealed),
      },
    ]),
  )
  const ready: ClaimedDelivery[] = []
  const others: HandedBack[] = []
  for (const delivery of deliveries) {
    const endpoint = endpoints.get(delivery.endpointId)
    if (!endpoint) others.push(delivery)
    else ready.push(readyDelivery(delivery, endpoint, lease))
  }
  return { ready, others }
}

type OpenEndpoint = Pick<ClaimedDelivery, 'url' | 'signers' | 'headers'>

/** Written out: there are ten thousands a second, and a spread takes as long as signing. */
const readyDelivery = (
  delivery: HandedDelivery,
  { url, signers, headers }: OpenEndpoint,
  lease: string,
): ClaimedDelivery => ({
  id: delivery.id,
  endpointId: delivery.endpointId,
  lease,
  attempts: 0,
  scheduleAttempts: 0,
  troubled: false,
  nextSlotAt: null,
  handed: true,
  eventId: delivery.eventId,
  eventType: delivery.eventType,
  body: delivery.body,
  requestId: delivery.requestId,
  traceParent: delivery.traceParent,
  url,
  signers,
  headers,
})

export type HandedBack = { id: string; eventId: string; endpointId: string }

/**
 * Writes the rows of deliveries that were handed over and not attempted: due at once, or cancelled
 * where their endpoint was disabled meanwhile.
 */
export const keepHanded = async (
  context: Context,
  deliveries: readonly HandedBack[],
): Promise<void> => {
  const { sql } = context
  const now = context.clock.now()
  const rows = deliveries.map(({ id, eventId, endpointId }) => ({
    id,
    event_id: eventId,
    endpoint_id: endpointId,
  }))
  await sql`
    insert into webhook_delivery (id, event_id, endpoint_id, campaign_id, event_seq, status,
                                  next_attempt_at, created_at)
    select row.id, event.id, endpoint.id, event.campaign_id, event.seq,
           case when endpoint.status = 'disabled' then 'cancelled' else 'pending' end,
           case when endpoint.status <> 'disabled' then ${now}::timestamptz end,
           event.relayed_at
    from jsonb_to_recordset(${sql.json(rows)}) as row (id uuid, event_id uuid, endpoint_id uuid)
    join event on event.id = row.event_id
    join webhook_endpoint endpoint
      on endpoint.id = row.endpoint_id and endpoint.deleted_at is null
    where not ${wasDeliveredAtOnce(sql, sql`endpoint.id`)}
    on conflict do nothing`
  onCommit(context, () => context.wake('deliveries'))
}

/** Forgets handovers all of whose deliveries are recorded. */
export const endHandovers = async ({ sql }: Context, ids: readonly string[]): Promise<void> => {
  await sql`delete from webhook_handover where id = any(${[...ids]}::uuid[])`
}

/**
 * Takes back what a worker held that is gone, or was slower than its lease: deliveries of it that
 * are not recorded get a row that is due. Returns how many handovers there were.
 */
export const takeBackHandovers = (context: Context): Promise<number> =>
  withTransaction(context, async (context) => {
    const { sql, clock } = context
    const now = clock.now()
    const taken = await sql<{ ids: string[]; event_ids: string[]; endpoint_ids: string[] }[]>`
      delete from webhook_handover where id in (
        select id from webhook_handover where lease_until <= ${now}
        order by lease_until limit ${TAKEN_BACK} for update skip locked)
      returning ids, event_ids, endpoint_ids`
    const deliveries = taken.flatMap(({ ids, event_ids, endpoint_ids }) =>
      ids.map((id, place) => ({
        id,
        eventId: event_ids[place] ?? '',
        endpointId: endpoint_ids[place] ?? '',
      })),
    )
    if (deliveries.length > 0) await keepHanded(context, deliveries)
    return taken.length
  })
