export { type BlockRef, type ChainState, lockChainRow, toState } from './lock-chain-row.ts'
