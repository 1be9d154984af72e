import type { Queryable } from '../../db/client.ts'
import type { Asset } from '../../kernel/money/assets.ts'

/** Reads the stored assets into `stored`, by id. Workers store assets of proven decimals only. */
export const readAssets = async (sql: Queryable, stored: Map<string, Asset>): Promise<void> => {
  const rows = await sql<Asset[]>`
    select id, chain_id, kind, address, symbol, decimals from asset`
  for (const row of rows) stored.set(row.id, row)
}
