export { checkFactory, refuseUnsupported } from './check-support.ts'
export { ESCROW_STATES, type EscrowState, readEscrowState } from './escrow-state.ts'
export { chainLeadMs, newestBlockTime, readEscrowTime } from './escrow-time.ts'
export { type CampaignEscrowView, toCampaignEscrow } from './escrow-view.ts'
export {
  ESCROW_ACTIONS,
  type EscrowAction,
  type EscrowFacts,
  type EscrowView,
  getEscrow,
  getEscrowFacts,
} from './get-escrow.ts'
export {
  choicesIn,
  choicesOf,
  type EscrowChoices,
  planEscrow,
} from './plan-escrow.ts'
export { type ReadyTransaction, readyTransaction } from './ready-transaction.ts'
export { isClosed, isDeployed, recordedDonor } from './recorded-donor.ts'
export { type Escrow, requireEscrow } from './require-escrow.ts'
export { EscrowInput, PrepareTermination, VerifierSignatures } from './schemas.ts'
export { domainOf, prepareTermination, verifierCall } from './verifier-calls.ts'
export { refuseUndeployed, toContractSignature } from './verifier-signature.ts'
