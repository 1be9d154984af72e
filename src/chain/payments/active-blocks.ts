import { type AccountState, EMPTY_CODE_HASH } from '../../verifier/trie.ts'
import type { ChainClient } from '../client-interface.ts'
import type { Header } from '../types.ts'

/** Blocks in a row, both included. */
export type BlockRange = { from: number; to: number }

/** Fewer are read in full rather than halved: a state more costs as much as some blocks. */
const LEAF_BLOCKS = 16

/**
 * Which of these blocks may hold a native payment of one of the accounts, in or out; of all others
 * it is proven that they do not. An account without code whose nonce has not moved has signed
 * nothing, neither a transaction nor a delegation of its code (EIP-7702), so nothing has left it;
 * if its balance has not moved either, nothing has come in. Where a state has moved, the blocks
 * between are halved until few are left. An account with code may pass on in one block what it gets
 * in it, and of one whose state no node has nothing is proven: then all blocks may.
 *
 * @param headers in a row; the first is the parent of the first block that is asked about
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
    const hopeless = active.some(
      (account) => !mayTell(before.get(account)) || !mayTell(after.get(account)),
    )
    const middle = (low + high) >> 1
    const header = headers[middle]
    if (hopeless || high - low <= LEAF_BLOCKS || !header) {
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

/** Proofs in one batch. */
const PER_BATCH = 100

const statesAt = async (
  client: Pick<ChainClient, 'accountProofs'>,
  header: Header,
  accounts: readonly string[],
): Promise<States> => {
  const states = new Map<string, AccountState | null>()
  for (let at = 0; at < accounts.length; at += PER_BATCH) {
    const some = accounts.slice(at, at + PER_BATCH)
    const proven = await client.accountProofs(header, some)
    some.forEach((account, index) => {
      states.set(account, proven[index] ?? null)
    })
  }
  return states
}

type Known = AccountState | null | undefined

const mayTell = (state: Known): boolean => state?.codeHash === EMPTY_CODE_HASH

const isQuiet = (before: Known, after: Known): boolean =>
  mayTell(before) &&
  mayTell(after) &&
  before?.nonce === after?.nonce &&
  before?.balance === after?.balance
