import {
  type AccountState,
  ChainError,
  EMPTY_CODE_HASH,
  type Header,
} from '../../src/chain/index.ts'
import type { BlockRef } from '../../src/domain/chain/index.ts'
import {
  type HeldBalance,
  listBalancesAbove,
  type NativeBalance,
} from '../../src/domain/reconciliation/index.ts'
import type { BlockSource } from './read-ahead.ts'

/** Only the last 53 bits of a nonce are used. This is enough to see if two nonces differ. */
const NONCE_BITS = 53

export type State = NativeBalance & { contract: boolean }

export const toState = (header: Header, { balance, nonce, codeHash }: AccountState): State => ({
  blockNumber: header.number,
  blockHash: header.hash,
  balance,
  nonce: Number(BigInt.asUintN(NONCE_BITS, nonce)),
  contract: codeHash !== EMPTY_CODE_HASH,
})

/**
 * Reads the native balances at the ancestor of a reorg that removes their blocks. The comparison
 * goes on from them, so it finds the payments by calls of the new blocks. Leaves out balances that
 * the nodes do not have: the reconciliation finds these payments later.
 */
export const readAncestorBalances = async (
  { ctx, chain, client }: BlockSource,
  ancestor: BlockRef,
): Promise<HeldBalance[]> => {
  const held = await listBalancesAbove(ctx, chain.id, ancestor.number)
  const header = held.length === 0 ? null : await client.headerAt(ancestor.number)
  if (header?.hash !== ancestor.hash) return []
  const accounts = held.map(({ account }) => account)
  const states = await client.accountProofs(header, accounts).catch((error: unknown) => {
    if (!(error instanceof ChainError) || error.code === 'closed') throw error
    return []
  })
  return held.flatMap((one, index) => {
    const state = states[index]
    return state ? [{ ...one, ...toState(header, state) }] : []
  })
}
