import type { ListedUpdateView as Update } from '../../domain/campaigns/index.ts'
import type { DonationView } from '../../domain/donations/index.ts'
import { DONATION_STATUSES, type DonationStatus } from '../../kernel/statuses.ts'
import { Button, SelectField } from '../components/form.tsx'
import { Empty, Pager, Table } from '../components/lists.tsx'
import { Paragraphs } from '../components/paragraphs.tsx'
import { Money, Time } from '../components/values.tsx'
import { type ListPage, SubPage } from '../parts/campaign-parts.tsx'
import { DonationChip, isGone } from '../parts/donation-chip.tsx'
import { formatDay } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { donationTexts } from '../texts/donation/index.ts'

/** The states of donations that a block holds or held. Promises are shown only to their donors. */
export const SHOWN_STATES = DONATION_STATUSES.filter(
  (status) => status !== 'pending' && status !== 'expired',
)

type Props = ListPage & {
  donations: readonly DonationView[]
  /** The only state that is shown; undefined for all. */
  status: DonationStatus | undefined
  now: Date
}

/** The donations of a campaign that a block holds or held, newest first. */
export const DonationsView = ({ donations, status, now, position, ...page }: Props) => {
  const { campaign, lang } = page
  const t = campaignTexts[lang]
  return (
    <SubPage {...page} title={t.donations}>
      <form class="filter" action={`/c/${campaign.slug}/donations`}>
        <SelectField
          name="status"
          label={t.state}
          value={status ?? ''}
          options={[
            { value: '', label: t.anyState },
            ...SHOWN_STATES.map((value) => ({ value, label: t.donationStates[value] })),
          ]}
        />
        <Button kind="plain">{t.filter}</Button>
      </form>
      {donations.length === 0 ? (
        <Empty
          text={status ? t.noDonationsOfState : t.noDonations}
          action={{ href: `/c/${campaign.slug}`, label: t.backToCampaign }}
        />
      ) : (
        <DonationTable donations={donations} lang={lang} now={now} />
      )}
      <Pager {...position} texts={t} />
    </SubPage>
  )
}

type DonationTableProps = { donations: readonly DonationView[]; lang: Language; now: Date }

/** Donations of a campaign. The state of each links to the page of the donation. */
export const DonationTable = ({ donations, lang, now }: DonationTableProps) => {
  const t = campaignTexts[lang]
  const { donor, anonymous } = donationTexts[lang].facts
  return (
    <Table
      caption={t.donations}
      columns={[donor, t.state, t.when, t.amount]}
      rows={donations.map((donation) => ({
        key: donation.id,
        quiet: !donation.donor?.name,
        cells: [
          <Donor key="donor" donor={donation.donor} anonymous={anonymous} />,
          <DonationChip key="state" donation={donation} lang={lang} href={`/d/${donation.id}`} />,
          <Time key="when" at={donation.createdAt} lang={lang} now={now} />,
          <Amount key="amount" donation={donation} lang={lang} />,
        ],
      }))}
    />
  )
}

const Donor = ({ donor, anonymous }: { donor: DonationView['donor']; anonymous: string }) => (
  <>
    {donor?.name ?? anonymous}
    {donor?.message && <span class="hint">{donor.message}</span>}
  </>
)

/** What counts for the campaign, and below it what was paid in another currency. */
const Amount = ({ donation, lang }: { donation: DonationView; lang: Language }) => {
  const { amount, creditedAmount, status } = donation
  const counted = creditedAmount ?? amount
  return (
    <Money
      {...counted}
      lang={lang}
      least={2}
      gone={isGone(status)}
      paid={counted.currency === amount.currency ? null : amount}
    />
  )
}

type UpdatesViewProps = ListPage & { updates: readonly Update[] }

/** All updates of a campaign, newest first. */
export const UpdatesView = ({ updates, position, ...page }: UpdatesViewProps) => {
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
