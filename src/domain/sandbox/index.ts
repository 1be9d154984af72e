export { DropTransaction, FundAddress, Reorganise, SendTestEvent, SendTransfer } from './schemas.ts'
export { sendTestEvent } from './send-test-event.ts'
export {
  createTestWallet,
  dropTransaction,
  fundAddress,
  reorganise,
  sendTransfer,
} from './use-dev-chain.ts'
