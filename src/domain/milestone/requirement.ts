import type { Context } from '../context.ts'

/**
 * How many distinct verifiers a milestone needs: one, or MULTISIG_REQUIRED where its amount exceeds
 * MULTISIG_THRESHOLD. The threshold is in the deployment's currency; an amount in another one is
 * converted at the configured price, and counted one for one where there is none.
 */
export const requiredVerifiers = (
  ctx: Context,
  milestone: { chainId: number; currencyId: string; amount: bigint },
): number => {
  const { assets, defaultCurrency, multisigThreshold, multisigRequired } = ctx.settings
  const currency = assets.byId(milestone.currencyId)
  const measure = assets.bySymbol(defaultCurrency, milestone.chainId)
  const price = assets.price(currency, measure) ?? { numerator: 1n, scale: 0 }
  const [whole = '', fraction = ''] = multisigThreshold.split('.')
  // amount / 10^decimals * price > threshold, without a division that would round.
  const worth = milestone.amount * price.numerator * 10n ** BigInt(fraction.length)
  const limit = BigInt(whole + fraction) * 10n ** BigInt(currency.decimals + price.scale)
  return worth > limit ? multisigRequired : 1
}
