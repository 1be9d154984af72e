import { StartError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'

/**
 * Writes the configured assets into the database. An asset that is already known must keep its
 * decimals: changing them would change the worth of every amount stored in it.
 */
export const syncAssets = async (ctx: Context): Promise<void> => {
  const rows = ctx.settings.assets.all.map((asset) => ({
    id: asset.id,
    chain_id: asset.chainId,
    kind: asset.kind,
    address: asset.address,
    symbol: asset.symbol,
    decimals: asset.decimals,
  }))
  await ctx.sql`
    insert into asset (id, chain_id, kind, address, symbol, decimals)
    select id, chain_id, kind, address, symbol, decimals
    from jsonb_to_recordset(${ctx.sql.json(rows)})
      as row (id text, chain_id bigint, kind text, address text, symbol text, decimals int)
    on conflict (id) do update set symbol = excluded.symbol`
  const changed = await ctx.sql<{ id: string; decimals: number }[]>`
    select asset.id, asset.decimals
    from asset
    join jsonb_to_recordset(${ctx.sql.json(rows)}) as row (id text, decimals int) using (id)
    where asset.decimals <> row.decimals`
  const first = changed[0]
  if (first) {
    throw new StartError(
      `Wrong setting: ${first.id} has ${first.decimals} decimals in the database, and others now.`,
    )
  }
}
