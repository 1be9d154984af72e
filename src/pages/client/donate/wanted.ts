import type { Intent } from '../../shared/payment.ts'
import { readAmount } from '../../shared/typed-amount.ts'

/** The amount and the currency of the intent or, before it, of the form. */
export const wantedOf = (
  intent: Intent | null,
  form: URLSearchParams,
  lang: string,
): { amount: string; currency: string } =>
  intent ?? {
    amount: readAmount(form.get('amount') ?? '', lang),
    currency: form.get('currency') ?? '',
  }
