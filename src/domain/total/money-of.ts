import { formatUnits } from '../../kernel/money.ts'
import type { Context } from '../context.ts'

/** Base units of an asset as a decimal value and a symbol. */
export const moneyOf = (
  ctx: Context,
  assetId: string,
  units: string,
): { value: string; currency: string } => {
  const asset = ctx.settings.assets.byId(assetId)
  return { value: formatUnits(BigInt(units), asset.decimals), currency: asset.symbol }
}
