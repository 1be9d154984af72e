import type { Context } from '../../../db/context.ts'

/** When the ledger last changed the money of a donation; null without an entry. */
export const lastChange = async ({ sql }: Context, donationId: string): Promise<Date | null> => {
  const [row] = await sql<{ at: Date | null }[]>`
    select max(created_at) as at from ledger_entry where donation_id = ${donationId}`
  return row?.at ?? null
}
