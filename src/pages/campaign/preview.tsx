import type { CampaignView } from '../../domain/campaign/index.ts'

type Props = {
  campaign: Pick<CampaignView, 'title' | 'slug' | 'status'>
  description: string
  publicUrl: string
}

/** The preview that other sites show of a link to a campaign (https://ogp.me). Drafts have none. */
export const Preview = ({ campaign, description, publicUrl }: Props) =>
  campaign.status === 'draft' ? null : (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Fundproof" />
      <meta property="og:title" content={campaign.title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={new URL(`/c/${campaign.slug}`, publicUrl).href} />
      <meta property="og:image" content={new URL('/og.png', publicUrl).href} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
