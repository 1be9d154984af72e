import type { DonationView } from '../../domain/donations/index.ts'
import { Hash, type KeyValue, KeyValues, Time, WithTime } from '../components/values.tsx'
import { explorerLink, formatAmount, formatCount, formatMoney } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { checkTexts } from '../texts/check/index.ts'
import { donationTexts } from '../texts/donation/index.ts'
import { Block } from './donation-state.tsx'
import type { Tracked } from './load-donation.ts'

type Props = { tracked: Tracked; lang: Language }
type Items = (KeyValue | false | null)[]

/** All facts of a donation: the money, the chain, the ledger. */
export const DonationFacts = ({ tracked, lang }: Props) => (
  <>
    <KeyValues
      items={[
        ...moneyFacts(tracked.donation, lang),
        ...chainFacts(tracked, lang),
        ...ledgerFacts(tracked, lang),
      ]}
    />
    {tracked.campaign.escrow && (
      <p class="section-links">
        <a href={`/c/${tracked.campaign.slug}/escrow`}>{campaignTexts[lang].toEscrow}</a>
      </p>
    )}
  </>
)

/** What was promised, what arrived, and what counts. */
export const moneyFacts = (donation: DonationView, lang: Language): Items => {
  const { facts: t, notes } = donationTexts[lang]
  const { declaredAmount, confirmedAmount, creditedAmount, transaction } = donation
  const { price, priceSource, refund, refundedAmount } = donation
  const isFixed = priceSource?.every(({ method }) => method === 'fixed')
  const isConverted = creditedAmount !== null && price !== null
  const road = refund === 'on_chain' ? notes.onChain : notes.byVerifiers
  const promised = formatMoney(lang, declaredAmount)
  // After a reorg, no block has the payment that arrived before.
  const isInBlock = transaction?.blockNumber != null
  const arrived = isInBlock && confirmedAmount ? formatMoney(lang, confirmedAmount) : null
  const counted = creditedAmount && formatMoney(lang, creditedAmount)
  const isOne = arrived === promised && counted === promised
  return [
    isOne && { key: campaignTexts[lang].amount, value: promised },
    !isOne && { key: t.promised, value: promised },
    !isOne && arrived !== null && { key: t.arrived, value: arrived },
    !isOne && counted !== null && { key: t.counts, value: counted },
    refundedAmount && {
      key: campaignTexts[lang].refunded,
      value: formatMoney(lang, refundedAmount),
    },
    refund !== null && { key: t.refund, value: road },
    isConverted && {
      key: isFixed ? t.priceFixed : t.priceFeed,
      value: t.price(
        formatAmount(lang, price),
        priceSource?.map(({ pair }) => pair).join(', ') ?? '',
      ),
    },
  ]
}

/** Where the payment is on the chain. On paper, hashes have all characters and no button. */
export const chainFacts = (
  { donation, campaign, chain, proof }: Tracked,
  lang: Language,
  onPaper = false,
): Items => {
  const { facts: t } = donationTexts[lang]
  const words = checkTexts[lang].island.facts
  const { transaction, payment } = donation
  const linked = (
    key: string,
    kind: 'tx' | 'address',
    value: string,
    hasCopy = true,
  ): KeyValue => ({
    key,
    value: (
      <Hash
        value={value}
        href={explorerLink(chain, kind, value)}
        full={onPaper}
        {...(hasCopy && !onPaper && { texts: campaignTexts[lang].copy })}
      />
    ),
  })
  const hash = (key: string, value: string | null | undefined) =>
    value != null && linked(key, 'tx', value)
  const block = transaction?.blockNumber
  return [
    { key: words.chain, value: chain?.name ?? String(campaign.chainId) },
    linked(t.account, 'address', campaign.ledgerAccount, !campaign.escrow),
    proof !== null &&
      (proof.donation.sender === null
        ? { key: words.sender, value: words.unknownSender }
        : linked(words.sender, 'address', proof.donation.sender)),
    hash(words.transaction, transaction?.txHash ?? payment?.txHash),
    hash(t.firstTransaction, transaction?.originalTxHash),
    hash(t.replacedBy, transaction?.replacedBy),
    block != null && {
      key: words.block,
      value: <Block number={block} chain={chain} lang={lang} />,
    },
  ]
}

/** Where the credit is in the books. */
export const ledgerFacts = (
  { donation, campaign, proof }: Tracked,
  lang: Language,
  onPaper = false,
): Items => {
  const { facts: t } = donationTexts[lang]
  const shown = onPaper ? { full: true } : { texts: campaignTexts[lang].copy }
  const newest = proof?.ledger.seals.at(-1)
  const entries = proof?.ledger.entries.map(({ id }) => formatCount(lang, id)).join(', ')
  return [
    entries !== undefined && {
      key: t.entries,
      value: <a href={`/c/${campaign.slug}/ledger`}>{entries}</a>,
      hint: newest && (
        <WithTime
          sentence={(at) => t.seal(formatCount(lang, newest.seq), at)}
          at={new Date(newest.sealedAt)}
          lang={lang}
        />
      ),
    },
    newest !== undefined && { key: t.sealHead, value: <Hash value={newest.head} {...shown} /> },
    newest !== undefined && { key: t.sealKey, value: <Hash value={newest.keyId} {...shown} /> },
    { key: t.recorded, value: <Time at={donation.createdAt} lang={lang} /> },
    { key: t.number, value: <code>{donation.id}</code> },
  ]
}
