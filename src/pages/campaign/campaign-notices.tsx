import { isOpen, takesPayments } from '../load/campaign.ts'
import { Notice, TroubleNotice } from '../parts/campaign-parts.tsx'
import { Ended } from '../parts/escrow-money.tsx'
import { campaignTexts } from '../texts/campaign/index.ts'
import { donateTexts } from '../texts/donate/index.ts'
import type { LiveProps } from './live-campaign.ts'

/** What concerns the whole campaign: its state, its account and its chain. */
export const CampaignNotices = ({ campaign, escrow, trouble, now, lang }: LiveProps) => {
  const t = campaignTexts[lang].notices
  const { status, accountProven } = campaign
  const { closed } = donateTexts[lang]
  const takesDonations = isOpen(campaign)
  const isOffered = takesPayments(campaign, now)
  const hasFailed = escrow?.state === 'failed'
  return (
    <div class="notices">
      {status === 'draft' && <Notice tone="info" {...t.draft} />}
      {status === 'funded' && isOffered && <Notice tone="good" {...t.funded} />}
      {status === 'completed' && <Notice tone="good" {...t.completed} />}
      {status === 'cancelled' && !hasFailed && <Notice tone="bad" {...t.cancelled} />}
      {hasFailed && <Ended campaign={campaign} escrow={escrow} lang={lang} />}
      {takesDonations && !isOffered && (
        <Notice tone="info" title={closed.title} text={closed.escrow} />
      )}
      {takesDonations && !accountProven && !escrow && <Notice tone="warn" {...t.unproven} />}
      {takesDonations && <TroubleNotice trouble={trouble} lang={lang} />}
    </div>
  )
}
