import { Hash, type KeyValue, KeyValues, Time, WithTime } from '../components/values.tsx'
import { explorerLink, formatCount, formatMoney, subtract } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import { campaignTexts } from '../texts/campaign/index.ts'
import { checkTexts } from '../texts/check/index.ts'
import { donationTexts } from '../texts/donation/index.ts'
import { isGone } from './donation-panel.tsx'
import { Block } from './donation-state.tsx'
import type { Tracked } from './load-donation.ts'

type Props = { tracked: Tracked; lang: Language }
type Items = (KeyValue | false | null)[]

/** All facts of a donation: the money, the chain, the ledger. */
export const DonationFacts = ({ tracked, lang }: Props) => (
  <>
    <KeyValues
      items={[
        ...moneyFacts(tracked, lang),
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
const moneyFacts = (tracked: Tracked, lang: Language): Items => {
  const { facts: t, notes } = donationTexts[lang]
  const { donation } = tracked
  const { declaredAmount, confirmedAmount, creditedAmount, transaction } = donation
  const { refund, refundedAmount, price } = donation
  const worth = worthText(tracked, lang)
  const road = refund === 'on_chain' ? notes.onChain : notes.byVerifiers
  const promised = formatMoney(lang, declaredAmount)
  // After a reorg, no block has the payment that arrived before.
  const isInBlock = transaction?.blockNumber != null
  const arrived = isInBlock && confirmedAmount ? formatMoney(lang, confirmedAmount) : null
  const counted = creditedAmount && formatMoney(lang, creditedAmount)
  const isOne = arrived === promised && counted === promised
  const given = isGone(tracked) ? <s>{promised}</s> : promised
  return [
    isOne && { key: campaignTexts[lang].amount, value: given },
    !isOne && { key: t.promised, value: promised },
    !isOne && arrived !== null && { key: t.arrived, value: arrived },
    !isOne && counted !== null && { key: t.counts, value: price ? worth : counted },
    refundedAmount && {
      key: campaignTexts[lang].refunded,
      value: formatMoney(lang, refundedAmount),
    },
    refundedAmount &&
      creditedAmount && {
        key: t.countsNow,
        value: formatMoney(
          lang,
          { ...creditedAmount, value: subtract(creditedAmount.value, refundedAmount.value) },
          2,
        ),
      },
    refund !== null && { key: t.refund, value: road },
    worth !== null && !price && { key: t.worth, value: worth },
  ]
}

/** What the payment counts or was worth, at which price, and whose price it is; or null. */
export const worthText = ({ donation, worth }: Tracked, lang: Language): string | null => {
  const { facts: t } = donationTexts[lang]
  const { creditedAmount, confirmedAmount, price, priceSource } = donation
  const say = (money: Money, from: string, price: string, isFixed: boolean) => {
    const one = formatMoney(lang, { value: '1', currency: from })
    const rate = t.rate({ one, price: formatMoney(lang, { ...money, value: price }), isFixed })
    return `${formatMoney(lang, money)} (${rate})`
  }
  if (creditedAmount && confirmedAmount && price) {
    const isFixed = priceSource?.every(({ method }) => method === 'fixed') ?? true
    return t.counted(say(creditedAmount, confirmedAmount.currency, price, isFixed))
  }
  return creditedAmount && worth && say(worth.money, creditedAmount.currency, worth.price, true)
}

type Money = { value: string; currency: string }

/** Where the payment is on the chain. On paper, hashes have all characters and no button. */
export const chainFacts = (
  { donation, campaign, chain, proof, paidAt }: Tracked,
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
    // On paper, the payee and the donor stand above the other facts.
    !onPaper && linked(t.account, 'address', campaign.ledgerAccount, !campaign.escrow),
    !onPaper &&
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
      hint: !onPaper && paidAt && <Time at={paidAt} lang={lang} />,
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
