import { refundRoot } from '../../../chain/escrow/merkle.ts'
import type { Part, Queryable } from '../../../db/client.ts'
import type { RefundLeaf } from '../../../db/schema/escrow.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { NATIVE_POSITION } from '../../../kernel/formats/log-position.ts'
import { type BlockRef, lockChainRow } from '../../chain-state/index.ts'
import type { Context } from '../../context.ts'
import { readEscrowState } from '../escrow-state.ts'
import { readEscrowTime } from '../escrow-time.ts'
import { type Escrow, requireEscrow } from '../require-escrow.ts'
import { readBooks } from './payments.ts'
import {
  type End,
  type Failure,
  type Payment,
  type PlainPayment,
  plainPayments,
  refundLeaves,
} from './rule.ts'

/** An escrow with final payments or events that its refund roots do not count yet. */
export type DueEscrow = {
  campaignId: string
  /** The final block up to which payments count. */
  block: BlockRef
}

/** A refund root that can be computed as soon as the accounts of the payments are known. */
export type DueRoot = DueEscrow & {
  /** The index that the contract gives the root. */
  index: number
  /** Payments that the contract has not recorded. Empty if no root is due. */
  payments: Payment[]
  end: End | null
  failure: Failure | null
  /** The number of stored payments and events up to the block. */
  stored: number
}

/**
 * Lists the escrows of a chain that have ended and whose next refund root may be due. Leaves out an
 * escrow with an unsettled final event on which roots depend, and an escrow whose own root waits on
 * the chain. Forgets roots whose block was reverted.
 */
export const listDueEscrows = async (ctx: Context, chainId: number): Promise<DueEscrow[]> => {
  const block = await readCutoff(ctx, chainId)
  if (!block) return []
  await forgetReverted(ctx, chainId)
  const due = await ctx.sql<{ campaignId: string }[]>`
    select campaign.id as campaign_id
    from campaign_escrow escrow join campaign on campaign.id = escrow.campaign_id
    where campaign.chain_id = ${chainId} and exists (
      select from escrow_event event
      where event.campaign_id = campaign.id and event.settled_at is not null
        and event.kind in ('Failed', 'MilestoneReleased'))
      and not exists (
        select from escrow_event event
        where event.chain_id = ${chainId} and event.campaign_id = campaign.id and event.counts
          and event.settled_at is null and event.block_number <= ${block.number}
          and event.kind in
            ('Donated', 'Failed', 'MilestoneReleased', 'RootProposed', 'RootVetoed'))
      and coalesce(escrow.refunds_checked_to, -1) < greatest(
        (select max(event.block_number) from escrow_event event
         where event.campaign_id = campaign.id and event.settled_at is not null
           and event.kind in ('Failed', 'MilestoneReleased', 'RootProposed', 'RootVetoed')),
        (select paid.block_number from chain_transfer paid
         where paid.chain_id = ${chainId} and paid.recipient = campaign.account
           and paid.block_number <= ${block.number} and paid.position >= ${NATIVE_POSITION}
         order by paid.mined_at desc, paid.block_number desc limit 1))
      and not ${ownRootWaits(ctx.sql, await readEscrowTime(ctx, { chainId }))}
    order by campaign.id`
  return due.map(({ campaignId }) => ({ campaignId, block }))
}

/**
 * SQL for a table named `campaign`: whether a root that this service computed waits on the chain. A
 * later root would start the waiting time anew, so any small payment could delay all refunds.
 */
const ownRootWaits = (sql: Queryable, now: number): Part => sql`exists (
  select from escrow_event proposed join refund_root own
    on own.campaign_id = proposed.campaign_id and own.root = proposed.fields ->> 'root'
      and own.index = (proposed.fields ->> 'index')::integer
  where proposed.campaign_id = campaign.id and proposed.kind = 'RootProposed'
    and proposed.settled_at is not null and (proposed.fields ->> 'readyAt')::bigint > ${now}
    and not exists (
      select from escrow_event later
      where later.campaign_id = campaign.id and later.settled_at is not null
        and (later.kind = 'RootVetoed' and (later.fields ->> 'index')::integer = own.index
          or later.kind = 'RootProposed' and (later.fields ->> 'index')::integer > own.index)))`

/** The newest final block whose payments and events are stored. */
const readCutoff = async (ctx: Context, chainId: number): Promise<BlockRef | undefined> => {
  const [cutoff] = await ctx.sql<BlockRef[]>`
    select block.number, block.hash
    from chain_state
    join chain_block block
      on block.chain_id = chain_state.chain_id and block.number = least(finalized_number, cursor_number)
    where chain_state.chain_id = ${chainId} and halted_at is null`
  return cutoff
}

/** A root of a reverted block counts payments that may not exist. */
const forgetReverted = async (ctx: Context, chainId: number): Promise<void> => {
  await ctx.sql`
    with reverted as (
      delete from refund_root root
      using campaign, chain_block block
      where campaign.id = root.campaign_id and campaign.chain_id = ${chainId}
        and block.chain_id = ${chainId} and block.number = root.block_number
        and block.hash <> root.block_hash
      returning root.campaign_id, root.index, root.root
    ), unchecked as (
      update campaign_escrow escrow set refunds_checked_to = null from reverted
      where escrow.campaign_id = reverted.campaign_id
    )
    delete from refund_root_signature signature using reverted
    where signature.campaign_id = reverted.campaign_id and signature.index = reverted.index
      and signature.root = reverted.root`
}

/** Reads the payments of the next root of an escrow, unless the service has this root already. */
export const readDueRoot = async (
  ctx: Context,
  { campaignId, block }: DueEscrow,
): Promise<DueRoot> => {
  const escrow = await requireEscrow(ctx, campaignId)
  const { state, rootIndex } = await readEscrowState(ctx, escrow)
  const stored = await countStored(ctx, escrow, block)
  const root = {
    campaignId,
    block,
    index: rootIndex,
    payments: [],
    end: null,
    failure: null,
    stored,
  }
  const hasEnded = state === 'failed' || state === 'done'
  if (!hasEnded || (await isComputed(ctx, campaignId, rootIndex))) return root
  const { payments, donated, end, failure } = await readBooks(ctx, escrow, block.number)
  const { asset } = escrow.terms
  const plain = plainPayments(payments, donated, asset)
  if (failure) return { ...root, payments: plain, end, failure }
  // Without a failure, the rule gives nothing of the asset of the terms back.
  return { ...root, payments: plain.filter((payment) => payment.asset !== asset), end }
}

const countStored = async (
  { sql }: Context,
  { campaignId, chainId, account }: Escrow,
  block: BlockRef,
): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    select (
      (select count(*) from chain_transfer
       where chain_id = ${chainId} and recipient = ${account} and block_number <= ${block.number})
      + (select count(*) from escrow_event
         where campaign_id = ${campaignId} and block_number <= ${block.number}))::integer as count`
  return row?.count ?? 0
}

const isComputed = async (
  { sql }: Context,
  campaignId: string,
  index: number,
): Promise<boolean> => {
  const [root] = await sql`
    select from refund_root where campaign_id = ${campaignId} and index = ${index}`
  return root !== undefined
}

/**
 * Stores the root of these payments, and that the escrow is checked up to the block.
 *
 * - Stores nothing if a reorg, an older payment or event came after the payments were read.
 * - Stores no root if no refund is due, or if the service has a root with this index already.
 * - If the newest proposed root has the same leaves, stores them under its index.
 */
export const storeRoot = (
  ctx: Context,
  { campaignId, index, block, failure, stored }: DueRoot,
  payments: readonly PlainPayment[],
): Promise<void> =>
  withTransaction(ctx, async (ctx) => {
    const escrow = await requireEscrow(ctx, campaignId)
    const { cursor } = await lockChainRow(ctx, escrow.chainId)
    if (cursor.number < block.number) return
    if ((await countStored(ctx, escrow, block)) !== stored) return
    // The block itself may be deleted after a long computation, because it is old.
    const checked = await ctx.sql`
      update campaign_escrow set refunds_checked_to = ${block.number}
      where campaign_id = ${campaignId} and not exists (
        select from chain_block
        where chain_id = ${escrow.chainId} and number = ${block.number} and hash <> ${block.hash})`
    const leaves: RefundLeaf[] = refundLeaves(payments, { asset: escrow.terms.asset, failure })
    if (checked.count === 0 || leaves.length === 0) return
    const { rootIndex, newestRoot } = await readEscrowState(ctx, escrow)
    const root = await refundRoot(leaves)
    if (rootIndex !== index || (await isComputed(ctx, campaignId, index))) return
    const storedIndex = newestRoot?.root === root ? newestRoot.index : index
    await ctx.sql`
      insert into refund_root
        (campaign_id, index, root, data_hash, block_number, block_hash, leaves, created_at)
      values (${campaignId}, ${storedIndex}, ${root}, ${block.hash}, ${block.number}, ${block.hash},
              ${ctx.sql.json(leaves)}, ${ctx.clock.now()})
      on conflict do nothing`
  })
