import { type AccountState, ChainError } from '../../src/chain/index.ts'
import {
  listUnprovenEscrows,
  noteCodeProven,
  readChain,
  type UnprovenEscrow,
} from '../../src/domain/blocks/index.ts'
import type { BlockRef } from '../../src/domain/shared/index.ts'
import {
  escrowCodeHash,
  FACTORY,
  FACTORY_CODE_HASH,
  IMPLEMENTATION,
  IMPLEMENTATION_CODE_HASH,
} from '../../src/escrow/address.ts'
import type { BlockSource } from './read-ahead.ts'

type Deps = Pick<BlockSource, 'ctx' | 'chain' | 'client'>

/**
 * Proves the code of factory, implementation and escrow by account proofs, once for each escrow
 * that has final events. Only then do these events count, because on a broken chain another
 * contract could be at the address. If the nodes fail, the next pass tries again.
 */
export const proveEscrows = async (deps: Deps): Promise<void> => {
  const { ctx, chain } = deps
  const state = await readChain(ctx, chain.id)
  if (!state || state.halted) return
  const final = Math.min(state.finalizedNumber, state.cursor.number)
  const due = await listUnprovenEscrows(ctx, chain.id, final)
  const proven = due.length === 0 ? [] : await prove(deps, state.cursor, due)
  if (proven.length > 0) await noteCodeProven(ctx, proven)
  const unproven = due.length - proven.length
  ctx.metrics.gauge('fundproof_escrows_unproven', { chain: chain.id }, unproven)
}

/** Returns the campaigns of the escrows whose code is right. */
const prove = async (
  deps: Deps,
  newest: BlockRef,
  due: readonly UnprovenEscrow[],
): Promise<string[]> => {
  const { ctx } = deps
  try {
    const states = await readStates(deps, newest, due)
    if (!states) return []
    const [factory, implementation, ...clones] = states
    const isCommonRight =
      isRight(deps, FACTORY, factory, FACTORY_CODE_HASH) &&
      isRight(deps, IMPLEMENTATION, implementation, IMPLEMENTATION_CODE_HASH)
    return due.flatMap(({ campaignId, account, terms }, index) => {
      const hash = escrowCodeHash(terms as `0x${string}`)
      return isRight(deps, account, clones[index], hash) && isCommonRight ? [campaignId] : []
    })
  } catch (error) {
    if (!(error instanceof ChainError) || error.code === 'closed') throw error
    ctx.log.warn({ code: error.code }, `escrows: ${error.message}`)
    return []
  }
}

/**
 * The states at our newest block, because many nodes delete the states of final blocks. Null if the
 * nodes have another block. After a reorg the proof stays true, because the addresses commit to
 * their code (EIP-1014).
 */
const readStates = async (
  { client }: Deps,
  newest: BlockRef,
  due: readonly UnprovenEscrow[],
): Promise<(AccountState | null)[] | null> => {
  const header = await client.headerAt(newest.number)
  if (header?.hash !== newest.hash) return null
  const accounts = due.map(({ account }) => account)
  return client.accountProofs(header, [FACTORY, IMPLEMENTATION, ...accounts])
}

/** Whether the account has the right code. False without a state too. Wrong code is logged once. */
const isRight = (
  { ctx, chain }: Deps,
  account: string,
  state: AccountState | null | undefined,
  expected: string,
): boolean => {
  if (!state) return false
  if (state.codeHash === expected) return true
  const key = `${chain.id} ${account} ${state.codeHash}`
  if (reported.has(key)) return false
  reported.add(key)
  ctx.log.error(
    { account, codeHash: state.codeHash, expected },
    'the code at the address of an escrow is not the code of the escrow: its events do not count',
  )
  return false
}

/** The accounts whose wrong code is already logged, because each pass finds this code again. */
const reported = new Set<string>()
