import type { Queryable } from '../../db/client.ts'
import { StartError } from '../../kernel/errors.ts'
import type { AssetCatalogue } from '../../kernel/money/assets.ts'

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
