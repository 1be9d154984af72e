export { listUnprovenEscrows, noteCodeProven, type UnprovenEscrow } from './prove-code.ts'
export { type ObservedEscrowEvent, recordEscrowEvents } from './record-events.ts'
export { revertEscrowEvents } from './revert-events.ts'
export { settleEscrowEvents } from './settle-events.ts'
