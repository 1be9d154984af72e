import type { DonateProps } from '../../components/payment/donate-props.ts'
import { type Gift, readAmount } from '../../shared/gift.ts'

type Wanted = { props: DonateProps; gift: Gift | null; fields: () => URLSearchParams }

/** The amount and the currency of the intent or, before it, of the form. */
export const wantedOf = ({ gift, fields, props }: Wanted): { amount: string; symbol: string } => {
  if (gift) return { amount: gift.amount, symbol: gift.currency }
  const form = fields()
  return {
    amount: readAmount(form.get('amount') ?? '', props.lang),
    symbol: form.get('currency') ?? '',
  }
}
