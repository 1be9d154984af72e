import { type AccountState, EMPTY_CODE_HASH } from '../../verifier/trie.ts'
import type { ChainClient } from '../client-interface.ts'
import type { Header } from '../types.ts'

/** Consecutive blocks, both ends included. */
export type BlockRange = { from: number; to: number }

/** Ranges up to this size are not split, because reading a state costs as much as some blocks. */
const LEAF_BLOCKS = 16

/**
 * Finds by bisection the blocks that may hold a native payment from or to one of the accounts. All
 * other blocks hold none, because the accounts have no code and their nonces and balances did not
 * change. An account with code or with an unknown state excludes no block.
 *
 * @param headers of consecutive blocks; the first is the parent of the first block to check
 */
export const findActiveBlocks = async (
  client: Pick<ChainClient, 'accountProofs'>,
  headers: readonly Header[],
  accounts: readonly string[],
): Promise<BlockRange[]> => {
  const ranges: BlockRange[] = []
  const search = async (
    low: number,
    high: number,
    moving: readonly string[],
    before: States,
    after: States,
  ): Promise<void> => {
    const active = moving.filter((account) => !isQuiet(before.get(account), after.get(account)))
    const [first, last] = [headers[low + 1], headers[high]]
    if (active.length === 0 || !first || !last) return
    const inconclusive = active.some(
      (account) => !isCodeless(before.get(account)) || !isCodeless(after.get(account)),
    )
    const middle = (low + high) >> 1
    const header = headers[middle]
    if (inconclusive || high - low <= LEAF_BLOCKS || !header) {
      ranges.push({ from: first.number, to: last.number })
      return
    }
    const between = await statesAt(client, header, active)
    await search(low, middle, active, before, between)
    await search(middle, high, active, between, after)
  }
  const [first, last] = [headers[0], headers.at(-1)]
  if (!first || !last || accounts.length === 0) return []
  const [before, after] = [
    await statesAt(client, first, accounts),
    await statesAt(client, last, accounts),
  ]
  await search(0, headers.length - 1, accounts, before, after)
  return ranges
}

type States = ReadonlyMap<string, AccountState | null>

const statesAt = async (
  client: Pick<ChainClient, 'accountProofs'>,
  header: Header,
  accounts: readonly string[],
): Promise<States> => {
  const proven = await client.accountProofs(header, accounts)
  return new Map(accounts.map((account, index) => [account, proven[index] ?? null]))
}

type Known = AccountState | null | undefined

const isCodeless = (state: Known): boolean => state?.codeHash === EMPTY_CODE_HASH

const isQuiet = (before: Known, after: Known): boolean =>
  isCodeless(before) &&
  isCodeless(after) &&
  before?.nonce === after?.nonce &&
  before?.balance === after?.balance
