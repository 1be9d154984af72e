import type { CampaignView } from '../../domain/campaigns/index.ts'
import { Banner, type BannerTone } from '../components/banner.tsx'
import { formatMoment } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { donateTexts } from '../texts/donate/index.ts'
import { isOpen, takesPayments } from './is-open.ts'

/** Why a campaign takes nothing, or its chain credits nothing now; null if all is well. */
export type ChainTrouble =
  | { kind: 'closed' }
  | { kind: 'halted' }
  | { kind: 'stalled'; since: Date }
  | null

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

/** Why donations wait; nothing if the chain is well. */
export const TroubleNotice = ({ trouble, lang }: Pick<Props, 'trouble' | 'lang'>) => {
  const { halted, stalled } = campaignTexts[lang].notices
  if (trouble === null) return null
  if (trouble.kind === 'closed') {
    const { title, what } = donateTexts[lang].closed
    return <Notice tone="warn" title={title} text={what} />
  }
  const texts = trouble.kind === 'halted' ? halted : stalled(formatMoment(lang, trouble.since))
  return <Notice tone="warn" {...texts} />
}

type NoticeProps = { tone: BannerTone; title: string; text: string }

const Notice = ({ tone, title, text }: NoticeProps) => (
  <Banner tone={tone} title={title}>
    {text}
  </Banner>
)
