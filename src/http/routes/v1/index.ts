import type { Operation } from '../../operation.ts'
import { v1CampaignOperations } from './campaigns.ts'
import { v1DonationOperations } from './donations.ts'
import { v1ImpactOperations } from './impact.ts'

/** The `/v1` family: the same verbs in camelCase. */
export const v1Operations = (): Operation[] => [
  ...v1CampaignOperations(),
  ...v1DonationOperations(),
  ...v1ImpactOperations(),
]
