import type { DonationView } from '../../domain/donation/index.ts'
import type { Intent } from '../shared/payment.ts'

/** The intent as the browser needs it to pay; null if the donation is not an intent. */
export const toIntent = ({ id, payment }: DonationView, wallet: string): Intent | null => {
  if (payment === null) return null
  const { account, token, units, amount, currency, methods } = payment
  return { id, wallet, account, token, units, amount, currency, methods }
}
