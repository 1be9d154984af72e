export {
  type BlockRef,
  type ChainState,
  lockChainRow,
  type StateRow,
  toState,
} from './lock-chain-row.ts'
