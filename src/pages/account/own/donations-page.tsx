import type { Context } from '../../../db/context.ts'
import { type CampaignTitle, campaignTitles } from '../../../domain/campaigns/index.ts'
import {
  type DonationView,
  getDonation,
  type History,
  type HistoryTotals,
  readOwnDonations,
  readOwnHistory,
} from '../../../domain/donations/index.ts'
import { decodeCursor, encodeCursor, type Keyset } from '../../../domain/shared/index.ts'
import { CSV_CONTENT_TYPE, type CsvCell, csvHeaders } from '../../../edge/answer/csv.ts'
import { csvStream } from '../../../edge/streams/csv-stream.ts'
import { createSlots } from '../../../edge/streams/slots.ts'
import { isId } from '../../../kernel/formats/ids.ts'
import { isCreditedStatus } from '../../../kernel/statuses.ts'
import { Empty, Pager, Sums, Table } from '../../components/lists.tsx'
import { Banner, Icon } from '../../components/states.tsx'
import { Money, Time } from '../../components/values.tsx'
import { send, show } from '../../page.ts'
import { DonationChip, isGone } from '../../parts/donation-chip.tsx'
import { getAsUser, NO_STORE, type UserVisit } from '../../session/page-session.ts'
import { formatMoney } from '../../shared/format.ts'
import type { Language } from '../../shared/languages.ts'
import { type AccountTexts, accountTexts } from '../../texts/account/index.ts'
import { donationTexts } from '../../texts/donation/index.ts'
import { Area, CampaignLink } from './area.tsx'

const PATH = '/account/donations'
const DONATIONS = 25
const CSV_ROWS = 100
/** The most open tables in this process, and of one account. */
const SLOTS = { what: 'tables', max: 200 }
const MAX_PER_ACCOUNT = 2

/** The donations of the signed-in person, as a page and as a table to download. */
export const donationPages = () => {
  const slots = createSlots(SLOTS)
  return [
    getAsUser(PATH, 'account-donations', showDonations),
    getAsUser(`${PATH}.csv`, 'account-donations-csv', async (visit) => {
      const { ctx, caller } = visit
      const year = yearIn(visit)
      const account = { name: 'An account', key: caller.userId, max: MAX_PER_ACCOUNT }
      const stream = csvStream({
        log: ctx.log,
        head: Object.keys(COLUMNS),
        async read(after: Keyset | undefined) {
          const { items, next } = await readOwnDonations(ctx, { year, after, limit: CSV_ROWS })
          const titles = await titlesOf(ctx, items)
          const rowOf = (donation: DonationView) =>
            Object.values(COLUMNS).map((cellOf) => cellOf(donation, titles, ctx))
          return { rows: items.map(rowOf), next }
        },
        onEnd: slots.take([account]),
      })
      const file = csvHeaders(`donations${year === null ? '' : `-${year}`}.csv`)
      const headers = { ...NO_STORE, ...file, 'Content-Type': CSV_CONTENT_TYPE }
      return send({ status: 200, text: null, stream, headers })
    }),
  ]
}

const showDonations = async (visit: UserVisit) => {
  const { ctx, caller, lang, query } = visit
  const history = await readOwnHistory(ctx)
  const asked = query.get('year') === 'all' ? null : (yearIn(visit) ?? history[0]?.year ?? null)
  const shown = history.find(({ year }) => year === asked) ?? history.at(-1)
  const cursor = query.get('cursor')
  const after = cursor === null ? undefined : decodeCursor(cursor)
  const year = shown?.year ?? null
  const { items, next } = await readOwnDonations(ctx, { year, after, limit: DONATIONS })
  const claimed = query.get('claimed') ?? ''
  const donation = isId(claimed) ? await getDonation(ctx, claimed) : null
  const t = accountTexts[lang]
  const props = {
    ...{ t, lang, history, year, items },
    claimed: donation?.userId === caller.userId ? donation : null,
    totals: shown?.totals,
    titles: await titlesOf(ctx, items),
    query: new URLSearchParams({
      year: String(year ?? 'all'),
      ...(cursor === null ? {} : { cursor }),
    }),
    nextCursor: next && encodeCursor(next),
  }
  return show({
    title: t.donations.title,
    body: <DonationsView {...props} />,
    headers: NO_STORE,
  })
}

/** The year of a visit, for example 2026; null for all years. */
const yearIn = ({ query }: UserVisit): number | null => {
  const text = query.get('year') ?? ''
  return /^[12]\d{3}$/.test(text) ? Number(text) : null
}

const titlesOf = (ctx: Context, items: readonly DonationView[]) =>
  campaignTitles(
    ctx,
    items.map(({ campaignId }) => campaignId),
  )

type Titles = Awaited<ReturnType<typeof titlesOf>>

/** The columns of the table. Times are UTC; amounts have every digit. */
const COLUMNS: Readonly<
  Record<string, (donation: DonationView, titles: Titles, ctx: Context) => CsvCell>
> = {
  paidAt: ({ paidAt }) => paidAt,
  recordedAt: ({ createdAt }) => createdAt,
  campaign: ({ campaignId }, titles) => titles.get(campaignId)?.title ?? campaignId,
  status: ({ status }) => status,
  amount: ({ amount }) => amount.value,
  currency: ({ amount }) => amount.currency,
  creditedAmount: ({ creditedAmount }) => creditedAmount?.value ?? null,
  creditedCurrency: ({ creditedAmount }) => creditedAmount?.currency ?? null,
  refundedAmount: ({ refundedAmount }) => refundedAmount?.value ?? null,
  chainId: ({ transaction }) => transaction?.chainId ?? null,
  txHash: ({ transaction }) => transaction?.txHash ?? null,
  donation: ({ id }, _, { settings }) => new URL(`/d/${id}`, settings.publicUrl).href,
}

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
