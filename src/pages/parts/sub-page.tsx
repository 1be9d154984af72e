import type { ComponentChildren } from 'preact'
import type { CampaignView } from '../../domain/campaigns/index.ts'
import type { Position } from '../components/pager.tsx'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'

/** A page that lists something of a campaign. */
export type ListPage = {
  campaign: Pick<CampaignView, 'title' | 'slug'>
  position: Position
  lang: Language
}

type Props = Omit<ListPage, 'position'> & { title: string; children: ComponentChildren }

/** A page below the campaign's page, with the way back. */
export const SubPage = ({ campaign, lang, title, children }: Props) => (
  <>
    <p class="back">
      <a href={`/c/${campaign.slug}`} title={campaignTexts[lang].backToCampaign}>
        ← {campaign.title}
      </a>
    </p>
    <h1>{title}</h1>
    {children}
  </>
)
