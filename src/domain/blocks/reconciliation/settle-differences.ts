import type { Context } from '../../../db/context.ts'
import { onCommit, withTransaction } from '../../../db/transaction.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import { formatUnits } from '../../../kernel/money/money.ts'
import { emit, type NewEvent } from '../../../outbox/emit.ts'
import { isUnexplained, lockChainRow } from '../../shared/index.ts'
import {
  type FoundDifference,
  keyOfDifference,
  OF_BOOKS,
  type OpenDifference,
} from './difference.ts'

type Comparison = {
  chainId: number
  runId: string | null
  found: readonly FoundDifference[]
  /** Whether the comparison checked the difference `open` again. If false, `open` is kept. */
  examined(open: OpenDifference): boolean
  /** The reason that is stored with resolved differences. */
  resolution: string
}

/**
 * Opens new differences, each with an event for administrators. Resolves open differences that the
 * comparison checked but did not find again. Returns the number of opened differences. The caller
 * must hold the lock of the chain's row, so that each difference is opened once.
 */
export const settleDifferences = async (ctx: Context, comparison: Comparison): Promise<number> => {
  const { chainId } = comparison
  const open = byKey(await listOpen(ctx, chainId))
  const found = byKey(comparison.found)
  const gone = [...open].filter(([key, known]) => !found.has(key) && comparison.examined(known))
  const fresh = [...found].filter(([key]) => !open.has(key)).map(([, difference]) => difference)
  const still = [...found].flatMap(([key, difference]) => {
    const id = open.get(key)?.id
    return id === undefined ? [] : [{ id, difference }]
  })
  const ids = gone.map(([, difference]) => difference.id)
  await resolve(ctx, ids, comparison.resolution)
  await restate(ctx, still)
  await insert(ctx, comparison, fresh)
  const [row] = await ctx.sql<{ count: number }[]>`
    select count(*)::int as count from ledger_difference
    where chain_id = ${chainId} and ${isUnexplained(ctx.sql)}`
  onCommit(ctx, () => {
    ctx.metrics.gauge('fundproof_ledger_differences_open', { chain: chainId }, row?.count ?? 0)
  })
  return fresh.length
}

/** Opens a difference unless it is already open. Returns the number of opened differences. */
export const openDifference = (
  ctx: Context,
  chainId: number,
  found: FoundDifference,
): Promise<number> =>
  withTransaction(ctx, async (ctx) => {
    await lockChainRow(ctx, chainId)
    const comparison = { chainId, runId: null, found: [found], examined: () => false }
    return settleDifferences(ctx, { ...comparison, resolution: '' })
  })

const byKey = <T extends FoundDifference | OpenDifference>(differences: readonly T[]) =>
  new Map(differences.map((difference) => [keyOfDifference(difference), difference] as const))

const listOpen = ({ sql }: Context, chainId: number) => sql<OpenDifference[]>`
  select id, kind, campaign_id, account, asset_id, block_number, first_block, tx_hash
  from ledger_difference where chain_id = ${chainId} and resolved_at is null`

const resolve = async (ctx: Context, ids: string[], resolution: string): Promise<void> => {
  if (ids.length === 0) return
  await ctx.sql`
    update ledger_difference set resolved_at = ${ctx.clock.now()}, resolution = ${resolution}
    where id = any(${ids}::uuid[])`
}

/**
 * Updates differences that were found again and have changed. A change ends an acknowledgement,
 * because it was about the earlier facts. Each comparison of the books has another block, which is
 * no change. A difference of another block, transaction or campaign is another difference.
 */
const restate = async (
  ctx: Context,
  still: readonly { id: string; difference: FoundDifference }[],
): Promise<void> => {
  if (still.length === 0) return
  const rows = still.map(({ id, difference }) => ({
    id,
    expected: difference.expected.toString(),
    actual: difference.actual.toString(),
    note: difference.note,
    ...(OF_BOOKS.has(difference.kind)
      ? {}
      : { first_block: difference.firstBlock, block_hash: difference.blockHash }),
  }))
  await ctx.sql`
    update ledger_difference known
    set expected = row.expected, actual = row.actual, note = row.note,
        first_block = coalesce(row.first_block, known.first_block),
        block_hash = coalesce(bytes_of(row.block_hash), known.block_hash),
        acknowledged_at = null, acknowledgement = null, acknowledgement_jws = null
    from jsonb_to_recordset(${ctx.sql.json(rows)})
      as row (id uuid, expected numeric, actual numeric, note text, first_block bigint,
              block_hash text)
    where known.id = row.id
      and (known.expected, known.actual, known.note, known.first_block, known.block_hash)
        is distinct from
          (row.expected, row.actual, row.note, coalesce(row.first_block, known.first_block),
           coalesce(bytes_of(row.block_hash), known.block_hash))`
}

const insert = async (
  ctx: Context,
  { chainId, runId }: Comparison,
  fresh: readonly FoundDifference[],
): Promise<void> => {
  if (fresh.length === 0) return
  const now = ctx.clock.now()
  const named = fresh.map((difference) => ({ id: newId(now.getTime()), difference }))
  const rows = named.map(({ id, difference }) => ({
    ...difference,
    id,
    expected: difference.expected.toString(),
    actual: difference.actual.toString(),
  }))
  await ctx.sql`
    insert into ledger_difference
      (id, kind, chain_id, campaign_id, account, asset_id, block_number, first_block,
       block_hash, tx_hash, expected, actual, note, run_id, opened_at)
    select id, kind, ${chainId}, "campaignId", bytes_of(account), "assetId", "blockNumber",
           "firstBlock", bytes_of("blockHash"), bytes_of("txHash"), expected, actual, note, ${runId}, ${now}
    from jsonb_to_recordset(${ctx.sql.json(rows)})
      as row (id uuid, kind text, "campaignId" uuid, account text, "assetId" text,
              "blockNumber" bigint, "firstBlock" bigint, "blockHash" text, "txHash" text,
              expected numeric, actual numeric, note text)`
  const events = named.map(({ id, difference }) => eventOf(ctx, chainId, id, difference, now))
  await emit(ctx, events)
  for (const { id, difference } of named) {
    ctx.log.error(
      {
        differenceId: id,
        kind: difference.kind,
        account: difference.account,
        block: difference.blockNumber,
      },
      difference.note,
    )
  }
}

/** The event is for no single user, because administrators get the events of all users. */
const eventOf = (
  ctx: Context,
  chainId: number,
  id: string,
  difference: FoundDifference,
  now: Date,
): NewEvent => {
  const asset = ctx.settings.assets.byId(difference.assetId)
  return {
    type: 'reconciliation.difference',
    campaignId: difference.campaignId,
    audience: [],
    data: {
      differenceId: id,
      campaignId: difference.campaignId,
      kind: difference.kind,
      chainId,
      account: difference.account,
      asset: difference.assetId,
      blockNumber: difference.blockNumber,
      expected: formatUnits(difference.expected, asset.decimals),
      actual: formatUnits(difference.actual, asset.decimals),
      note: difference.note,
      openedAt: now.toISOString(),
    },
  }
}
