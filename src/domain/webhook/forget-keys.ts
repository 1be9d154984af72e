import type { Context } from '../context.ts'

/** Erases replaced keys that do not sign any more. Returns their number, at most `limit`. */
export const forgetKeys = async ({ sql, clock }: Context, limit: number): Promise<number> => {
  const forgotten = await sql`
    update webhook_endpoint set previous_secret_sealed = null, previous_secret_until = null
    where id in (
      select id from webhook_endpoint
      where previous_secret_until <= ${clock.now()} limit ${limit})
      and previous_secret_until <= ${clock.now()}`
  return forgotten.count
}
