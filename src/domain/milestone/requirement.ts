import type { Context } from '../context.ts'
import type { MilestoneRow } from './milestone-row.ts'

/**
 * The number of different verifiers that a milestone needs: one, or MULTISIG_REQUIRED if its amount
 * exceeds MULTISIG_THRESHOLD. The threshold is in the deployment's currency:
 * - If a price is configured, the amount is converted at this price.
 * - If there is only a price feed, the amount is not converted, and MULTISIG_REQUIRED applies.
 * - Otherwise one unit of the milestone's currency counts as one unit of the deployment's currency.
 */
export const requiredVerifiers = (
  ctx: Context,
  milestone: Pick<MilestoneRow, 'chainId' | 'currencyId' | 'amount'>,
): number => {
  const { assets, defaultCurrency, multisigThreshold, multisigRequired } = ctx.settings
  const currency = assets.byId(milestone.currencyId)
  const measure = assets.bySymbol(defaultCurrency, milestone.chainId)
  const known = assets.fixedRate(currency, measure, ctx.clock.now())
  if (!known && assets.route(currency, measure)) return multisigRequired
  const price = known ?? { numerator: 1n, denominator: 1n }
  const [whole = '', fraction = ''] = multisigThreshold.split('.')
  // Compares amount / 10^decimals * price with the threshold, but without a rounding division.
  const worth = BigInt(milestone.amount) * price.numerator * 10n ** BigInt(fraction.length)
  const limit = BigInt(whole + fraction) * 10n ** BigInt(currency.decimals) * price.denominator
  return worth > limit ? multisigRequired : 1
}
