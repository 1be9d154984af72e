import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'

/** Replays of one endpoint that send something, within an hour of the clock. */
export const REPLAYS_PER_HOUR = 20

/**
 * Counts a replay of an endpoint, so that its owner cannot aim an endless stream of requests at it.
 *
 * @throws DomainError `rate_limited`
 */
export const countReplay = async ({ sql }: Context, endpointId: string): Promise<void> => {
  const [row] = await sql<{ replays: number }[]>`
    update webhook_endpoint
    set replay_hour = date_trunc('hour', now()),
        replays = case when replay_hour = date_trunc('hour', now()) then replays + 1 else 1 end
    where id = ${endpointId}
    returning replays`
  if ((row?.replays ?? 0) <= REPLAYS_PER_HOUR) return
  throw new DomainError(
    'rate_limited',
    `An endpoint takes ${REPLAYS_PER_HOUR} replays an hour. Go on in the next hour.`,
  )
}
