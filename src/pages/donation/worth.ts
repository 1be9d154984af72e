import type { Context } from '../../db/context.ts'
import type { DonationView } from '../../domain/donations/index.ts'
import { convertUnits, formatPrice, formatUnits, parseUnits } from '../../kernel/money/money.ts'

/** Amounts in fiat have cents. */
const CENTS = 2

/**
 * The worth of a credit in fiat, by the configured price at the time of its block. Null without a
 * price of that time: a price of today would say nothing about the donation.
 */
export const worthOf = ({ settings }: Context, donation: DonationView, paidAt: Date | null) => {
  const { creditedAmount: money, transaction } = donation
  const { assets } = settings
  const from = assets.all.find(
    ({ symbol, chainId }) => symbol === money?.currency && chainId === transaction?.chainId,
  )
  const to = assets.all.find(({ kind }) => kind === 'fiat')
  const rate = from && to && paidAt && assets.fixedRate(from, to, paidAt)
  if (!money || !rate) return null
  const units = convertUnits(parseUnits(money.value, from.decimals), from.decimals, rate, CENTS)
  return {
    money: { value: formatUnits(units, CENTS), currency: to.symbol },
    price: formatPrice(rate),
  }
}
