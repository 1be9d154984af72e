import type { CampaignView } from '../../domain/campaigns/index.ts'
import { isOpen, takesPayments } from '../load/campaign.ts'
import { type ChainTrouble, Notice, TroubleNotice } from '../parts/trouble-notice.tsx'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { donateTexts } from '../texts/donate/index.ts'

type Props = { campaign: CampaignView; trouble: ChainTrouble; now: Date; lang: Language }

/** What concerns the whole campaign: its state, its account and its chain. */
export const CampaignNotices = ({ campaign, trouble, now, lang }: Props) => {
  const t = campaignTexts[lang].notices
  const { status, accountProven, escrow } = campaign
  const { closed } = donateTexts[lang]
  const takesDonations = isOpen(campaign)
  const isOffered = takesPayments(campaign, now)
  const gaveBack = escrow && (status === 'failed' || status === 'cancelled')
  return (
    <div class="notices">
      {status === 'draft' && <Notice tone="info" {...t.draft} />}
      {status === 'funded' && isOffered && <Notice tone="good" {...t.funded} />}
      {status === 'completed' && <Notice tone="good" {...t.completed} />}
      {status === 'cancelled' && <Notice tone="bad" {...t.cancelled} />}
      {status === 'failed' && <Notice tone="bad" {...t.failed} />}
      {gaveBack && <Notice tone="info" {...t.refunding} />}
      {takesDonations && !isOffered && (
        <Notice tone="info" title={closed.title} text={closed.escrow} />
      )}
      {takesDonations && !accountProven && !escrow && <Notice tone="warn" {...t.unproven} />}
      {takesDonations && <TroubleNotice trouble={trouble} lang={lang} />}
    </div>
  )
}
