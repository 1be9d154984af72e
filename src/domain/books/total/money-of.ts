import type { Context } from '../../../db/context.ts'
import { formatUnits } from '../../../kernel/money/money.ts'

/** An amount as a decimal text, with the symbol of its asset. */
export type MoneyView = { value: string; currency: string }

export const moneyOf = (ctx: Context, assetId: string, units: string): MoneyView => {
  const asset = ctx.settings.assets.byId(assetId)
  return { value: formatUnits(BigInt(units), asset.decimals), currency: asset.symbol }
}
