import type { ListedUpdateView as Update } from '../../domain/campaigns/index.ts'
import { Empty, Pager } from '../components/lists.tsx'
import { Paragraphs } from '../components/paragraphs.tsx'
import { Time } from '../components/values.tsx'
import { type ListPage, SubPage } from '../parts/campaign-parts.tsx'
import { formatDay } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'

type Props = ListPage & { updates: readonly Update[] }

/** All updates of a campaign, newest first. */
export const UpdatesView = ({ updates, position, ...page }: Props) => {
  const t = campaignTexts[page.lang]
  return (
    <SubPage {...page} title={t.updates}>
      {updates.length === 0 ? (
        <Empty text={t.noUpdates} />
      ) : (
        <News updates={updates} slug={page.campaign.slug} lang={page.lang} level={2} />
      )}
      <Pager {...position} texts={t} />
    </SubPage>
  )
}

type NewsProps = { updates: readonly Update[]; slug: string; lang: Language; level: 2 | 3 }

/** Updates one below the other. `level` is the level of their headings. */
export const News = ({ updates, slug, lang, level }: NewsProps) => {
  const Heading = `h${level}` as const
  return (
    <>
      {updates.map((update) => (
        <article key={update.id} class="news">
          <Heading>
            <a href={`/c/${slug}/updates?update=${update.id}`}>{update.title}</a>
          </Heading>
          <p class="note">
            <Time at={update.createdAt} lang={lang} day />
            {update.updatedAt &&
              ` · ${campaignTexts[lang].changedOn(formatDay(lang, update.updatedAt))}`}
          </p>
          <Paragraphs text={update.content} />
          <Media media={update.media} lang={lang} />
        </article>
      ))}
    </>
  )
}

/** Pictures and films are on other hosts, so they are links. */
const Media = ({ media, lang }: Pick<Update, 'media'> & { lang: Language }) =>
  media.length === 0 ? null : (
    <ul class="section-links">
      {media.map(({ url, caption }, index) => (
        <li key={url}>
          <a href={url} rel="nofollow ugc noreferrer">
            {caption ?? campaignTexts[lang].media(index + 1)}
          </a>
        </li>
      ))}
    </ul>
  )
