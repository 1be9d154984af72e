import type { Queryable } from '../../db/client.ts'
import type { Asset, AssetCatalogue } from '../../kernel/assets.ts'
import { StartError } from '../../kernel/errors.ts'

/**
 * Writes the configured assets into the database. An asset that is already known must keep its
 * decimals: changing them would change the worth of every amount stored in it.
 *
 * @returns the assets that are stored and no longer configured
 */
export const syncAssets = async (sql: Queryable, assets: AssetCatalogue): Promise<Asset[]> => {
  const rows = assets.all.map((asset) => ({
    id: asset.id,
    chain_id: asset.chainId,
    kind: asset.kind,
    address: asset.address,
    symbol: asset.symbol,
    decimals: asset.decimals,
  }))
  await sql`
    insert into asset (id, chain_id, kind, address, symbol, decimals)
    select id, chain_id, kind, address, symbol, decimals
    from jsonb_to_recordset(${sql.json(rows)})
      as row (id text, chain_id bigint, kind text, address text, symbol text, decimals int)
    on conflict (id) do update set symbol = excluded.symbol`
  const changed = await sql<{ id: string; decimals: number }[]>`
    select asset.id, asset.decimals
    from asset
    join jsonb_to_recordset(${sql.json(rows)}) as row (id text, decimals int) using (id)
    where asset.decimals <> row.decimals`
  const first = changed[0]
  if (first) {
    throw new StartError(
      `Wrong setting: ${first.id} has ${first.decimals} decimals in the database, and other decimals in the configuration.`,
    )
  }
  const configured = new Set(rows.map((row) => row.id))
  const stored = await sql<(Omit<Asset, 'chainId'> & { chainId: number | null })[]>`
    select id, chain_id, kind, address, symbol, decimals from asset`
  return stored
    .filter((asset) => !configured.has(asset.id))
    .map(({ chainId: chain_id, ...asset }) => ({ ...asset, chainId: chain_id }))
}
