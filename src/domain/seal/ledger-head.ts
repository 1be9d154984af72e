import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'

/** The newest head of a campaign's chain of seals. Whoever keeps it will see if anything under it changes. */
export type LedgerHead = {
  campaignId: string
  seq: number
  head: string
  /** All entries that it commits to. */
  entries: number
  globalHead: string
  signature: string
  keyId: string
  sealedAt: Date
}

/**
 * The newest signed head of a campaign. The caller has made sure that the campaign may be seen.
 * Throws DomainError `not_found` before anything was sealed.
 */
export const getLedgerHead = async (ctx: Context, campaignId: string): Promise<LedgerHead> => {
  const [head] = await ctx.sql<LedgerHead[]>`
    select campaign_id as "campaignId", seq, head, total_entries as entries,
           global_head as "globalHead", signature, key_id as "keyId", sealed_at as "sealedAt"
    from ledger_seal where campaign_id = ${campaignId} order by seq desc limit 1`
  if (!head) throw new DomainError('not_found', 'Nothing of this campaign has been sealed yet.')
  return head
}
