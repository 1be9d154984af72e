import type { CampaignView } from '../../domain/campaigns/index.ts'

/** Whether a campaign is running, so that money which reaches its account can count. */
export const isOpen = ({ status }: Pick<CampaignView, 'status'>): boolean =>
  status === 'active' || status === 'funded'

type Payable = Pick<CampaignView, 'status' | 'milestones'> & { escrow?: { deadline: Date } }

/** Whether pages offer to pay: an escrow takes payments only while it records their donors. */
export const takesPayments = (campaign: Payable, now: Date): boolean => {
  const { escrow, milestones } = campaign
  const isReleasing = milestones.some(({ status }) => status === 'released')
  return isOpen(campaign) && (!escrow || (now <= escrow.deadline && !isReleasing))
}
