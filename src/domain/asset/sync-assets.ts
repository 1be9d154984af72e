import type { Queryable } from '../../db/client.ts'
import { StartError } from '../../kernel/errors.ts'
import type { Asset, AssetCatalogue } from '../../kernel/money/assets.ts'

/**
 * Writes the configured assets into the database. A known asset must keep its decimals, because
 * other decimals would change the value of every stored amount.
 *
 * @returns the stored assets that are no longer configured
 * @throws StartError if a known asset has other decimals in the configuration
 */
export const syncAssets = async (sql: Queryable, assets: AssetCatalogue): Promise<Asset[]> => {
  const rows = sql.json(assets.all as Asset[])
  await sql`
    insert into asset (id, chain_id, kind, address, symbol, decimals)
    select id, "chainId", kind, address, symbol, decimals
    from jsonb_to_recordset(${rows})
      as row (id text, "chainId" bigint, kind text, address text, symbol text, decimals int)
    on conflict (id) do update set symbol = excluded.symbol`
  const changed = await sql<{ id: string; decimals: number }[]>`
    select asset.id, asset.decimals
    from asset
    join jsonb_to_recordset(${rows}) as row (id text, decimals int) using (id)
    where asset.decimals <> row.decimals`
  const first = changed[0]
  if (first) {
    throw new StartError(
      `Wrong setting: ${first.id} has ${first.decimals} decimals in the database, and other decimals in the configuration.`,
    )
  }
  const configured = new Set(assets.all.map(({ id }) => id))
  const stored = await sql<Asset[]>`
    select id, chain_id, kind, address, symbol, decimals from asset`
  return stored.filter(({ id }) => !configured.has(id))
}
