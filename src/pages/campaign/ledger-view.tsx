import type { Flows, LedgerEntryView, LedgerHead } from '../../domain/books/index.ts'
import type { CampaignView } from '../../domain/campaigns/index.ts'
import type { PublicChain } from '../../kernel/settings.ts'
import { Empty, Pager, Sums, Table } from '../components/lists.tsx'
import { Icon } from '../components/states.tsx'
import { Hash, KeyValues, Money, Time } from '../components/values.tsx'
import { type ListPage, SubPage } from '../parts/campaign-parts.tsx'
import { add, explorerLink, formatAmount, formatCount } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { type CampaignTexts, campaignTexts } from '../texts/campaign/index.ts'

type LedgerViewProps = ListPage & {
  campaign: Pick<CampaignView, 'title' | 'slug' | 'id' | 'ledgerAccount' | 'escrow'>
  flows: Flows
  entries: readonly LedgerEntryView[]
  total: number
  /** Null before the first seal. */
  head: LedgerHead | null
  chain: PublicChain | undefined
}

/** The ledger of a campaign: its sums, its entries, newest first, and its newest seal. */
export const LedgerView = (props: LedgerViewProps) => {
  const { entries, total, head, chain, position, ...page } = props
  const { campaign, lang } = page
  const t = campaignTexts[lang]
  return (
    <SubPage {...page} title={t.ledger}>
      <p class="lead">{t.ledgerIntro}</p>
      <MoneyFlows {...props} />
      <section class="page-section">
        <h2>{t.entries}</h2>
        {entries.length === 0 ? (
          <Empty text={t.noEntries} />
        ) : (
          <Table
            caption={t.ledger}
            columns={[t.entry, t.transaction, t.when, t.amount]}
            rows={entries.map((entry) => ({
              key: String(entry.id),
              quiet: signOf(entry) === '',
              cells: [
                <Entry key="entry" entry={entry} slug={campaign.slug} t={t} />,
                <Reason key="transaction" entry={entry} chain={chain} t={t} />,
                <Time key="when" at={entry.createdAt} lang={lang} />,
                <span key="amount" class="money">
                  {signOf(entry)}
                  <Money {...entry.amount} lang={lang} least={2} />
                </span>,
              ],
            }))}
          />
        )}
        <Pager {...position} texts={t} />
        <p class="section-links">
          <a href={`/api/campaigns/${campaign.id}/ledger?limit=100`}>{t.allEntries}</a>
        </p>
      </section>
      <section class="page-section">
        <h2>{t.seal}</h2>
        <p>{t.sealIntro}</p>
        {head ? <Seal head={head} total={total} lang={lang} /> : <p class="note">{t.noSeal}</p>}
      </section>
    </SubPage>
  )
}

/** Came in, went out and the rest, for each currency, at one block. */
const MoneyFlows = ({ flows: { block, flows }, campaign, chain, lang }: LedgerViewProps) => {
  const t = campaignTexts[lang]
  if (flows.length === 0) return null
  const { escrow, ledgerAccount } = campaign
  const sums = flows.map(({ currency, cameIn, paid, refunded, held }) => ({
    ...{ currency, cameIn },
    // Without an escrow, the creator has each payment as soon as it came in.
    wentOut: escrow ? add(paid, refunded) : cameIn,
    held: escrow ? held : '0',
  }))
  const of = (what: 'cameIn' | 'wentOut' | 'held') =>
    sums.map((sum) => ({ value: sum[what], currency: sum.currency }))
  const amount = (value: string) => formatAmount(lang, value)
  return (
    <section class="page-section">
      <h2 class="visually-hidden">{t.sums}</h2>
      <Sums
        lang={lang}
        items={[
          { label: t.cameIn, money: of('cameIn') },
          { label: escrow ? t.wentOut : t.wentStraight, money: of('wentOut') },
          { label: escrow ? t.heldInEscrow : t.heldHere, money: of('held') },
        ]}
      />
      <p class="note">
        {block !== null && t.asOfBlock(formatCount(lang, block))}{' '}
        {sums.map(({ cameIn, wentOut, held, currency }) => (
          <span key={currency}>
            {amount(cameIn)} − {amount(wentOut)} = {amount(held)} {currency}.{' '}
          </span>
        ))}
        {escrow ? t.compareBalance : t.donationIsPayout}{' '}
        <Hash value={ledgerAccount} href={explorerLink(chain, 'address', ledgerAccount)} />
      </p>
    </section>
  )
}

/** Money that comes in or goes out has a sign. Other entries move it inside the ledger only. */
const signOf = ({ debit, credit }: LedgerEntryView): string =>
  debit === 'custody' ? '+' : credit === 'custody' ? '−' : ''

type EntryProps = { entry: LedgerEntryView; slug: string; t: CampaignTexts }

const Entry = ({ entry, slug, t }: EntryProps) => {
  const { id, kind, donationId, milestoneId, reverses } = entry
  const name = `${t.entryKinds[kind]} ${id}`
  return (
    <>
      {donationId === null ? name : <a href={`/d/${donationId}`}>{name}</a>}
      {reverses !== null && <span class="hint">{t.reverses(String(reverses))}</span>}
      {milestoneId !== null && (
        <a href={`/c/${slug}#evidence-${milestoneId}`}>{t.promisedEvidence}</a>
      )}
    </>
  )
}

type ReasonProps = { entry: LedgerEntryView; chain: PublicChain | undefined; t: CampaignTexts }

const Reason = ({ entry: { txHash }, chain, t }: ReasonProps) =>
  txHash === null ? (
    t.noTransaction
  ) : (
    <Hash value={txHash} href={explorerLink(chain, 'tx', txHash)} texts={t.copy} />
  )

type SealProps = { head: LedgerHead; total: number; lang: Language }

const Seal = ({ head, total, lang }: SealProps) => {
  const t = campaignTexts[lang]
  return (
    <>
      <KeyValues
        items={[
          {
            key: t.sealNumber,
            value: formatCount(lang, head.seq),
            hint: t.sealed(formatCount(lang, head.entries), formatCount(lang, total)),
          },
          { key: t.sealedAt, value: <Time at={head.sealedAt} lang={lang} /> },
          { key: t.head, value: <Hash value={head.head} texts={t.copy} full /> },
          { key: t.globalHead, value: <Hash value={head.globalHead} texts={t.copy} full /> },
          { key: t.signingKey, value: <Hash value={head.keyId} texts={t.copy} full /> },
        ]}
      />
      <p class="section-links">
        <a
          class="button button-plain"
          href={`/api/campaigns/${head.campaignId}/ledger/head`}
          download={`head-${head.seq}.json`}
        >
          <Icon name="download" />
          {t.keepHead}
        </a>
        <a href="/check">{t.checkHead}</a>
      </p>
    </>
  )
}
