import type { ListedCampaignView } from '../../domain/campaigns/index.ts'

type Covered = Pick<ListedCampaignView, 'id' | 'cover' | 'status'>

/** The path of a campaign's cover: its own picture, or else a pattern that its id gives. */
export const coverPath = ({ id, cover, status }: Covered): string => {
  if (cover) return new URL(cover.url).pathname
  const hasEnded = ['completed', 'cancelled', 'failed'].includes(status)
  return `/patterns/${hasEnded ? 'grey' : 'green'}/${id}`
}

type Props = { campaign: Covered; isLazy?: boolean }

/** The cover, always 16:9. It says nothing that the text needs, so its alternative is empty. */
export const Cover = ({ campaign, isLazy = false }: Props) => (
  <img
    class="pic"
    src={coverPath(campaign)}
    width="1600"
    height="900"
    alt=""
    loading={isLazy ? 'lazy' : undefined}
  />
)
