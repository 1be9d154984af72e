import type { Context } from '../../../db/context.ts'
import type { WebhookEndpoint } from '../../../db/schema/events.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { holdAccount } from '../../shared/index.ts'
import { type EndpointView, lockEndpoint, toEndpointView } from './get-endpoint.ts'
import { newKey } from './sealed-keys.ts'

/** For this time after a rotation, each request is signed with the old key and with the new key. */
const OVERLAP_MS = 24 * 3_600_000

/**
 * Gives an endpoint a new key. For a day, requests are also signed with the old key, so that
 * receivers can switch. A second rotation removes the old key. No later answer contains the secret.
 *
 * @throws DomainError `not_found` for an unknown id; `forbidden` if the caller is not the owner
 */
export const rotateSecret = (
  ctx: Context,
  id: string,
): Promise<EndpointView & { secret: string | null }> =>
  withTransaction(ctx, async (ctx) => {
    const { sql, clock, secrets, actor } = ctx
    await holdAccount(ctx)
    const row = await lockEndpoint(ctx, id)
    if (actor.kind !== 'user' || actor.userId !== row.userId) {
      throw new DomainError('forbidden', 'Only its owner may rotate the key of an endpoint.')
    }
    const key = newKey(secrets, row.signing)
    const until = new Date(clock.now().getTime() + OVERLAP_MS)
    const [rotated] = await sql<WebhookEndpoint[]>`
      update webhook_endpoint
      set secret_sealed = ${key.sealed}, public_key = ${key.publicKey},
          previous_secret_sealed = secret_sealed, previous_secret_until = ${until}
      where id = ${row.id}
      returning *`
    return { ...toEndpointView(ctx, rotated ?? row), secret: key.secret }
  })

/** Erases old keys that no longer sign requests. Returns the number of keys, at most `limit`. */
export const forgetKeys = async ({ sql, clock }: Context, limit: number): Promise<number> => {
  const forgotten = await sql`
    update webhook_endpoint set previous_secret_sealed = null, previous_secret_until = null
    where id in (
      select id from webhook_endpoint
      where previous_secret_until <= ${clock.now()} limit ${limit})
      and previous_secret_until <= ${clock.now()}`
  return forgotten.count
}
