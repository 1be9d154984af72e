import { packTerms } from './terms.ts'

const accountOf = (digit: string): string => `0x${digit.repeat(40)}`

/**
 * Valid packed terms that belong to no campaign. A chain on which the deployment of this escrow
 * succeeds in a simulation can run every escrow.
 */
export const SAMPLE_TERMS = packTerms({
  campaign: `0x${'1'.repeat(64)}`,
  recipient: accountOf('2'),
  creator: accountOf('2'),
  asset: accountOf('3'),
  target: 1n,
  deadline: 1,
  activateBy: 1,
  expiry: 1,
  quorum: 1,
  surplusToRecipient: false,
  verifiers: [accountOf('4')],
  milestones: [{ amount: 1n, required: 1 }],
})
