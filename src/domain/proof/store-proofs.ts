import type { DonationProof } from '../../verifier/index.ts'
import type { Context } from '../context.ts'

/** A donation's proof by its chain: the whole proof without the ledger's part. */
export type ChainEvidence = Pick<DonationProof, 'index' | 'receipt' | 'transaction' | 'balance'> & {
  block: DonationProof['block']
  /** The payer, if the chain proves it. */
  sender: string | null
}

export type FetchedProof = {
  donationId: string
  transferId: string
  blockHash: string
  evidence: ChainEvidence
}

/** Stores fetched proofs of donations that still wait for exactly that block's proof. */
export const storeProofs = async (
  ctx: Context,
  fetched: readonly FetchedProof[],
): Promise<number> => {
  if (fetched.length === 0) return 0
  const rows = await ctx.sql`
    update donation_proof wanted
    set proof = row.evidence
    from jsonb_to_recordset(${ctx.sql.json(fetched as FetchedProof[])})
      as row ("donationId" uuid, "transferId" uuid, "blockHash" text, evidence jsonb)
    where wanted.donation_id = row."donationId" and wanted.transfer_id = row."transferId"
      and wanted.block_hash = row."blockHash" and wanted.proof is null
    returning 1`
  return rows.length
}
