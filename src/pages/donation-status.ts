import type { DonationStatus } from '../kernel/statuses.ts'

/** Whether a donation has ended without a credit. It may come back. */
export const hasFailed = (status: DonationStatus): boolean =>
  status === 'failed' || status === 'expired' || status === 'reversed'

/** Whether the money of a donation does not count now. */
export const isGone = (status: DonationStatus): boolean =>
  status === 'refunded' || hasFailed(status)
