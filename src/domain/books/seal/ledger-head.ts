import type { Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { LedgerSeal } from '../../../db/schema/seals.ts'
import { DomainError } from '../../../kernel/errors.ts'

/** The head of a campaign's newest seal. A kept copy reveals later changes of sealed entries. */
export type LedgerHead = Pick<
  LedgerSeal,
  'campaignId' | 'seq' | 'head' | 'globalHead' | 'signature' | 'keyId' | 'sealedAt'
> & {
  /** The number of entries in all seals of the campaign up to this head. */
  entries: number
}

/**
 * Reads the newest signed head of a campaign. The caller must check who may see the campaign.
 *
 * @throws DomainError `not_found` if the campaign has no seal yet
 */
export const getLedgerHead = async (ctx: Context, campaignId: string): Promise<LedgerHead> => {
  const [head] = await ctx.sql<LedgerHead[]>`
    ${newestHead(ctx.sql)} where campaign_id = ${campaignId} order by seq desc limit 1`
  if (!head) throw new DomainError('not_found', 'No entry of this campaign is sealed yet.')
  return head
}

/** Reads the newest signed head of each of these campaigns that has one. */
export const listLedgerHeads = ({ sql }: Context, campaignIds: string[]) =>
  sql<LedgerHead[]>`
    select head.* from unnest(${campaignIds}::uuid[]) wanted (id)
    cross join lateral (
      ${newestHead(sql)} where campaign_id = wanted.id order by seq desc limit 1) head`

const newestHead = (sql: Queryable) => sql`
  select campaign_id, seq, head, total_entries as entries, global_head, signature, key_id, sealed_at
  from ledger_seal`
