import { decimalText } from '../format.ts'

/** An asset that the page can name: `id` is CAIP-19. */
export type NamedAsset = { id: string; symbol: string; decimals: number }

/**
 * The amount of a proof as text, with all its digits. The proof itself has base units, and the
 * symbol and the decimals come from the page. An unknown asset keeps its base units and its id.
 */
export const amountText = (
  units: string,
  asset: string,
  known: readonly NamedAsset[],
): { value: string; currency: string } => {
  const named = known.find(({ id }) => id === asset)
  if (!named) return { value: units, currency: asset }
  return { value: decimalText(BigInt(units), named.decimals), currency: named.symbol }
}
