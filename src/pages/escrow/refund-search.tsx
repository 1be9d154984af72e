import { Button } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import { Money } from '../components/money.tsx'
import { donateTexts } from '../donate/texts/index.ts'
import { RefundFacts } from '../donation/refund-part.tsx'
import { donationTexts } from '../donation/texts/index.ts'
import { formatMoment } from '../shared/format.ts'
import type { Language } from '../shared/languages.ts'
import type { WalletChain } from '../shared/payment.ts'
import { ReadyTransactionPart } from './ready-transaction-part.tsx'
import type { RefundSearch, ShownRefund } from './search-refunds.ts'
import { escrowTexts } from './texts/index.ts'

type Props = {
  slug: string
  /** Null before a search. */
  search: RefundSearch | null
  chain: WalletChain
  lang: Language
}

/** A form that searches the refunds of an account, and the refunds that the search found. */
export const RefundSearchPart = ({ slug, search, chain, lang }: Props) => {
  const { search: t } = escrowTexts[lang]
  const isWrong = search?.found === null
  return (
    <>
      <p>{t.lead}</p>
      <form class="filter" action={`/c/${slug}/escrow#refunds`}>
        <Field
          name="account"
          label={t.account}
          value={search?.account}
          error={isWrong ? donateTexts[lang].refusals.wallet : undefined}
          spellcheck={false}
          maxLength={100}
          required
        />
        <Button kind="plain">{t.find}</Button>
      </form>
      {search?.found && <Found found={search.found} chain={chain} lang={lang} />}
    </>
  )
}

type FoundProps = Pick<Props, 'chain' | 'lang'> & { found: NonNullable<RefundSearch['found']> }

const Found = ({ found: { refunds, waitingUntil }, chain, lang }: FoundProps) => {
  const { refund: t } = donationTexts[lang]
  return (
    <>
      {refunds.map((shown) => (
        <Refund key={shown.refund.call.data} {...{ shown, chain, lang }} />
      ))}
      {waitingUntil && <p>{t.waits(formatMoment(lang, waitingUntil))}</p>}
      {refunds.length === 0 && !waitingUntil && <p>{escrowTexts[lang].search.none}</p>}
    </>
  )
}

type RefundProps = Pick<Props, 'chain' | 'lang'> & { shown: ShownRefund }

const Refund = ({ shown: { refund, amount, ready }, chain, lang }: RefundProps) => {
  const { roads } = escrowTexts[lang].search
  return (
    <section class="card action">
      <h3>{roads[refund.claim.refund]}</h3>
      {amount && (
        <p>
          <Money {...amount} lang={lang} />
        </p>
      )}
      <p>{donationTexts[lang].refund[refund.state]}</p>
      <RefundFacts refund={refund} chain={chain} lang={lang} />
      {ready && <ReadyTransactionPart {...ready} lang={lang} />}
    </section>
  )
}
