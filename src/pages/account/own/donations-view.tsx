import type { CampaignTitle } from '../../../domain/campaigns/index.ts'
import type { DonationView, History, HistoryTotals } from '../../../domain/donations/index.ts'
import { isCreditedStatus } from '../../../kernel/statuses.ts'
import { Empty, Pager, Sums, Table } from '../../components/lists.tsx'
import { Banner, Icon } from '../../components/states.tsx'
import { Money, Time } from '../../components/values.tsx'
import { DonationChip, isGone } from '../../parts/donation-chip.tsx'
import { formatMoney } from '../../shared/format.ts'
import type { Language } from '../../shared/languages.ts'
import type { AccountTexts } from '../../texts/account/index.ts'
import { donationTexts } from '../../texts/donation/index.ts'
import { Area, CampaignLink } from './area.tsx'

export const PATH = '/account/donations'

type Props = {
  t: AccountTexts
  lang: Language
  history: History
  /** The year that is shown; null for all years. */
  year: number | null
  /** The totals of this year; undefined before the first donation. */
  totals: HistoryTotals | undefined
  items: readonly DonationView[]
  titles: ReadonlyMap<string, CampaignTitle>
  /** The donation of a guest that the person has just made their own. */
  claimed: DonationView | null
  query: URLSearchParams
  nextCursor: string | null
}

/** The donations of the signed-in person, year by year, with sums, states and receipts. */
export const DonationsView = (props: Props) => {
  const { t, lang, items, titles, claimed, totals, query, nextCursor } = props
  return (
    <Area t={t} title={t.donations.title} current="donations">
      {claimed && (
        <Banner tone="good" title={t.donations.claimed(formatMoney(lang, claimed.amount))}>
          <p>
            {t.donations.asGuest} <a href={`/d/${claimed.id}`}>{t.notifications.donation}</a>
          </p>
        </Banner>
      )}
      {totals === undefined ? (
        <Empty text={t.donations.empty} action={{ href: '/', label: t.donations.toCampaigns }} />
      ) : (
        <>
          <Years {...props} />
          <Totals {...props} totals={totals} />
          <Table
            caption={t.donations.caption}
            columns={t.donations.columns}
            rows={items.map((donation) => ({
              key: donation.id,
              cells: cellsOf(donation, titles, lang),
            }))}
          />
          <Pager path={PATH} query={query} nextCursor={nextCursor} texts={t.list} />
        </>
      )}
      <p class="soft">
        {t.donations.missing} <a href="/account#wallets">{t.donations.linkWallet}</a>
      </p>
    </Area>
  )
}

/** The choice of a year, and the table of this year to download. */
const Years = ({ t, history, year }: Props) => {
  const nameOf = (one: number | null) => (one === null ? t.donations.all : String(one))
  const hrefOf = (one: number | null, path = PATH) => `${path}?year=${one ?? 'all'}`
  return (
    <nav class="years" aria-label={t.donations.years}>
      {history.map(({ year: one }) => (
        <a
          key={one}
          class="chip"
          href={hrefOf(one)}
          aria-current={one === year ? 'page' : undefined}
        >
          {nameOf(one)}
        </a>
      ))}
      <a class="button button-plain" href={hrefOf(year, `${PATH}.csv`)} download>
        <Icon name="download" />
        {t.donations.csv(nameOf(year))}
      </a>
    </nav>
  )
}

const Totals = ({ t, lang, totals }: Props & { totals: HistoryTotals }) => {
  const { given, refunded, counts } = totals
  if (given.length === 0) return null
  return (
    <>
      <Sums
        lang={lang}
        items={[
          { label: t.donations.given, money: given },
          refunded.length > 0 && { label: t.donations.refunded, money: refunded },
          { label: t.donations.counts, money: counts },
        ]}
      />
      <p class="note">{t.donations.sumsNote}</p>
    </>
  )
}

const cellsOf = (donation: DonationView, titles: Props['titles'], lang: Language) => {
  const { id, campaignId, status, amount, paidAt, createdAt } = donation
  const t = donationTexts[lang]
  return [
    <CampaignLink key="campaign" id={campaignId} titles={titles} />,
    <>
      <Time at={paidAt ?? createdAt} lang={lang} />
      {paidAt === null && <span class="hint">{t.facts.recorded}</span>}
    </>,
    <DonationChip key="state" donation={donation} lang={lang} href={`/d/${id}`} />,
    <>
      <Money {...amount} lang={lang} least={2} gone={isGone(status)} />
      {isCreditedStatus(status) && (
        <a class="receipt-link" href={`/d/${id}/receipt`}>
          {t.receipt.title}
        </a>
      )}
    </>,
  ]
}
