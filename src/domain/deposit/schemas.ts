import { z } from 'zod'
import { PageQuery } from '../page.ts'
import { SignatureText } from '../wallet/index.ts'

export const DEPOSIT_STATUSES = ['unclaimed', 'claimed', 'all'] as const

export const ListDeposits = PageQuery.extend({
  /** Whether a donation has it. */
  status: z.enum(DEPOSIT_STATUSES).default('all'),
})
export type ListDeposits = z.output<typeof ListDeposits>

export const ListOwnDeposits = PageQuery.extend({
  /** One of the caller's linked wallets; left out: all of them. */
  wallet: z.string().min(1).max(80).optional(),
  /** What somebody else has recorded is yours to claim too, while they have not proven the wallet. */
  status: z.enum(DEPOSIT_STATUSES).default('unclaimed'),
})
export type ListOwnDeposits = z.output<typeof ListOwnDeposits>

export const ClaimDeposit = z.strictObject({
  /** Of the newest challenge, by the sending wallet; left out where that is linked to the caller. */
  signature: SignatureText.optional(),
})
export type ClaimDeposit = z.output<typeof ClaimDeposit>
