import { formatUnits } from '../../kernel/money.ts'
import type { Context } from '../context.ts'

/** An amount of a campaign's currency as events carry it. */
export const moneyOf = (
  ctx: Context,
  currencyId: string,
  units: string,
): { value: string; currency: string } => {
  const currency = ctx.settings.assets.byId(currencyId)
  return { value: formatUnits(BigInt(units), currency.decimals), currency: currency.symbol }
}
