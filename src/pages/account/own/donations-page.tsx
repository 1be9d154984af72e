import type { Context } from '../../../db/context.ts'
import { campaignTitles } from '../../../domain/campaigns/index.ts'
import {
  type DonationView,
  getDonation,
  readOwnDonations,
  readOwnHistory,
} from '../../../domain/donations/index.ts'
import { decodeCursor, encodeCursor, type Keyset } from '../../../domain/shared/index.ts'
import { CSV_CONTENT_TYPE, type CsvCell, csvHeaders } from '../../../edge/answer/csv.ts'
import { csvStream } from '../../../edge/streams/csv-stream.ts'
import { createSlots } from '../../../edge/streams/slots.ts'
import { isId } from '../../../kernel/formats/ids.ts'
import { send, show } from '../../page.ts'
import { getAsUser, NO_STORE, type UserVisit } from '../../session/page-session.ts'
import { accountTexts } from '../../texts/account/index.ts'
import { DonationsView, PATH } from './donations-view.tsx'

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
