import type { Queryable } from '../../db/client.ts'
import { isForeignKeyViolation } from '../../db/errors.ts'
import { StartError } from '../../kernel/errors.ts'
import type { Asset } from '../../kernel/money/assets.ts'

/**
 * Stores assets whose decimals are proven. Corrects a stored asset that has other decimals, unless
 * another row refers to it, because other decimals would change the value of every stored amount.
 *
 * @throws StartError if an asset with other decimals is used
 */
export const storeAssets = async (sql: Queryable, assets: readonly Asset[]): Promise<void> => {
  const rows = sql.json(assets as Asset[])
  try {
    await sql`
      delete from asset using jsonb_to_recordset(${rows}) as row (id text, decimals int)
      where asset.id = row.id and asset.decimals <> row.decimals`
  } catch (error) {
    if (!isForeignKeyViolation(error)) throw error
    const names = assets.map(({ symbol, decimals }) => `${symbol} ${decimals}`).join(', ')
    throw new StartError(
      `Other rows use an asset whose stored decimals are wrong. The proven decimals are: ${names}.`,
    )
  }
  await sql`
    insert into asset (id, chain_id, kind, address, symbol, decimals)
    select id, "chainId", kind, address, symbol, decimals
    from jsonb_to_recordset(${rows})
      as row (id text, "chainId" bigint, kind text, address text, symbol text, decimals int)
    on conflict (id) do update set symbol = excluded.symbol`
}
