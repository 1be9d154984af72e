import { listLedgerHeads } from '../../domain/books/index.ts'
import { Empty, Pager, Table } from '../components/lists.tsx'
import { Hash, Money } from '../components/values.tsx'
import { get, show } from '../page.ts'
import { add, formatCount } from '../shared/format.ts'
import { homeTexts } from '../texts/home/index.ts'
import { readList } from './load-home.ts'

/** The page with the heads of all ledgers, and how to add them up. */
export const totalPage = () =>
  get('/total', 'total', async ({ ctx, lang, query }) => {
    const t = homeTexts[lang]
    const cursor = query.get('cursor') ?? ''
    const all = await readList(ctx, 'all', { q: '', category: '', status: '', cursor })
    const { campaigns, nextCursor } = all ?? { campaigns: [], nextCursor: null }
    const heads = await listLedgerHeads(
      ctx,
      campaigns.map(({ id }) => id),
    )
    const headOf = new Map(heads.map((head) => [head.campaignId, head]))
    const rows = campaigns.flatMap(({ id, title, slug, currency, currentAmount, refunded }) => {
      const head = headOf.get(id)
      if (!head) return []
      const proven = { value: add(currentAmount, refunded), currency }
      return {
        key: id,
        cells: [
          <a key="title" href={`/c/${slug}/ledger`}>
            {title}
          </a>,
          <span key="head">
            <Hash value={head.head} href={`/api/campaigns/${id}/ledger/head`} />{' '}
            <span class="hint">{t.total.entries(formatCount(lang, head.entries))}</span>
          </span>,
          ...[proven, { value: refunded, currency }].map((money, index) => (
            <>
              <span class="hint column-name">{t.total.columns[index + 2]}</span>
              <Money {...money} lang={lang} />
            </>
          )),
        ],
      }
    })
    return show({
      title: t.total.title,
      canonical: '/total',
      body: (
        <>
          <h1>{t.total.title}</h1>
          <p class="lead">{t.total.lead}</p>
          <ol class="plain-list">
            {t.total.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          {rows.length === 0 ? (
            <Empty text={t.total.none} />
          ) : (
            <Table caption={t.total.title} columns={t.total.columns} rows={rows} />
          )}
          <Pager
            path="/total"
            query={new URLSearchParams(cursor ? { cursor } : {})}
            nextCursor={nextCursor}
            texts={t}
          />
        </>
      ),
    })
  })
