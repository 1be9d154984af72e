export {
  type Descent,
  descend,
  HISTORY_BLOCKS,
  HISTORY_CONTRACT,
  historySlot,
  type ProvenBlock,
} from './ancestors.ts'
export type { Finality } from './finality.ts'
export {
  type Archive,
  hashFromCheckpoint,
  MOST_UPDATES,
  readArchive,
} from './from-checkpoint.ts'
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
export { COMMITTEE } from './source-names.ts'
