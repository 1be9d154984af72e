export {
  ESCROW_STATES,
  type EscrowState,
  type ProposedRoot,
  readEscrowState,
  rootInForce,
} from './escrow-state.ts'
export { type ReadyTransaction, readyTransaction } from './ready-transaction.ts'
export { type Escrow, findEscrow, requireEscrow } from './require-escrow.ts'
