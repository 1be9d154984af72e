import {
  type ChainClient,
  ChainError,
  type ChainErrorCode,
  EMPTY_CODE_HASH,
  type Header,
} from '../../../src/chain/index.ts'
import { balanceKey } from '../../../src/domain/reconciliation/index.ts'
import type { Asset } from '../../../src/kernel/assets.ts'

/** An account's holding of one asset: what is compared. */
export type Holding = { account: string; asset: Asset }

/**
 * What accounts held in the state of a block, by `balanceKey`; a holding that no node could tell is
 * left out. `contracts` are the accounts that had code.
 */
export type Balances = { amounts: ReadonlyMap<string, bigint>; contracts: ReadonlySet<string> }

const PER_BATCH = 100
/** The selector of `balanceOf(address)` (EIP-20). */
const BALANCE_OF = '0x70a08231'
const WORD = /^0x[0-9a-f]{64}$/
/** How it ends where too few nodes remember the state of an old block. */
const NO_STATE: ReadonlySet<ChainErrorCode> = new Set([
  'rpc_error',
  'block_missing',
  'no_agreement',
])

/**
 * Reads balances at a block: the chain's own currency proven against the block's stateRoot, tokens
 * by their `balanceOf` as a quorum of nodes agrees on it. Throws ChainError where nodes fail.
 */
export const readBalances = async (
  client: ChainClient,
  header: Header,
  holdings: readonly Holding[],
): Promise<Balances> => {
  const amounts = new Map<string, bigint>()
  const contracts = new Set<string>()
  for (const some of portions(holdings.filter(({ asset }) => asset.kind === 'native'))) {
    const states = await orNothing(() =>
      client.accountProofs(
        header,
        some.map(({ account }) => account),
      ),
    )
    some.forEach(({ account, asset }, index) => {
      const state = states?.[index]
      if (!state) return
      amounts.set(balanceKey(account, asset.id), state.balance)
      if (state.codeHash !== EMPTY_CODE_HASH) contracts.add(account)
    })
  }
  for (const some of portions(holdings.filter(({ asset }) => asset.kind === 'erc20'))) {
    const results = await orNothing(() =>
      client.callAt(
        header,
        some.map(({ account, asset }) => ({
          to: asset.address ?? '',
          data: BALANCE_OF + account.slice(2).padStart(64, '0'),
        })),
      ),
    )
    some.forEach(({ account, asset }, index) => {
      const result = results?.[index]
      if (result && WORD.test(result)) amounts.set(balanceKey(account, asset.id), BigInt(result))
    })
  }
  return { amounts, contracts }
}

const orNothing = async <T>(read: () => Promise<T>): Promise<T | null> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ChainError && NO_STATE.has(error.code)) return null
    throw error
  }
}

const portions = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / PER_BATCH) }, (_, index) =>
    items.slice(index * PER_BATCH, (index + 1) * PER_BATCH),
  )
