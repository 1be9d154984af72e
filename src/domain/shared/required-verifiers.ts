import type { Context } from '../../db/context.ts'
import type { Campaign, Milestone } from '../../db/schema/campaigns.ts'

/** An amount in base units of a currency, for a campaign on this chain. */
type Amount = Pick<Campaign, 'chainId' | 'currencyId'> & Pick<Milestone, 'amount'>

/** The number of different verifiers that a milestone needs: one, or MULTISIG_REQUIRED. */
export const requiredVerifiers = (ctx: Context, milestone: Amount): number => {
  const { multisigThreshold, multisigRequired } = ctx.settings
  return isWorthMoreThan(ctx, milestone, multisigThreshold) ? multisigRequired : 1
}

/**
 * Whether an amount is above a limit, which is a decimal text in the deployment's currency:
 * - If a price is configured, the amount is converted at this price.
 * - If there is only a price feed, every amount counts as above the limit.
 * - Otherwise one unit of the amount's currency counts as one unit of the deployment's currency.
 */
export const isWorthMoreThan = (ctx: Context, amount: Amount, limit: string): boolean => {
  const { assets, defaultCurrency } = ctx.settings
  const currency = assets.byId(amount.currencyId)
  const measure = assets.bySymbol(defaultCurrency, amount.chainId)
  const known = assets.fixedRate(currency, measure, ctx.clock.now())
  if (!known && assets.route(currency, measure)) return true
  const price = known ?? { numerator: 1n, denominator: 1n }
  const [whole = '', fraction = ''] = limit.split('.')
  // Compares amount / 10^decimals * price with the limit, without a division, which rounds.
  const worth = BigInt(amount.amount) * price.numerator * 10n ** BigInt(fraction.length)
  return worth > BigInt(whole + fraction) * 10n ** BigInt(currency.decimals) * price.denominator
}
