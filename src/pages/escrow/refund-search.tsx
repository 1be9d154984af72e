import { Button } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import { Money } from '../components/money.tsx'
import { ReadyTransactionPart } from '../parts/ready-transaction-part.tsx'
import { RefundFacts } from '../parts/refund-facts.tsx'
import type { Language } from '../shared/languages.ts'
import type { WalletChain } from '../shared/payment.ts'
import { donateTexts } from '../texts/donate/index.ts'
import { escrowTexts } from '../texts/escrow/index.ts'
import type { RefundSearch, ShownRefund } from './search-refunds.ts'

type Props = {
  slug: string
  /** Null before a search. */
  search: RefundSearch | null
  quorum: number
  chain: WalletChain
  lang: Language
}

/** A form that searches the refunds of an account, and the refunds that the search found. */
export const RefundSearchPart = ({ slug, search, quorum, chain, lang }: Props) => {
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
      {search?.found?.map((shown, index) => (
        <Refund key={index} {...{ shown, quorum, chain, lang }} />
      ))}
      {search?.found?.length === 0 && <p>{t.none}</p>}
    </>
  )
}

type RefundProps = Pick<Props, 'quorum' | 'chain' | 'lang'> & { shown: ShownRefund }

const Refund = ({ shown: { refund, amount, ready }, quorum, chain, lang }: RefundProps) => {
  const { roads } = escrowTexts[lang].search
  return (
    <section class="card action">
      <h3>{roads[refund.refund]}</h3>
      {amount && (
        <p>
          <Money {...amount} lang={lang} />
        </p>
      )}
      <RefundFacts {...{ refund, quorum, chain, lang }} />
      {ready && <ReadyTransactionPart {...ready} lang={lang} />}
    </section>
  )
}
