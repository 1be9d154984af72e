import { z } from 'zod'
import { SignatureText } from '../../people/index.ts'
import { PageQuery } from '../../shared/index.ts'

export const DEPOSIT_STATUSES = ['unclaimed', 'claimed', 'all'] as const

export const ListDeposits = PageQuery.extend({
  /** Selects deposits by whether a donation has claimed the transfer. */
  status: z.enum(DEPOSIT_STATUSES).default('all'),
})
export type ListDeposits = z.output<typeof ListDeposits>

export const ListOwnDeposits = PageQuery.extend({
  /** A linked wallet of the caller. Without this field, the list covers all linked wallets. */
  wallet: z.string().min(1).max(80).optional(),
  /** `claimed` includes transfers that others claimed without proof of the sending wallet. */
  status: z.enum(DEPOSIT_STATUSES).default('unclaimed'),
})
export type ListOwnDeposits = z.output<typeof ListOwnDeposits>

export const ClaimDeposit = z.strictObject({
  /** The sending wallet's signature of the newest challenge. A linked wallet needs no signature. */
  signature: SignatureText.optional(),
})
export type ClaimDeposit = z.output<typeof ClaimDeposit>
