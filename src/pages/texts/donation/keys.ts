import type { DONATION_REASONS } from '../../../domain/donations/index.ts'

/** Donations that only wait for finality have a sentence of their own. */
export type DonationReason = Exclude<(typeof DONATION_REASONS)[number], 'waiting_for_finality'>

/** The steps of a donation, in their order. */
export const STEP_KEYS = ['promised', 'sent', 'in_block', 'credited', 'sealed', 'proven'] as const
export type StepKey = (typeof STEP_KEYS)[number]
