import type { Context } from '../../../db/context.ts'
import type { reconciliationRun } from '../../../db/schema/reconciliation.ts'
import { newId } from '../../../kernel/formats/ids.ts'

/**
 * A comparison of a range of blocks. The next block to compare is `nextBlock`. `lastHash` is the
 * hash of the block before `nextBlock`, or null at the start and after a rewind.
 */
export type Run = typeof reconciliationRun.$inferSelect

type Range = { chainId: number; from: number; to: number }

/** Starts a run over a range of blocks that an operator requested. */
export const beginRun = (ctx: Context, range: Range): Promise<Run> =>
  insertRun(ctx, range, 'command')

const insertRun = async (
  ctx: Context,
  { chainId, from, to }: Range,
  origin: Run['origin'],
): Promise<Run> => {
  const now = ctx.clock.now()
  const rows = await ctx.sql<Run[]>`
    insert into reconciliation_run
      (id, chain_id, origin, from_block, to_block, next_block, status, started_at)
    values (${newId(now.getTime())}, ${chainId}, ${origin}, ${from}, ${to}, ${from}, 'running', ${now})
    returning *`
  return rowOf(rows)
}

/** Finds the newest unfinished run on the chain that an operator started. */
export const findUnfinishedRun = async (ctx: Context, chainId: number): Promise<Run | null> => {
  const [row] = await ctx.sql<Run[]>`
    select * from reconciliation_run
    where chain_id = ${chainId} and origin = 'command' and finished_at is null
    order by started_at desc limit 1`
  return row ?? null
}

/**
 * Returns the background run of a chain. Creates a run for the blocks from `from` to `to`, or
 * extends the existing run up to `to`.
 */
export const extendJobRun = async (ctx: Context, range: Range): Promise<Run> => {
  const { chainId, to } = range
  const [extended] = await ctx.sql<Run[]>`
    update reconciliation_run
    set to_block = greatest(to_block, ${to}),
        status = case when next_block <= greatest(to_block, ${to}) then 'running' else status end
    where id = (select id from reconciliation_run
                where chain_id = ${chainId} and origin = 'job' order by started_at limit 1)
    returning *`
  return extended ?? insertRun(ctx, range, 'job')
}

/** Sets a run back to the block `toBlock`, because a reorg replaced blocks that were compared. */
export const rewindRun = async (ctx: Context, run: Run, toBlock: number): Promise<Run> => {
  const nextBlock = Math.max(run.fromBlock, toBlock)
  const rows = await ctx.sql<Run[]>`
    update reconciliation_run
    set next_block = ${nextBlock}, last_hash = null
    where id = ${run.id} returning *`
  return rowOf(rows)
}

/** Ends a run. It stays `failed` if it left out balances. */
export const endRun = async (ctx: Context, { id }: Run): Promise<Run> => {
  const rows = await ctx.sql<Run[]>`
    update reconciliation_run
    set status = case when status = 'failed' then status else 'finished' end,
        finished_at = ${ctx.clock.now()}
    where id = ${id} returning *`
  return rowOf(rows)
}

const rowOf = (rows: readonly Run[]): Run => {
  const [row] = rows
  if (!row) throw new RangeError('The run does not exist any more.')
  return row
}
