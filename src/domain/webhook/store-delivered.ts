import { timeOfId } from '../../kernel/ids.ts'
import type { DeliveryResult } from '../../webhooks/index.ts'
import type { Context } from '../context.ts'
import type { ClaimedDelivery } from './claim-deliveries.ts'

export type Delivered = {
  delivery: Pick<ClaimedDelivery, 'id' | 'lease' | 'eventId' | 'eventType' | 'endpointId'>
  result: DeliveryResult
}

/** What became of the attempts at one endpoint: how many counted, whether any succeeded or said 410. */
export type Recorded = {
  endpoint_id: string
  count: number
  ok: boolean
  gone: boolean
  failing_since: Date | null
}

/** Above this a row would be split from its arrays, or take a page for itself. */
const MAX_OF_ROW = 100

/** What was delivered of one handover and type to one endpoint. */
type Share = {
  lease: string
  endpointId: string
  eventType: string
  createdAtMs: number
  delivered: Delivered[]
}

/**
 * Stores handed over deliveries that arrived at the first attempt, a row for those of one handover,
 * endpoint and type. Results of a handover that was taken back meanwhile are ignored: somebody else
 * has its deliveries. Storing the same ones again changes nothing. Whether their endpoints were
 * failing ends with it, so that it cannot get lost between two statements.
 */
export const storeDelivered = (
  { sql, clock }: Context,
  all: readonly Delivered[],
): Promise<Recorded[]> => {
  const shares = shareOut(all)
  const sorted = shares.flatMap(({ delivered }) => delivered)
  const of = <T>(read: (delivery: Delivered['delivery']) => T): T[] =>
    sorted.map(({ delivery }) => read(delivery))
  const told = <T>(read: (result: DeliveryResult) => T): T[] =>
    sorted.map(({ result }) => read(result))
  const bodies = told(({ responseBody }) => responseBody ?? '')
  const ends: number[] = []
  for (const { delivered } of shares) ends.push((ends.at(-1) ?? 0) + delivered.length)
  // Whole columns, of which each row takes its slice: an element costs what reading its text does.
  return sql<Recorded[]>`
    with held as (
      select id from webhook_handover
      where id = any(${[...new Set(shares.map(({ lease }) => lease))]}::uuid[]) for key share
    ),
    stored as (
      insert into webhook_delivered (endpoint_id, created_at, first_id, event_type, delivered_at,
                                     ids, event_ids, started_ms, duration_ms, status_codes,
                                     response_bodies)
      select endpoint_id, created_at::timestamptz, first_id, event_type, ${clock.now()},
             (${of(({ id }) => id)}::uuid[])[least_place:most_place],
             (${of(({ eventId }) => eventId)}::uuid[])[least_place:most_place],
             (${told(({ startedAt }) => startedAt.getTime())}::bigint[])[least_place:most_place],
             (${told(({ durationMs }) => durationMs)}::int[])[least_place:most_place],
             (${told(({ statusCode }) => statusCode)}::int[])[least_place:most_place],
             (${bodies.every((body) => body === '') ? null : bodies}::text[])[least_place:most_place]
      from unnest(
        ${shares.map(({ lease }) => lease)}::uuid[],
        ${shares.map(({ endpointId }) => endpointId)}::uuid[],
        ${shares.map(({ createdAtMs }) => new Date(createdAtMs).toISOString())}::text[],
        ${shares.map(({ delivered }) => delivered[0]?.delivery.id ?? null)}::uuid[],
        ${shares.map(({ eventType }) => eventType)}::text[],
        ${shares.map(({ delivered }, share) => (ends[share] ?? 0) - delivered.length + 1)}::int[],
        ${ends}::int[]
      ) as share (lease, endpoint_id, created_at, first_id, event_type, least_place, most_place)
      join held on held.id = share.lease
      on conflict (endpoint_id, created_at, first_id) do nothing
      returning endpoint_id, cardinality(ids) as count
    ),
    recovered as (
      update webhook_endpoint set failing_since = null
      where id in (select endpoint_id from stored) and failing_since is not null
    )
    select endpoint_id, sum(count)::int as count, true as ok, false as gone,
           null::timestamptz as failing_since
    from stored group by endpoint_id`
}

const shareOut = (all: readonly Delivered[]): Share[] => {
  const shares: Share[] = []
  const open = new Map<string, Map<string, Share>>()
  for (const each of all) {
    const { lease, endpointId, eventType, id } = each.delivery
    const ofLease = open.get(lease) ?? new Map<string, Share>()
    open.set(lease, ofLease)
    const kind = `${endpointId} ${eventType}`
    const known = ofLease.get(kind)
    if (known && known.delivered.length < MAX_OF_ROW) {
      known.delivered.push(each)
      continue
    }
    const share = { lease, endpointId, eventType, createdAtMs: timeOfId(id), delivered: [each] }
    ofLease.set(kind, share)
    shares.push(share)
  }
  return shares
}
