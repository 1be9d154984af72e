export { getProof } from './get-proof.ts'
export {
  type ChainEvidence,
  type ClaimedProofs,
  claimProofs,
  clampProofs,
  type DueProof,
  type FetchedProof,
  queueProofs,
  returnProofs,
  storeProofs,
} from './proof-queue.ts'
