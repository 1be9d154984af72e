import {
  EXAMPLE_EVIDENCE,
  EXAMPLE_ID,
  EXAMPLE_SIGNATURE,
  EXAMPLE_WALLET,
} from '../openapi/samples.ts'

const FULL_EVIDENCE = EXAMPLE_EVIDENCE.map((item) => ({
  ...item,
  description: 'The invoice of the driller.',
}))

/** Of the request for the typed data to sign. */
export const PREPARE_EXAMPLES = {
  minimal: { evidence: EXAMPLE_EVIDENCE },
  full: { status: 'rejected', evidence: FULL_EVIDENCE },
}

const OF_MILESTONE = { campaignId: EXAMPLE_ID, milestoneId: EXAMPLE_ID }

/** Of a verification, under either family's path. */
export const VERIFY_EXAMPLES = {
  minimal: {
    ...OF_MILESTONE,
    verification: {
      status: 'completed',
      evidence: EXAMPLE_EVIDENCE,
      verifierSignature: EXAMPLE_SIGNATURE,
    },
  },
  full: {
    ...OF_MILESTONE,
    verification: {
      status: 'rejected',
      evidence: FULL_EVIDENCE,
      verifierSignature: EXAMPLE_SIGNATURE,
      verifierAddress: EXAMPLE_WALLET,
    },
  },
}
