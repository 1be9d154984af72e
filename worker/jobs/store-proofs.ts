import { type BlockEvidence, ChainError } from '../../src/chain/index.ts'
import {
  type ChainEvidence,
  type ClaimedProofs,
  claimProofs,
  type DueProof,
  type FetchedProof,
  returnProofs,
  storeProofs,
} from '../../src/domain/books/index.ts'
import { isInternal } from '../../src/kernel/formats/log-position.ts'
import type { ChainSync } from '../chain/sync-chain.ts'
import { createLoop, type Job } from '../loop.ts'

/** The most proofs that are claimed at once. */
const PER_CLAIM = 50
/** The number of blocks that are read in parallel. */
const BLOCKS_AT_ONCE = 4
/** After this number of tries, about four minutes, a proof is stored without finality. */
const FINALITY_TRIES = 5
/** After this time, no further block is started, so that the work ends before the claim ends. */
const CLAIM_WORK_MS = 120_000

/**
 * When a donation's ledger entries are sealed, reads the other part of its proof from the chain:
 * the block header and the inclusion proofs. If no node has the block, tries again later.
 */
export const createStoreProofsJob = (sync: ChainSync): Job => {
  const { ctx, chain } = sync

  const pass = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const claim = await claimProofs(ctx, chain.id, PER_CLAIM)
      await fetchClaimed(sync, claim, signal)
      if (claim.due.length < PER_CLAIM) return
    }
  }

  return createLoop({ name: `store-proofs ${chain.id}`, run: pass, sweepMs: 2_000, log: ctx.log })
}

/** Reads and stores proofs, several blocks in parallel. Gives back proofs that it did not try. */
const fetchClaimed = async (
  sync: ChainSync,
  claim: ClaimedProofs,
  signal: AbortSignal,
): Promise<void> => {
  const begunAt = performance.now()
  const blocks = Map.groupBy(claim.due, ({ blockHash }) => blockHash).entries()
  const tried = new Set<string>()
  const failures: unknown[] = []
  const isOver = () =>
    signal.aborted || failures.length > 0 || performance.now() - begunAt > CLAIM_WORK_MS
  const fetchNext = async (): Promise<void> => {
    for (const [blockHash, donations] of blocks) {
      if (isOver()) return
      for (const { donationId } of donations) tried.add(donationId)
      await storeProofs(sync.ctx, await fetchBlock(sync, blockHash, donations))
    }
  }
  const fetching = Array.from({ length: BLOCKS_AT_ONCE }, () =>
    fetchNext().catch((error: unknown) => failures.push(error)),
  )
  await Promise.all(fetching)
  await returnProofs(sync.ctx, claim, tried)
  if (failures.length > 0) throw failures[0]
}

/** Reads the proofs of donations in one block. If nodes fail, logs the error and returns none. */
const fetchBlock = async (
  sync: ChainSync,
  blockHash: string,
  donations: readonly DueProof[],
): Promise<FetchedProof[]> => {
  const { ctx, client } = sync
  const internal = donations.filter(({ position }) => isInternal(position))
  try {
    const evidence = await client.evidence({
      blockHash,
      txHashes: [...new Set(donations.map(({ txHash }) => txHash))],
      accounts: [...new Set(internal.map(({ account }) => account))],
    })
    const finality = await readFinality(sync, evidence.number, blockHash)
    if (!finality && donations.some(({ tries }) => tries < FINALITY_TRIES)) return []
    return donations.flatMap((donation) => {
      const { donationId, transferId } = donation
      const proof = toEvidence(evidence, donation)
      return proof
        ? [{ donationId, transferId, blockHash, evidence: { ...proof, ...finality } }]
        : []
    })
  } catch (error) {
    if (!(error instanceof ChainError) || error.code === 'closed') throw error
    ctx.log.warn({ blockHash, code: error.code }, error.message)
    return []
  }
}

/** The way from a block that the committee has signed; null if no node shows it. */
const readFinality = async (
  { ctx, client, committee }: ChainSync,
  number: number,
  hash: string,
) => {
  if (committee === null) return {}
  const from = await committee.provenFrom(number)
  if (!from) return null
  try {
    return { finality: { from: from.number, ...(await client.descent(from, { number, hash })) } }
  } catch (error) {
    if (!(error instanceof ChainError) || error.code === 'closed') throw error
    ctx.log.warn({ number, code: error.code }, `A proof lacks finality: ${error.message}`)
    return null
  }
}

const toEvidence = (evidence: BlockEvidence, donation: DueProof): ChainEvidence | undefined => {
  const inclusion = evidence.inclusions.get(donation.txHash)
  if (!inclusion) return undefined
  const byCall = isInternal(donation.position)
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
