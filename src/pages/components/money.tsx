import { formatMoney } from '../shared/format.ts'

type Props = {
  /** Decimal text. */
  value: string
  currency: string
  lang: string
  /** The least number of decimals. */
  least?: number
  /** The same money in the currency in which it was paid, shown below. */
  paid?: { value: string; currency: string } | null
  /** True for money that does not count (any more). */
  gone?: boolean
}

/** An amount with its currency. It never breaks into two lines. */
export const Money = ({ value, currency, lang, least, paid, gone = false }: Props) => {
  const text = formatMoney(lang, { value, currency }, least)
  return (
    <span class="money">
      {gone ? <s>{text}</s> : text}
      {paid && <span class="money-paid">{formatMoney(lang, paid)}</span>}
    </span>
  )
}
