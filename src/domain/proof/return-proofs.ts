import type { Context } from '../context.ts'
import { databaseNow, databaseTimeIn } from '../database-time.ts'
import type { ClaimedProofs } from './claim-proofs.ts'

const FIRST_RETRY_S = 15
const LAST_RETRY_S = 3_600

/**
 * Releases claimed proofs that are not stored: tried ones are due after a pause that doubles, the
 * others at once. An expired claim changes nothing.
 *
 * @param tried the ids of the donations that a node was asked about
 */
export const returnProofs = async (
  ctx: Context,
  { until, due }: ClaimedProofs,
  tried: ReadonlySet<string>,
): Promise<void> => {
  if (until === null) return
  const rows = due.map(({ donationId }) => ({ id: donationId, tried: tried.has(donationId) }))
  await ctx.sql`
    update donation_proof wanted
    set tries = case when row.tried then wanted.tries else wanted.tries - 1 end,
        next_try_at = case when row.tried
          then ${databaseNow(ctx)} + make_interval(secs =>
            least(${LAST_RETRY_S}, ${FIRST_RETRY_S} * 2 ^ least(wanted.tries - 1, 16)))
          else ${databaseNow(ctx)} end
    from jsonb_to_recordset(${ctx.sql.json(rows)}) as row (id uuid, tried boolean)
    where wanted.donation_id = row.id and wanted.proof is null and wanted.next_try_at = ${until}`
}

/** Makes proofs due whose next try lies beyond the longest pause, after a clock that was ahead. */
export const clampProofs = async (ctx: Context, limit: number): Promise<number> => {
  const clamped = await ctx.sql`
    update donation_proof set next_try_at = ${databaseNow(ctx)}
    where donation_id in (
      select donation_id from donation_proof
      where chain_id = any(${ctx.settings.assets.chainIds}::bigint[]) and proof is null
        and next_try_at > ${databaseTimeIn(ctx, LAST_RETRY_S * 1_000)}
      limit ${limit} for update skip locked)`
  return clamped.count
}
