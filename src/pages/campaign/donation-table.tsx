import type { DonationView } from '../../domain/donations/index.ts'
import { Money } from '../components/money.tsx'
import { Table } from '../components/table.tsx'
import { Time } from '../components/time.tsx'
import { DonationChip, isGone } from '../parts/donation-chip.tsx'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { donationTexts } from '../texts/donation/index.ts'

type Props = { donations: readonly DonationView[]; lang: Language; now: Date }

/** Donations of a campaign. The state of each links to the page of the donation. */
export const DonationTable = ({ donations, lang, now }: Props) => {
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
