export { type BlockRef, type ChainState, lockChain, type StateRow, toState } from './lock-chain.ts'
