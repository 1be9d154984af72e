import { encodeAddress, selectors } from '../../../contracts-abi/index.ts'
import {
  type ChainClient,
  ChainError,
  type ChainErrorCode,
  EMPTY_CODE_HASH,
  type Header,
} from '../../../src/chain/index.ts'
import { balanceKey } from '../../../src/domain/blocks/index.ts'
import type { Asset } from '../../../src/kernel/money/assets.ts'

export type Holding = { account: string; asset: Asset }

/**
 * Balances after a block, by `balanceKey`. A balance is missing if no node has it. `contracts` are
 * the accounts with contract code.
 */
export type Balances = { amounts: ReadonlyMap<string, bigint>; contracts: ReadonlySet<string> }

const WORD = /^0x[0-9a-f]{64}$/
/** Error codes that can mean that too few nodes still have the state of an old block. */
const NO_STATE: ReadonlySet<ChainErrorCode> = new Set([
  'rpc_error',
  'block_missing',
  'no_agreement',
])

/**
 * Reads balances after a block. The block proves native balances, and several nodes confirm token
 * balances. Throws ChainError if nodes fail for a reason that is not in `NO_STATE`.
 */
export const readBalances = async (
  client: ChainClient,
  header: Header,
  holdings: readonly Holding[],
): Promise<Balances> => {
  const amounts = new Map<string, bigint>()
  const contracts = new Set<string>()
  const native = holdings.filter(({ asset }) => asset.kind === 'native')
  const accounts = native.map(({ account }) => account)
  const states = await emptyWithoutState(() => client.accountProofs(header, accounts))
  native.forEach(({ account, asset }, index) => {
    const state = states[index]
    if (!state) return
    amounts.set(balanceKey(account, asset.id), state.balance)
    if (state.codeHash !== EMPTY_CODE_HASH) contracts.add(account)
  })
  const tokens = holdings.filter(({ asset }) => asset.kind === 'erc20')
  const calls = tokens.map(({ account, asset }) => ({
    to: asset.address ?? '',
    data: encodeAddress(selectors.balanceOf, account),
  }))
  const results = await emptyWithoutState(() => client.callAt(header, calls))
  tokens.forEach(({ account, asset }, index) => {
    const result = results[index]
    if (result && WORD.test(result)) amounts.set(balanceKey(account, asset.id), BigInt(result))
  })
  return { amounts, contracts }
}

const emptyWithoutState = <T>(read: () => Promise<T[]>): Promise<T[]> =>
  read().catch((error: unknown) => {
    if (error instanceof ChainError && NO_STATE.has(error.code)) return []
    throw error
  })
