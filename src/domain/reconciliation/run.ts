import { newId } from '../../kernel/ids.ts'
import type { Context } from '../context.ts'

/** A comparison of a range of blocks. It continues at `nextBlock`, the child of `lastHash`. */
export type Run = {
  id: string
  chainId: number
  origin: 'job' | 'command'
  fromBlock: number
  toBlock: number
  nextBlock: number
  /** Hash of block `nextBlock - 1` when it was compared; null before the first. */
  lastHash: string | null
  status: 'running' | 'finished' | 'failed'
  transfers: number
  recovered: number
  differences: number
}

export type RunRow = {
  id: string
  chainId: number
  origin: Run['origin']
  fromBlock: number
  toBlock: number
  nextBlock: number
  lastHash: string | null
  status: Run['status']
  transfers: number
  recovered: number
  differences: number
}

export const toRun = (row: RunRow): Run => ({
  id: row.id,
  chainId: row.chainId,
  origin: row.origin,
  fromBlock: row.fromBlock,
  toBlock: row.toBlock,
  nextBlock: row.nextBlock,
  lastHash: row.lastHash,
  status: row.status,
  transfers: row.transfers,
  recovered: row.recovered,
  differences: row.differences,
})

type Range = { chainId: number; from: number; to: number }

/** Starts to compare a range on an operator's request. */
export const beginRun = async (ctx: Context, { chainId, from, to }: Range): Promise<Run> => {
  const now = ctx.clock.now()
  const rows = await ctx.sql<RunRow[]>`
    insert into reconciliation_run
      (id, chain_id, origin, from_block, to_block, next_block, status, started_at)
    values (${newId(now.getTime())}, ${chainId}, 'command', ${from}, ${to}, ${from}, 'running', ${now})
    returning *`
  return toRun(rowOf(rows))
}

/** The newest comparison on the chain that an operator started and that is not finished. */
export const findUnfinishedRun = async (ctx: Context, chainId: number): Promise<Run | null> => {
  const [row] = await ctx.sql<RunRow[]>`
    select * from reconciliation_run
    where chain_id = ${chainId} and origin = 'command' and status = 'running'
    order by started_at desc limit 1`
  return row ? toRun(row) : null
}

/**
 * The background comparison of a chain: one row that grows with finality up to `to`, and starts at
 * `from`. It compares no block twice.
 */
export const extendJobRun = async (ctx: Context, { chainId, from, to }: Range): Promise<Run> => {
  const now = ctx.clock.now()
  const extended = await ctx.sql<RunRow[]>`
    update reconciliation_run
    set to_block = greatest(to_block, ${to}),
        status = case when next_block <= greatest(to_block, ${to}) then 'running' else status end
    where id = (select id from reconciliation_run
                where chain_id = ${chainId} and origin = 'job' order by started_at limit 1)
    returning *`
  if (extended[0]) return toRun(extended[0])
  const begun = await ctx.sql<RunRow[]>`
    insert into reconciliation_run
      (id, chain_id, origin, from_block, to_block, next_block, status, started_at)
    values (${newId(now.getTime())}, ${chainId}, 'job', ${from}, ${to}, ${from}, 'running', ${now})
    returning *`
  return toRun(rowOf(begun))
}

/** Rewinds a run to compare again from a block, because the chain has changed below. */
export const rewindRun = async (ctx: Context, run: Run, toBlock: number): Promise<Run> => {
  const nextBlock = Math.max(run.fromBlock, toBlock)
  const rows = await ctx.sql<RunRow[]>`
    update reconciliation_run
    set next_block = ${nextBlock}, last_hash = null, status = 'running'
    where id = ${run.id} returning *`
  return toRun(rowOf(rows))
}

/** Marks a run as finished or failed. */
export const endRun = async (
  ctx: Context,
  run: Run,
  status: 'finished' | 'failed',
): Promise<void> => {
  await ctx.sql`
    update reconciliation_run set status = ${status}, finished_at = ${ctx.clock.now()}
    where id = ${run.id}`
}

const rowOf = (rows: readonly RunRow[]): RunRow => {
  const [row] = rows
  if (!row) throw new RangeError('The run does not exist any more.')
  return row
}
