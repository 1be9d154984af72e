import type { LedgerEntryView, LedgerHead } from '../../domain/books/index.ts'
import type { PublicChain } from '../../kernel/settings.ts'
import { LinkButton } from '../components/form.tsx'
import { Empty, Pager, Table } from '../components/lists.tsx'
import { Hash, KeyValues, Money, Time } from '../components/values.tsx'
import { type ListPage, SubPage } from '../parts/campaign-parts.tsx'
import { explorerLink, formatCount } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { type CampaignTexts, campaignTexts } from '../texts/campaign/index.ts'

type Props = ListPage & {
  entries: readonly LedgerEntryView[]
  total: number
  /** Null before the first seal. */
  head: LedgerHead | null
  chain: PublicChain | undefined
}

/** The ledger of a campaign: its newest seal, and its entries, newest first. */
export const LedgerView = ({ entries, total, head, chain, position, ...page }: Props) => {
  const { lang } = page
  const t = campaignTexts[lang]
  return (
    <SubPage {...page} title={t.ledger}>
      <p class="lead">{t.ledgerIntro}</p>
      <section class="page-section">
        <h2>{t.seal}</h2>
        <p>{t.sealIntro}</p>
        {head ? <Seal head={head} total={total} lang={lang} /> : <p class="note">{t.noSeal}</p>}
      </section>
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
              quiet: entry.kind === 'reversal',
              cells: [
                <Entry key="entry" entry={entry} t={t} />,
                <Reason key="transaction" entry={entry} chain={chain} t={t} />,
                <Time key="when" at={entry.createdAt} lang={lang} />,
                <Money key="amount" {...entry.amount} lang={lang} least={2} />,
              ],
            }))}
          />
        )}
        <Pager {...position} texts={t} />
      </section>
    </SubPage>
  )
}

const Entry = ({ entry, t }: { entry: LedgerEntryView; t: CampaignTexts }) => {
  const { id, kind, credit, debit, donationId, reverses } = entry
  const name = `${t.entryKinds[kind]} ${id}`
  return (
    <>
      {donationId === null ? name : <a href={`/d/${donationId}`}>{name}</a>}
      <span class="hint">{t.debitCredit(t.accounts[debit], t.accounts[credit])}</span>
      {reverses !== null && <span class="hint">{t.reverses(String(reverses))}</span>}
    </>
  )
}

type ReasonProps = { entry: LedgerEntryView; chain: PublicChain | undefined; t: CampaignTexts }

const Reason = ({ entry: { txHash }, chain, t }: ReasonProps) =>
  txHash === null ? (
    <>–</>
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
        <LinkButton kind="plain" href={`/api/campaigns/${head.campaignId}/ledger/head`}>
          {t.keepHead}
        </LinkButton>
      </p>
    </>
  )
}
