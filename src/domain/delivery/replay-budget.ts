import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'

/** Replays per endpoint and hour, dry runs not counted. */
export const REPLAYS_PER_HOUR = 20

/**
 * Counts a replay of an endpoint, so that its owner cannot send it an endless stream of requests.
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
    `An endpoint allows ${REPLAYS_PER_HOUR} replays an hour. Try again in the next hour.`,
  )
}
