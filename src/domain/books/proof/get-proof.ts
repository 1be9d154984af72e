import type { Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { ChainTransfer } from '../../../db/schema/chains.ts'
import type { Donation } from '../../../db/schema/donations.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { unpackJson } from '../../../kernel/formats/packed-json.ts'
import { isCreditedStatus } from '../../../kernel/statuses.ts'
import type { DonationProof } from '../../../verifier/index.ts'
import { sealedEntriesOf } from '../seal/entries-of.ts'
import { type Packed, PROOF_VERSION } from './proof-queue.ts'
import { readFinality } from './read-finality.ts'

type Row = Pick<Donation, 'status' | 'campaignId' | 'chainId' | 'creditedAmount'> & {
  [K in 'assetId' | 'amount' | 'txHash' | 'position' | 'blockHash']: ChainTransfer[K] | null
} & {
  transferId: string | null
  account: string | null
  proof: string | null
  sender: string | null
  /** The packed terms of the campaign's escrow. */
  terms: string | null
}

/**
 * Returns the data that proves a donation without trust in this service. `verifyProof` checks this
 * data. The data contains nothing about the donor except data from the chain.
 *
 * @throws DomainError `not_found` for an unknown id, `proof_not_ready` if a part is missing
 */
export const getProof = async (ctx: Context, donationId: string): Promise<DonationProof> =>
  // Reads from one snapshot, because a reorg between two reads would mix data of two blocks.
  (await ctx.pool.begin('isolation level repeatable read read only', (sql) =>
    readProof(sql, donationId),
  )) as DonationProof

const readProof = async (sql: Queryable, donationId: string): Promise<DonationProof> => {
  const [row] = await sql<Row[]>`
    select donation.status, donation.campaign_id, donation.chain_id, donation.credited_amount,
           transfer.id as transfer_id, transfer.recipient as account, transfer.asset_id,
           transfer.amount, transfer.tx_hash, transfer.position, transfer.block_hash, stored.proof,
           stored.sender, escrow.terms
    from donation
    left join campaign_escrow escrow on escrow.campaign_id = donation.campaign_id
    left join chain_transfer transfer on transfer.id = donation.transfer_id
    left join donation_proof stored
      on stored.donation_id = donation.id and stored.transfer_id = transfer.id
     and stored.block_hash = transfer.block_hash and stored.version = ${PROOF_VERSION}
    where donation.id = ${donationId}`
  if (!row) throw new DomainError('not_found', 'There is no such donation.')
  if (!isCreditedStatus(row.status)) {
    throw notReady(`Only a completed donation can be proven; this one is ${row.status}.`)
  }
  const { campaignId, chainId, transferId, account, assetId: asset, amount, txHash } = row
  const { position, blockHash, proof, sender } = row
  if (!transferId || !account || !asset || !amount || !txHash || position === null || !blockHash) {
    throw notReady('A reorg of the chain has reverted the payment. It may be mined again.')
  }
  if (row.creditedAmount === '0') {
    throw notReady('The payment is worth nothing in the currency of the campaign.')
  }
  const { unsealed, ...ledger } = await sealedEntriesOf(sql, {
    id: donationId,
    campaignId,
    transferId,
  })
  if (unsealed > 0 || ledger.entries.length === 0) {
    throw notReady('The ledger entries of the donation are not sealed yet.')
  }
  if (!proof) throw notReady('The inclusion proofs of the block have not been fetched yet.')
  // Proofs from before the compression are plain JSON text.
  const { finality: way, ...packed } = unpackJson(proof) as Packed
  const finality = way && (await readFinality(sql, chainId, way, packed.block.number))
  return {
    version: finality ? 2 : 1,
    chainId,
    donation: { id: donationId, campaignId, account, asset, amount, sender, txHash, position },
    ...packed,
    ...(finality ? { finality } : {}),
    ...(row.terms === null ? {} : { escrow: row.terms }),
    ledger,
  }
}

/**
 * SQL for a column `is_proven` in a query on `donation`: whether `getProof` has its proof. A proof
 * is stored only for sealed entries, but a reorg to the same block may bring new entries.
 * `offset 0` makes PostgreSQL use the index on `donation_id` even for a large ledger.
 */
export const provenDonation = (sql: Queryable) => sql`(
  donation.status in ('completed', 'partly_refunded', 'refunded') and donation.credited_amount > 0
  and exists (
    select from donation_proof stored join chain_transfer proven on proven.id = donation.transfer_id
    where stored.donation_id = donation.id and stored.transfer_id = proven.id
      and stored.block_hash = proven.block_hash and stored.version = ${PROOF_VERSION}
      and stored.proof is not null)
  and not exists (
    select from (
      select id from ledger_entry
      where donation_id = donation.id and escrow_event_id is null offset 0) entry
    where not exists (select from sealed_entry where entry_id = entry.id))
) as is_proven`

const notReady = (missing: string) => new DomainError('proof_not_ready', missing)
