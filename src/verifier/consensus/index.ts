export {
  HISTORY_BLOCKS,
  HISTORY_CONTRACT,
  type HistoryProof,
  historySlot,
  readHistory,
} from './ancestors.ts'
export {
  type FinalBlock,
  finalBlockOf,
  follow,
  readCheckpoint,
  type Store,
  startAt,
} from './light-client.ts'
export {
  type Bootstrap,
  type FinalityUpdate,
  readBootstrap,
  readFinalityUpdate,
  readUpdate,
  readVersioned,
  type Update,
  type Versioned,
} from './messages.ts'
export { FORKS, NETWORKS, type Network, periodOf, slotAt, UnknownFork } from './networks.ts'
