import { type BlockEvidence, ChainError } from '../../src/chain/index.ts'
import {
  type ChainEvidence,
  claimProofs,
  type DueProof,
  type FetchedProof,
  storeProofs,
} from '../../src/domain/proof/index.ts'
import type { Follower } from '../chain/follow.ts'
import { createLoop, type Job } from '../loop.ts'

/** Donations of one pass. Those of a block share one batch of JSON-RPC. */
const PER_PASS = 500
/** Payments by calls have no log of their own, and no transaction that carries them. */
const FIRST_INTERNAL = -2

/**
 * Fetches what proves completed donations to their donors: the block's header and inclusion proofs,
 * once their entries are sealed. A block that no node has any more is tried again, ever later.
 */
export const createStoreProofsJob = (follower: Follower, sweepMs = 2_000): Job => {
  const { ctx, chain } = follower

  const pass = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const due = await claimProofs(ctx, chain.id, PER_PASS)
      for (const [blockHash, donations] of Map.groupBy(due, (one) => one.blockHash)) {
        if (signal.aborted) return
        await storeProofs(ctx, await fetchBlock(follower, blockHash, donations))
      }
      if (due.length < PER_PASS) return
    }
  }

  const loop = createLoop({ name: `store-proofs ${chain.id}`, run: pass, sweepMs, log: ctx.log })
  return {
    name: 'store-proofs',
    run: () => pass(new AbortController().signal),
    start: () => loop.start(),
    stop: () => loop.stop(),
  }
}

/** What one block proves of its donations; nothing where it could not be had, which is logged. */
const fetchBlock = async (
  { ctx, chain, client }: Follower,
  blockHash: string,
  donations: readonly DueProof[],
): Promise<FetchedProof[]> => {
  const internal = donations.filter((one) => one.position <= FIRST_INTERNAL)
  try {
    const evidence = await client.evidence({
      blockHash,
      txHashes: [...new Set(donations.map((one) => one.txHash))],
      accounts: [...new Set(internal.map((one) => one.account))],
    })
    return donations.flatMap((donation) => {
      const { donationId, transferId } = donation
      const proof = toEvidence(evidence, donation)
      return proof ? [{ donationId, transferId, blockHash, evidence: proof }] : []
    })
  } catch (error) {
    if (!(error instanceof ChainError) || error.code === 'closed') throw error
    ctx.log.warn({ chainId: chain.id, blockHash, code: error.code }, error.message)
    return []
  }
}

const toEvidence = (evidence: BlockEvidence, donation: DueProof): ChainEvidence | undefined => {
  const inclusion = evidence.inclusions.get(donation.txHash)
  if (!inclusion) return undefined
  const byCall = donation.position <= FIRST_INTERNAL
  const { number, header, parentHeader } = evidence
  return {
    block: { number, hash: donation.blockHash, header, parentHeader: byCall ? parentHeader : null },
    index: inclusion.index,
    receipt: inclusion.receipt,
    transaction: inclusion.transaction,
    balance: byCall ? (evidence.balances.get(donation.account) ?? null) : null,
    sender: byCall ? null : donation.sender,
  }
}
