import type { Config } from '../config/config.ts'
import type { Queryable } from '../db/client.ts'
import { assertSchema } from '../db/migrate.ts'
import { refuseMissing } from '../domain/service/index.ts'
import { StartError } from '../kernel/errors.ts'
import { type Asset, type AssetCatalogue, createAssetCatalogue } from '../kernel/money/assets.ts'

/** The checks that each start makes, and `check-settings` makes too. None changes anything. */

/**
 * The assets that CHAINS and PRICES name.
 *
 * @throws StartError if two assets of a chain have one symbol, or DEFAULT_CURRENCY is none of them
 */
export const configuredAssets = (
  { prices, defaultCurrency }: Pick<Config, 'prices' | 'defaultCurrency'>,
  chains: NonNullable<Config['chains']>,
): AssetCatalogue => {
  const assets = createAssetCatalogue(chains, prices)
  for (const { id } of chains) {
    try {
      assets.bySymbol(defaultCurrency, id)
    } catch {
      const text = `DEFAULT_CURRENCY ${defaultCurrency} is neither an asset of chain ${id} nor a unit`
      throw new StartError(`Wrong setting: ${text} that PRICES or a feed names.`)
    }
  }
  return assets
}

/**
 * @throws StartError for another schema, for a database of another ENVIRONMENT, and for a chain or
 *   an asset in use that is not configured
 */
export const assertDatabase = async (
  sql: Queryable,
  { environment }: Pick<Config, 'environment'>,
  assets: AssetCatalogue,
): Promise<void> => {
  await assertSchema(sql)
  const [other] = await sql<{ environment: string }[]>`
    select environment from database_clock where environment <> ${environment}`
  if (other) {
    const text = `ENVIRONMENT is ${environment}, and the database is of ${other.environment}`
    throw new StartError(`Wrong setting: ${text}. Correct ENVIRONMENT or DATABASE_URL.`)
  }
  await refuseMissing(sql, assets)
}

/** Throws StartError if an asset has other decimals than `stored`, which are proven. */
export const refuseOtherDecimals = (
  assets: readonly Asset[],
  stored: ReadonlyMap<string, Asset>,
): void => {
  for (const { id, decimals } of assets) {
    const proven = stored.get(id)?.decimals ?? decimals
    const text = `CHAINS gives ${id} ${decimals} decimals, and the database ${proven}`
    if (proven !== decimals) throw new StartError(`Wrong setting: ${text}.`)
  }
}
