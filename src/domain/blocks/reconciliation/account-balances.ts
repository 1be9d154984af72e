import type { Context } from '../../../db/context.ts'

/** The balance of an account in the chain's native currency, and its nonce, after a block. */
export type NativeBalance = {
  blockNumber: number
  blockHash: string
  balance: bigint
  nonce: number
}

/** The account of an open campaign, with the result of its last balance comparison. */
export type WatchedBalance = {
  account: string
  campaignId: string
  /** The stored balance. Null if the account's balance was never compared. */
  known: NativeBalance | null
  /** The sums of native transfers to the account, for each block after the block of `known`. */
  inflows: { blockNumber: number; amount: bigint }[]
}

type Row = {
  account: string
  campaignId: string
  blockNumber: number | null
  blockHash: string | null
  balance: string | null
  nonce: number | null
  inflows: { block: number; amount: string }[] | null
}

type WatchedQuery = {
  chainId: number
  assetId: string
  /** The block at which balances are compared. Transfers in later blocks are left out. */
  upTo: number
  limit: number
}

/**
 * Lists accounts of open campaigns whose stored balance is older than block `upTo`, with their
 * transfers up to `upTo`. Accounts without a stored balance come first, then the accounts whose
 * last comparison is the longest ago.
 */
export const listWatchedBalances = async (
  ctx: Context,
  { chainId, assetId, upTo, limit }: WatchedQuery,
): Promise<WatchedBalance[]> => {
  const rows = await ctx.sql<Row[]>`
    with due as materialized (
      select campaign.account, campaign.id as campaign_id, known.block_number, known.block_hash,
             known.balance, known.nonce, known.checked_at
      from campaign
      left join account_balance known
        on known.chain_id = ${chainId} and known.account = campaign.account
       and known.asset_id = ${assetId}
      where campaign.chain_id = ${chainId} and campaign.status in ('active', 'funded')
        and (known.block_number is null or known.block_number < ${upTo})
      order by known.checked_at nulls first, campaign.account
      limit ${limit}
    )
    select due.account, due.campaign_id, due.block_number, due.block_hash,
           due.balance::text as balance, due.nonce, inflow.inflows
    from due
    left join lateral (
      select jsonb_agg(jsonb_build_object('block', block_number, 'amount', amount::text)) as inflows
      from (
        select block_number, sum(amount) as amount from chain_transfer
        where chain_id = ${chainId} and recipient = due.account and asset_id = ${assetId}
          and block_number > due.block_number and block_number <= ${upTo}
        group by block_number
      ) received
    ) inflow on true
    order by due.checked_at nulls first, due.account`
  return rows.map((row) => ({
    account: row.account,
    campaignId: row.campaignId,
    known:
      row.blockNumber === null || row.blockHash === null || row.balance === null
        ? null
        : {
            blockNumber: row.blockNumber,
            blockHash: row.blockHash,
            balance: BigInt(row.balance),
            nonce: row.nonce ?? 0,
          },
    inflows: (row.inflows ?? []).map((inflow) => ({
      blockNumber: inflow.block,
      amount: BigInt(inflow.amount),
    })),
  }))
}

/** An account's balance of an asset after a block. `nonce` is null for a token. */
export type HeldBalance = Omit<NativeBalance, 'nonce'> & {
  account: string
  assetId: string
  nonce: number | null
}

/**
 * Stores account balances, which operators can read. The next comparison of native balances starts
 * from the stored balances. Never replaces a balance by the balance at an earlier block.
 */
export const saveBalances = async (
  ctx: Context,
  chainId: number,
  balances: readonly HeldBalance[],
): Promise<void> => {
  if (balances.length === 0) return
  const rows = balances.map((held) => ({ ...held, balance: held.balance.toString() }))
  await ctx.sql`
    insert into account_balance
      (chain_id, account, asset_id, block_number, block_hash, balance, nonce, checked_at)
    select ${chainId}, bytes_of(account), "assetId", "blockNumber", bytes_of("blockHash"),
           balance, nonce,
           ${ctx.clock.now()}
    from jsonb_to_recordset(${ctx.sql.json(rows)})
      as row (account text, "assetId" text, "blockNumber" bigint, "blockHash" text,
              balance numeric, nonce bigint)
    on conflict (chain_id, account, asset_id) do update
    set block_number = excluded.block_number, block_hash = excluded.block_hash,
        balance = excluded.balance, nonce = excluded.nonce, checked_at = excluded.checked_at
    where account_balance.block_number <= excluded.block_number`
}
