import type { Context } from '../../../db/context.ts'
import type { ChainState as StateRow } from '../../../db/schema/chains.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { type BlockRef, type ChainState, databaseNow, toState } from '../../shared/index.ts'

/** The cursor of a chain that is halted before its first block is read. */
const NO_BLOCK = '0x'

/** Sets the cursor of a chain to block `start`, unless the chain already has a cursor. */
export const openChain = async (
  ctx: Context,
  chainId: number,
  start: BlockRef & { parentHash: string; minedAt: Date },
): Promise<ChainState> => {
  await ctx.sql`
    with opened as (
      insert into chain_state
        (chain_id, cursor_number, cursor_hash, head_number, finalized_number, updated_at)
      values (${chainId}, ${start.number}, ${start.hash}, ${start.number}, 0, ${databaseNow(ctx)})
      on conflict (chain_id) do update
      set cursor_number = excluded.cursor_number, cursor_hash = excluded.cursor_hash,
          head_number = excluded.head_number, halted_at = null, problem = null
      where chain_state.cursor_hash = ${NO_BLOCK}
      returning chain_id
    )
    insert into chain_block (chain_id, number, hash, parent_hash, mined_at)
    select chain_id, ${start.number}::bigint, ${start.hash}, ${start.parentHash}, ${start.minedAt}::timestamptz
    from opened`
  const state = await readChain(ctx, chainId)
  if (!state) throw new DomainError('internal', 'The chain could not be opened.')
  return state
}

export const readChain = async (ctx: Context, chainId: number): Promise<ChainState | null> => {
  const [row] = await ctx.sql<StateRow[]>`
    select * from chain_state where chain_id = ${chainId} and cursor_hash <> ${NO_BLOCK}`
  return row ? toState(row) : null
}

/**
 * Takes or renews a chain's lease, so that only one worker asks the chain's nodes. Returns null if
 * another worker has the lease. Two workers would do no harm, because each write checks the cursor.
 * So a worker may take the last chain of a worker that has at least two chains more than itself.
 * `nodes` are the chain's nodes with the reasons of their faults, which are stored.
 */
export const takeLease = async (
  ctx: Context,
  chainId: number,
  owner: string,
  leaseMs: number,
  nodes?: readonly { node: string; reason: string | null }[],
): Promise<ChainState | null> => {
  const faults = nodes && Object.fromEntries(nodes.map(({ node, reason }) => [node, reason]))
  const stored = faults ? ctx.sql.json(faults) : null
  const lease = ctx.sql`make_interval(secs => ${leaseMs / 1_000})`
  // A worker whose nodes are faulty leaves the chain to the worker that has it.
  const mayRelieve = nodes?.every(({ reason }) => reason === null) ?? false
  // Uses the database's clock, because the clocks of workers differ. A lease that ends later than
  // `leaseMs` from now is invalid, because the clock was set back after the lease was written.
  const [row] = await ctx.sql<StateRow[]>`
    update chain_state
    set lease_owner = ${owner}, lease_until = clock_timestamp() + ${lease},
        node_faults = coalesce(jsonb_strip_nulls(${stored}::jsonb), node_faults)
    where chain_id = ${chainId}
      and (lease_owner is null or lease_owner = ${owner}
        or lease_until not between clock_timestamp() and clock_timestamp() + ${lease}
        or ${mayRelieve} and (
          select max(held.chain_id) = chain_state.chain_id and count(*) > 1 + (
            select count(*) from chain_state own
            where own.lease_owner = ${owner} and own.lease_until > clock_timestamp())
          from chain_state held
          where held.lease_owner = chain_state.lease_owner
            and held.lease_until > clock_timestamp()))
    returning *`
  return row ? toState(row) : null
}

/** The reasons of the faults that nodes had in the last pass over the chain, by node. */
export const readNodeFaults = async (ctx: Context, chainId: number) =>
  (await ctx.sql<StateRow[]>`select node_faults from chain_state where chain_id = ${chainId}`)[0]
    ?.nodeFaults ?? {}

export const releaseLeases = async (ctx: Context, owner: string): Promise<void> => {
  await ctx.sql`update chain_state set lease_owner = null, lease_until = null where lease_owner = ${owner}`
}

/** Adds the row of a chain, also before its first block is read. */
const addChain = (ctx: Context, chainId: number) => ctx.sql`
  insert into chain_state
    (chain_id, cursor_number, cursor_hash, head_number, finalized_number, updated_at)
  values (${chainId}, 0, ${NO_BLOCK}, 0, 0, ${databaseNow(ctx)})
  on conflict (chain_id) do nothing`

/**
 * Stores that a worker has wrong settings for a chain, for `/readyz`. Also halts the chain, unless
 * another worker has its lease, because the settings of that worker are proven. After the next
 * proof, `advanceFinality` ends the halt.
 */
export const noteWrongSettings = async (
  ctx: Context,
  chainId: number,
  problem: string,
): Promise<void> => {
  await addChain(ctx, chainId)
  const now = databaseNow(ctx)
  await ctx.sql`
    update chain_state
    set settings_problem = ${problem}, settings_problem_at = ${now},
        halted_at = case when lease_until > ${now} then halted_at else coalesce(halted_at, ${now}) end
    where chain_id = ${chainId}`
}

/** Clears the wrong settings of a chain. A worker that still has them stores them again. */
export const clearWrongSettings = (ctx: Context, chainId: number) => ctx.sql`
  update chain_state set settings_problem = null where chain_id = ${chainId}`

/**
 * Stores the problem that stops the sync of a chain, so that `/readyz` shows it. Null clears the
 * stored problem. Returns whether the stored problem has changed.
 */
export const noteProblem = async (
  ctx: Context,
  chainId: number,
  problem: string | null,
): Promise<boolean> => {
  await addChain(ctx, chainId)
  const noted = await ctx.sql`
    update chain_state set problem = ${problem}
    where chain_id = ${chainId} and problem is distinct from ${problem}`
  return noted.count > 0
}

/** Reads the hashes of the stored blocks from number `from` to number `to`, both included. */
export const knownHashes = async (
  ctx: Context,
  chainId: number,
  from: number,
  to: number,
): Promise<Map<number, string>> => {
  const rows = await ctx.sql<{ number: number; hash: string }[]>`
    select number, hash from chain_block
    where chain_id = ${chainId} and number between ${from} and ${to}`
  return new Map(rows.map((row) => [row.number, row.hash]))
}

/** Reads the hash of a stored block; undefined if the block is not stored. */
export const knownHash = async (ctx: Context, chainId: number, number: number) =>
  (await knownHashes(ctx, chainId, number, number)).get(number)

/** The number of the oldest stored block; 0 without blocks. Deeper reorgs cannot be handled. */
export const oldestKnown = async (ctx: Context, chainId: number): Promise<number> => {
  const [row] = await ctx.sql<{ oldest: number | null }[]>`
    select min(number) as oldest from chain_block where chain_id = ${chainId}`
  return row?.oldest ?? 0
}

/** The number of blocks that the service keeps below the final block, for deep reorgs. */
export const REMEMBERED_BLOCKS = 4_096

/** Deletes at most `limit` older blocks, oldest first, so that stored blocks have no gaps. */
export const pruneBlocks = async (ctx: Context, limit: number): Promise<number> => {
  const deleted = await ctx.sql`
    delete from chain_block
    where (chain_id, number) in (
      select block.chain_id, block.number
      from chain_block block join chain_state state on state.chain_id = block.chain_id
      where block.number < least(state.finalized_number, state.cursor_number) - ${REMEMBERED_BLOCKS}
      order by block.chain_id, block.number limit ${limit})`
  return deleted.count
}
