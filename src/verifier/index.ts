export { readHeader } from './header.ts'
export { isSigned, thumbprint } from './ledger-checks.ts'
export {
  globalHeadHash,
  headHash,
  leafHash,
  NO_HEAD,
  nodeHash,
  rootOfPath,
  SEAL_VERSION,
  type SealedHead,
  type SealedLeaf,
  signedHead,
} from './ledger-hashes.ts'
export type { DonationProof, ProofEntry, ProofKey, ProofSeal } from './proof.ts'
export {
  type Check,
  type HeaderAnswer,
  type Level,
  type Trust,
  type VerificationResult,
  verifyProof,
} from './verify-proof.ts'
