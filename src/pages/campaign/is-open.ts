import type { CampaignView } from '../../domain/campaign/index.ts'

/** Whether a campaign takes donations. */
export const isOpen = ({ status }: Pick<CampaignView, 'status'>): boolean =>
  status === 'active' || status === 'funded'
