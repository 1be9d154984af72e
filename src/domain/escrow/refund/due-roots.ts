import { refundRoot } from '../../../chain/escrow/merkle.ts'
import type { RefundLeaf } from '../../../db/schema/escrow.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { type BlockRef, lockChainRow } from '../../chain-state/index.ts'
import type { Context } from '../../context.ts'
import { readEscrowState } from '../escrow-state.ts'
import { type Escrow, requireEscrow } from '../require-escrow.ts'
import { readBooks } from './payments.ts'
import {
  type Failure,
  type Payment,
  type PlainPayment,
  plainPayments,
  refundLeaves,
} from './rule.ts'

/** A refund root that can be computed as soon as the accounts of the payments are known. */
export type DueRoot = {
  campaignId: string
  /** The index that the contract gives the root. */
  index: number
  /** The final block up to which payments count. */
  block: BlockRef
  /** Payments that the contract has not recorded. */
  payments: Payment[]
  failure: Failure | null
}

/**
 * Finds the escrows of a chain that have ended and whose next refund root is not computed yet.
 * Leaves out an escrow with a final event that is not settled; other escrows do not wait for it.
 * Forgets unproposed roots whose block was reverted.
 *
 * @param isKnown says whether an escrow with these numbers of events, roots and payments is known
 */
export const listDueRoots = async (
  ctx: Context,
  chainId: number,
  isKnown: (campaignId: string, state: string) => boolean,
): Promise<DueRoot[]> => {
  const cutoff = await readCutoff(ctx, chainId)
  if (!cutoff) return []
  await forgetReverted(ctx, chainId)
  const ended = await ctx.sql<{ campaignId: string; state: string }[]>`
    select campaign.id as campaign_id, concat_ws(' ',
      (select count(*) from escrow_event event
       where event.campaign_id = campaign.id and event.settled_at is not null
         and event.kind in ('Failed', 'MilestoneReleased', 'RootProposed', 'RootVetoed')),
      (select count(*) from refund_root root where root.campaign_id = campaign.id),
      (select count(*) from chain_transfer paid
       where paid.chain_id = ${chainId} and paid.recipient = campaign.account
         and paid.block_number <= ${cutoff.number})) as state
    from campaign_escrow escrow join campaign on campaign.id = escrow.campaign_id
    where campaign.chain_id = ${chainId} and exists (
      select from escrow_event event
      where event.campaign_id = campaign.id and event.settled_at is not null
        and event.kind in ('Failed', 'MilestoneReleased'))
      and not exists (
        select from escrow_event event
        where event.chain_id = ${chainId} and event.campaign_id = campaign.id and event.counts
          and event.settled_at is null and event.block_number <= ${cutoff.number})`
  const due: DueRoot[] = []
  for (const { campaignId, state } of ended) {
    if (isKnown(campaignId, state)) continue
    const root = await dueRootOf(ctx, await requireEscrow(ctx, campaignId), cutoff)
    if (root) due.push(root)
  }
  return due
}

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
    )
    delete from refund_root_signature signature using reverted
    where signature.campaign_id = reverted.campaign_id and signature.index = reverted.index
      and signature.root = reverted.root`
}

const dueRootOf = async (
  ctx: Context,
  escrow: Escrow,
  block: BlockRef,
): Promise<DueRoot | undefined> => {
  const { campaignId, terms } = escrow
  const state = await readEscrowState(ctx, escrow)
  if (state.state !== 'failed' && state.state !== 'done') return undefined
  const [known] = await ctx.sql`
    select from refund_root where campaign_id = ${campaignId} and index = ${state.rootIndex}`
  if (known) return undefined
  const { payments, donated, failure } = await readBooks(ctx, escrow, block.number)
  const plain = plainPayments(payments, donated, terms.asset)
  if (plain.length === 0) return undefined
  return { campaignId, index: state.rootIndex, block, payments: plain, failure }
}

/**
 * Stores the root of these payments. Stores nothing if no refund is due, if the newest proposed
 * root has the same leaves, or if another root was proposed in the meantime.
 */
export const storeRoot = (
  ctx: Context,
  { campaignId, index, block, failure }: DueRoot,
  payments: readonly PlainPayment[],
): Promise<void> =>
  withTransaction(ctx, async (ctx) => {
    const escrow = await requireEscrow(ctx, campaignId)
    await lockChainRow(ctx, escrow.chainId)
    const state = await readEscrowState(ctx, escrow)
    const leaves: RefundLeaf[] = refundLeaves(payments, { asset: escrow.terms.asset, failure })
    if (state.rootIndex !== index || leaves.length === 0) return
    const root = await refundRoot(leaves)
    if (state.newestRoot?.root === root) return
    await ctx.sql`
      insert into refund_root
        (campaign_id, index, root, data_hash, block_number, block_hash, leaves, created_at)
      values (${campaignId}, ${index}, ${root}, ${block.hash}, ${block.number}, ${block.hash},
              ${ctx.sql.json(leaves)}, ${ctx.clock.now()})
      on conflict do nothing`
  })
