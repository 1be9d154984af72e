import type { ComponentChildren } from 'preact'
import type { NewestProof } from '../../domain/books/index.ts'
import { Empty, Pager } from '../components/lists.tsx'
import { LivePart } from '../components/live-part.tsx'
import { Icon } from '../components/states.tsx'
import { Time } from '../components/values.tsx'
import { formatAmount, formatCount, formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { homeTexts } from '../texts/home/index.ts'
import { Card, EndedRow } from './campaign-card.tsx'
import type { ListedCampaign, ListName, Proven } from './load-home.ts'
import { type Search, SearchForm } from './search-form.tsx'

type List = { campaigns: readonly ListedCampaign[]; nextCursor: string | null } | undefined

type Props = {
  /** Undefined if the page does not show this list. */
  open: List
  ended: List
  search: Search
  /** The parameters that the links of both lists keep. */
  kept: URLSearchParams
  /** Whether this is the first page itself, without a search. */
  isFront: boolean
  proven: Proven
  block: number | null
  now: Date
  lang: Language
}

/** Fewer campaigns than these need no search. */
const MANY = 8
/** The cards that a wide screen shows in its first row. */
const FIRST_ROW = 3

/** What Fundproof is, what it has proven, and its campaigns: open ones first. */
export const HomeView = (props: Props) => {
  const { open, ended, search, isFront, block, now, lang } = props
  const t = homeTexts[lang]
  const shown = [...(open?.campaigns ?? []), ...(ended?.campaigns ?? [])]
  const hasMany = shown.length >= MANY || Boolean(open?.nextCursor ?? ended?.nextCursor)
  const pager = (name: ListName, list: NonNullable<List>) => {
    const query = new URLSearchParams([...props.kept, ['list', name]])
    return <Pager path="/" query={query} nextCursor={list.nextCursor} texts={t} />
  }
  return (
    <>
      {isFront ? <Hero {...props} /> : <h1>{t.title}</h1>}
      <section class="page-section open-campaigns" aria-labelledby="campaigns">
        <h2 id="campaigns">{open ? t.open : t.ended}</h2>
        {(hasMany || !isFront) && <SearchForm search={search} campaigns={shown} lang={lang} />}
        {open && open.campaigns.length > 0 && (
          <ul class="campaign-cards">
            {open.campaigns.map((campaign, index) => (
              <Card key={campaign.id} {...{ campaign, now, lang }} isLazy={index >= FIRST_ROW} />
            ))}
          </ul>
        )}
        {shown.length === 0 ? (
          <Empty
            text={isFront ? t.none : t.notFound}
            action={isFront ? { href: '/docs', label: t.create } : { href: '/', label: t.showAll }}
          />
        ) : (
          open?.campaigns.length === 0 && <p class="note">{t.noneOpen}</p>
        )}
        {block !== null && shown.length > 0 && (
          <p class="asof">{t.asOf(formatCount(lang, block))}</p>
        )}
        {open && pager('open', open)}
      </section>
      {isFront && <Steps lang={lang} />}
      {ended && ended.campaigns.length > 0 && (
        <section class="page-section" aria-labelledby="ended">
          <h2 id="ended" class={open ? undefined : 'visually-hidden'}>
            {t.ended}
          </h2>
          <ul class="ended">
            {ended.campaigns.map((campaign) => (
              <EndedRow key={campaign.id} campaign={campaign} lang={lang} />
            ))}
          </ul>
          {pager('ended', ended)}
        </section>
      )}
    </>
  )
}

const Hero = ({ proven, now, lang }: Props) => {
  const t = homeTexts[lang]
  const parts = provenParts(proven, now, lang)
  const live = (name: keyof typeof parts) => (
    <LivePart src={`/home/live?lang=${lang}`} name={name}>
      {parts[name]}
    </LivePart>
  )
  return (
    <div class="hero">
      <div>
        <h1>{t.title}</h1>
        <p class="lead">{t.what}</p>
      </div>
      <div class="total">
        <div class="total-sum">{live('total')}</div>
        {proven.newest && (
          <div class="live-line">
            <Icon name="check" />
            <div>
              <div role="status">{live('newest')}</div> <div class="asof">{live('ago')}</div>
            </div>
          </div>
        )}
      </div>
    </div>
  )
}

/** The live parts: the sums, the newest proof, and its time, which is no news by itself. */
export const provenParts = ({ totals, newest }: Proven, now: Date, lang: Language) => ({
  total: <Total totals={totals} lang={lang} />,
  ...(newest && {
    newest: <Newest newest={newest} lang={lang} />,
    ago: <Time at={newest.minedAt} now={now} lang={lang} />,
  }),
})

const Newest = ({ newest, lang }: { newest: NewestProof; lang: Language }) => {
  const t = homeTexts[lang]
  const { amount, campaign, blockNumber, donationId } = newest
  return (
    <p>
      <Sentence
        text={t.newestProof}
        values={{
          amount: <strong>{formatMoney(lang, amount)}</strong>,
          campaign: <a href={`/c/${campaign.slug}`}>{campaign.title}</a>,
          block: formatCount(lang, blockNumber),
          check: <a href={`/d/${donationId}`}>{t.checkIt}</a>,
        }}
      />
    </p>
  )
}

const Total = ({ totals, lang }: { totals: Proven['totals']; lang: Language }) => {
  const t = homeTexts[lang]
  if (totals.length === 0) return <h2>{t.nothingProven}</h2>
  return (
    <>
      <p class="note">{t.provenSoFar}</p>
      {totals.map(({ proven, paidBack, donations, campaigns }, index) => (
        <div key={proven.currency}>
          <p class="total-figure">
            {formatAmount(lang, proven.value)}
            <small> {proven.currency}</small>
          </p>
          <p class="asof">
            {t.totalOf(donations, campaigns)}
            {paidBack.value !== '0' && `; ${t.paidBackOfIt(formatMoney(lang, paidBack))}`}.{' '}
            {index === totals.length - 1 && <a href="/total">{t.checkTotal}</a>}
          </p>
        </div>
      ))}
    </>
  )
}

/** A sentence whose `{places}` are filled with elements, in the order of its language. */
const Sentence = ({
  text,
  values,
}: {
  text: string
  values: Record<string, ComponentChildren>
}) => <>{text.split(/\{(\w+)\}/).map((part, index) => (index % 2 ? values[part] : part))}</>

const Steps = ({ lang }: { lang: Language }) => (
  <ol class="how-it-works" aria-label={homeTexts[lang].howItWorks}>
    {homeTexts[lang].steps.map(({ title, text }, index) => (
      <li key={title}>
        <span class="how-number" aria-hidden="true">
          {index + 1}
        </span>
        <div>
          <h3>{title}</h3>
          <p>{text}</p>
        </div>
      </li>
    ))}
  </ol>
)
