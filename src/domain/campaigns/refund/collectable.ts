import type { Context } from '../../../db/context.ts'
import { formatUnits } from '../../../kernel/money/money.ts'
import type { EscrowFacts } from '../escrow/get-escrow.ts'

/** The facts of an escrow, and the money that recorded donors can get now without a signature. */
export type EscrowFigures = EscrowFacts & { collectable: string }

/** Sums the shares of the recorded donors whose refund is not final. */
export const withCollectable = async (
  { sql }: Context,
  escrow: EscrowFacts,
): Promise<EscrowFigures> => {
  const { campaignId, decimals, pool, total } = escrow
  const [row] = await sql<{ units: string }[]>`
    select coalesce(sum(div(given * ${pool}::numeric, nullif(${total}::numeric, 0))), 0)::text as units
    from (
      select fields ->> 'donor' as donor, sum((fields ->> 'amount')::numeric) as given
      from escrow_event
      where campaign_id = ${campaignId} and kind = 'Donated' and settled_at is not null
      group by 1
    ) recorded
    where not exists (
      select from escrow_event refund
      where refund.campaign_id = ${campaignId} and refund.kind = 'Refunded'
        and refund.settled_at is not null and refund.fields ->> 'donor' = recorded.donor)`
  return { ...escrow, collectable: formatUnits(BigInt(row?.units ?? 0), decimals) }
}
