export { claimProofs, type DueProof } from './claim-proofs.ts'
export { getProof } from './get-proof.ts'
export { PROOF_VERSION, queueProofs } from './queue-proofs.ts'
export { type ChainEvidence, type FetchedProof, storeProofs } from './store-proofs.ts'
