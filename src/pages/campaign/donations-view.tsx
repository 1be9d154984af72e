import type { DonationView } from '../../domain/donations/index.ts'
import { DONATION_STATUSES, type DonationStatus } from '../../kernel/statuses.ts'
import { Button } from '../components/button.tsx'
import { Empty } from '../components/empty.tsx'
import { SelectField } from '../components/field.tsx'
import { Pager } from '../components/pager.tsx'
import { type ListPage, SubPage } from '../parts/sub-page.tsx'
import { campaignTexts } from '../texts/campaign/index.ts'
import { DonationTable } from './donation-table.tsx'

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
