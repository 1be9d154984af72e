import type { Sample } from '../../kernel/ports/metrics.ts'
import type { Context } from '../context.ts'
import { findLostHead, LOOK_BACK } from '../seal/index.ts'
import { ageSeconds, MAX_COUNTED } from './age.ts'

/** Reads the entries without a seal, the age of the oldest, and if a restore stops the signing. */
export const readSealing = async ({ sql, clock }: Context): Promise<Sample[]> => {
  const [row] = await sql<{ count: number; oldest: Date | null }[]>`
    select count(*)::int as count, min(created_at) as oldest
    from (
      select entry.created_at from ledger_entry entry
      where entry.id > coalesce((select max(entry_id) from sealed_entry), 0) - ${LOOK_BACK}::bigint
        and not exists (select from sealed_entry sealed where sealed.entry_id = entry.id)
      limit ${MAX_COUNTED}
    ) unsealed`
  return [
    ['fundproof_ledger_unsealed_entries', {}, row?.count ?? 0],
    ['fundproof_ledger_oldest_unsealed_seconds', {}, ageSeconds(clock.now(), row?.oldest ?? null)],
    ['fundproof_ledger_restored', {}, (await findLostHead({ sql })) ? 1 : 0],
  ]
}
