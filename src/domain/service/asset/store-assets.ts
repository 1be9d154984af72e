import type { Database, Queryable } from '../../../db/client.ts'
import { isForeignKeyViolation } from '../../../db/errors.ts'
import { StartError } from '../../../kernel/errors.ts'
import type { Asset, AssetCatalogue } from '../../../kernel/money/assets.ts'

/** Throws StartError if the settings do not name a chain or an asset that campaigns use. */
export const refuseMissing = async (sql: Queryable, assets: AssetCatalogue): Promise<void> => {
  const [chain] = await sql<{ chainId: number; campaigns: number }[]>`
    select chain_id, count(*)::int as campaigns from campaign
    where chain_id <> all(${assets.chainIds as number[]}::bigint[])
    group by chain_id order by chain_id limit 1`
  if (chain) throw missing(`chain ${chain.chainId}`, chain.campaigns)
  const others = await sql<{ id: string; symbol: string }[]>`
    select id, symbol from asset where id <> all(${assets.all.map(({ id }) => id)}) order by id`
  for (const { id, symbol } of others) {
    const [used] = await sql<{ campaigns: number }[]>`
      select count(*)::int as campaigns from (
        select id from campaign where currency_id = ${id}
        union select campaign_id from ledger_account where asset_id = ${id}
        union select campaign_id from donation where declared_asset_id = ${id}) used`
    if (used?.campaigns) throw missing(`${symbol} (${id})`, used.campaigns)
  }
}

const missing = (name: string, campaigns: number): StartError =>
  new StartError(
    `Wrong setting: CHAINS and PRICES no longer name ${name}, and the number of campaigns that use it is ${campaigns}. ` +
      'Name it again, in CHAINS with "retired": true if it shall take nothing new.',
  )

/**
 * Stores assets whose decimals are proven. Corrects a stored asset that has other decimals, unless
 * another row refers to it, because other decimals would change the value of every stored amount.
 *
 * @throws StartError if an asset with other decimals is used
 */
export const storeAssets = async (pool: Database, assets: readonly Asset[]): Promise<void> => {
  const rows = pool.json(assets as Asset[])
  const replace = async (sql: Queryable) => {
    await sql`
      delete from asset using jsonb_to_recordset(${rows}) as row (id text, decimals int)
      where asset.id = row.id and asset.decimals <> row.decimals`
    await sql`
      insert into asset (id, chain_id, kind, address, symbol, decimals)
      select id, "chainId", kind, address, symbol, decimals
      from jsonb_to_recordset(${rows})
        as row (id text, "chainId" bigint, kind text, address text, symbol text, decimals int)
      on conflict (id) do update set symbol = excluded.symbol`
  }
  await pool.begin(replace).catch((error: unknown) => {
    if (!isForeignKeyViolation(error)) throw error
    const names = assets.map(({ symbol, decimals }) => `${symbol} ${decimals}`).join(', ')
    throw new StartError(
      `Other rows use an asset whose stored decimals are wrong. The proven decimals are: ${names}.`,
    )
  })
}

/** Whether decimals must be asked for. A retired token was proven before, and may be gone. */
export const needsProof = (
  { id, kind, decimals, retired }: Asset,
  stored: ReadonlyMap<string, Asset>,
): boolean => kind === 'erc20' && (!retired || stored.get(id)?.decimals !== decimals)

/** Reads the stored assets into `stored`, by id. Workers store assets of proven decimals only. */
export const readAssets = async (sql: Queryable, stored: Map<string, Asset>): Promise<void> => {
  const rows = await sql<Asset[]>`
    select id, chain_id, kind, address, symbol, decimals from asset`
  for (const row of rows) stored.set(row.id, row)
}
