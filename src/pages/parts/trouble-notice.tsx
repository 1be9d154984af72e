import { Banner, type BannerTone } from '../components/banner.tsx'
import { formatMoment } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { donateTexts } from '../texts/donate/index.ts'

/** Why a campaign takes nothing, or its chain credits nothing now; null if all is well. */
export type ChainTrouble =
  | { kind: 'closed' }
  | { kind: 'halted' }
  | { kind: 'stalled'; since: Date }
  | null

/** Why donations wait; nothing if the chain is well. */
export const TroubleNotice = ({ trouble, lang }: { trouble: ChainTrouble; lang: Language }) => {
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

/** A sentence about the whole campaign, below its title. */
export const Notice = ({ tone, title, text }: NoticeProps) => (
  <Banner tone={tone} title={title}>
    {text}
  </Banner>
)
