import { type Call, claimCall, refundCall } from '../../../chain/escrow/calls.ts'
import type { RefundTree } from '../../../chain/escrow/merkle.ts'
import type { RefundLeaf } from '../../../db/schema/escrow.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import type { Context } from '../../context.ts'
import type { Escrow } from '../require-escrow.ts'

/** What an account gets back of one asset. It covers all payments of this account by one road. */
export type RefundClaim = {
  /** `on_chain`: by the contract's own records. `by_verifiers`: by a root that they signed. */
  refund: 'on_chain' | 'by_verifiers'
  /** The account that gets the money. Addresses have a checksum. */
  donor: string
  asset: string
  /** What a root gives the donor in all, in base units; null for a recorded donor. */
  cumulative: string | null
}

/** A refund that the contract pays, as stored blocks show it. */
export type DonorRefund = {
  /** `sent` if a block that is not final has the refund; `done` if a final block has it. */
  state: 'ready' | 'sent' | 'done'
  claim: RefundClaim
  call: Call
  /** The hashes of the transactions that paid the donor, the oldest first. */
  transactions: string[]
}

/** Reads the refund of a recorded donor. The contract pays it once, with everything. */
export const readRecordedRefund = async (
  ctx: Context,
  escrow: Escrow,
  donor: string,
): Promise<DonorRefund> => {
  const { asset } = escrow.terms
  const claim = {
    refund: 'on_chain' as const,
    donor: toChecksumAddress(donor),
    asset: toChecksumAddress(asset),
    cumulative: null,
  }
  const paid = await readPaid(ctx, escrow, { donor, asset, recorded: true, owed: 1n })
  return { claim, call: refundCall(escrow.account, donor), ...paid }
}

/** Reads the refund by a leaf of a root's tree. Throws RangeError if the tree lacks the leaf. */
export const readRefundByRoot = async (
  ctx: Context,
  escrow: Escrow,
  tree: RefundTree,
  leaf: RefundLeaf,
): Promise<DonorRefund> => {
  const { donor, asset } = leaf
  const proof = tree.proofOf(leaf)
  if (!proof) throw new RangeError(`The refund root has no such leaf of ${donor}.`)
  const cumulative = BigInt(leaf.amount)
  const claim = {
    refund: 'by_verifiers' as const,
    donor: toChecksumAddress(donor),
    asset: toChecksumAddress(asset),
    cumulative: leaf.amount,
  }
  const paid = await readPaid(ctx, escrow, { donor, asset, recorded: false, owed: cumulative })
  return { claim, call: claimCall(escrow.account, { asset, donor, cumulative, proof }), ...paid }
}

type Owed = { donor: string; asset: string; recorded: boolean; owed: bigint }

/** Reads the refunds of a donor in blocks. The state is `done` if they sum up to `owed`. */
const readPaid = async (
  { sql }: Context,
  { campaignId }: Escrow,
  { donor, asset, recorded, owed }: Owed,
): Promise<{ state: 'ready' | 'sent' | 'done'; transactions: string[] }> => {
  const rows = await sql<{ txHash: string; amount: string; isFinal: boolean }[]>`
    select tx_hash, fields ->> 'amount' as amount, settled_at is not null as is_final
    from escrow_event
    where campaign_id = ${campaignId} and kind = 'Refunded' and block_number is not null
      and fields ->> 'donor' = ${donor} and fields ->> 'asset' = ${asset}
      and (fields ->> 'recorded')::boolean = ${recorded}
    order by block_number, tx_hash, position`
  const final = rows.filter(({ isFinal }) => isFinal)
  const sum = final.reduce((total, { amount }) => total + BigInt(amount), 0n)
  const open = final.length < rows.length ? 'sent' : 'ready'
  return {
    state: sum >= owed ? 'done' : open,
    transactions: rows.map(({ txHash }) => txHash),
  }
}
