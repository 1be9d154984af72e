import type * as Consensus from '../../../verifier/consensus/index.ts'
import type { DonationProof } from '../../../verifier/index.ts'
import type { BlockAt, SourceAnswer } from './block-source.ts'

type Verifier = Pick<typeof Consensus, 'COMMITTEE' | 'hashFromCheckpoint' | 'readArchive'>

export type FromCheckpoint = {
  checkpoint: string
  finality: DonationProof['finality']
  /** The updates from the checkpoint on: kept by the donor, or of this site. Null without any. */
  updates: unknown
}

/** What the sync committee of the chain says of a block, from the donor's checkpoint on. */
export const committeeAnswer = (
  { COMMITTEE, hashFromCheckpoint, readArchive }: Verifier,
  { checkpoint, finality, updates }: FromCheckpoint,
  block: BlockAt,
): SourceAnswer => {
  const without = { source: COMMITTEE.known, hash: null }
  if (finality === undefined) return { ...without, problem: 'no_updates' }
  try {
    const archive = updates === null ? null : readArchive(updates, 'The file of updates')
    const now = Date.now() / 1_000
    return {
      ...hashFromCheckpoint({ ...block, finality }, checkpoint, archive, now),
      problem: null,
    }
  } catch (error) {
    if (updates === null) return { ...without, problem: 'no_updates' }
    const why = error instanceof Error ? error.message : String(error)
    return { ...without, problem: 'not_proven', why }
  }
}
