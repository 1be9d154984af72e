import {
  type AccountState,
  ChainError,
  EMPTY_CODE_HASH,
  type Header,
} from '../../src/chain/index.ts'
import {
  balanceDifference,
  balanceKey,
  type HeldBalance,
  knownHash,
  listWatchedBalances,
  type NativeBalance,
  openDifference,
  saveBalances,
  type WatchedBalance,
} from '../../src/domain/blocks/index.ts'
import type { Asset } from '../../src/kernel/money/assets.ts'
import { findDeviation, sumBetween } from './find-deviation.ts'
import { compareBlock } from './reconcile/reconcile-run.ts'
import { assetsByToken } from './scan.ts'
import type { ChainSync } from './sync-chain.ts'

/** The most accounts that a pass compares. One batch of requests reads all their balances. */
const ACCOUNTS_PER_PASS = 100
/** The most unexplained changes that a pass examines per account. The next pass continues. */
const BLOCKS_PER_ACCOUNT = 16
/** Only the last 53 bits of a nonce are used. This is enough to see if two nonces differ. */
const NONCE_BITS = 53

type State = NativeBalance & { contract: boolean }

/**
 * Compares the native balances of open campaigns' accounts with the recorded payments. Reads proven
 * balances at a final block. Each pass takes the accounts with the oldest last comparison.
 *
 * - Bisection finds the block of an unexplained increase. The missed payments of this block are
 *   recorded, and the rest of the increase becomes a difference.
 * - If no node has the states that the search needs, the whole increase becomes a difference.
 * - Outgoing payments are not known here. So a contract may hold less than expected, and an account
 *   that sent transactions may hold any amount.
 * - The first balance of an account is stored without a comparison.
 *
 * @returns `found`, the number of found payments; `complete`, whether no account is left; null if
 *   the chain has no native asset or the nodes do not have the stored final block
 */
export const checkBalances = async (
  sync: ChainSync,
  finalNumber: number,
  signal: AbortSignal,
): Promise<{ found: number; complete: boolean } | null> => {
  const { ctx, chain, client } = sync
  const asset = assetsByToken(ctx.settings.assets, chain.id).get(null)
  const header = asset && (await ownHeader(sync, finalNumber))
  if (!asset || !header) return null
  const query = { chainId: chain.id, assetId: asset.id, upTo: finalNumber }
  const due = await listWatchedBalances(ctx, { ...query, limit: ACCOUNTS_PER_PASS })
  const accounts = due.map(({ account }) => account)
  const states = await client.accountProofs(header, accounts)
  let found = 0
  const settled: HeldBalance[] = []
  try {
    for (const [index, watched] of due.entries()) {
      if (signal.aborted) break
      const state = states[index]
      // No node has this state. The next pass tries a newer final block.
      if (!state) continue
      // If `explain` throws, saves the old state, and the next pass begins with other accounts.
      const held = { account: watched.account, assetId: asset.id }
      if (watched.known) settled.push({ ...held, ...watched.known })
      const reached = await explain(sync, asset, watched, toState(header, state), signal)
      if (watched.known) settled.pop()
      settled.push({ ...held, ...reached.state })
      found += reached.found
    }
  } finally {
    await saveBalances(ctx, chain.id, settled)
  }
  return { found, complete: due.length < ACCOUNTS_PER_PASS }
}

type Reached = { state: NativeBalance; found: number }

/** Explains an account's balance up to the state `now`. Returns the last explained state. */
const explain = async (
  sync: ChainSync,
  asset: Asset,
  { account, campaignId, known: stored, inflows }: WatchedBalance,
  now: State,
  signal: AbortSignal,
): Promise<Reached> => {
  // After a reorg, the comparison goes on from the state of the ancestor.
  const first =
    stored?.blockHash === '0x' ? await stateAt(sync, account, stored.blockNumber) : stored
  if (!first || isExplained(first, inflows, now) || !(await isCanonical(sync, first))) {
    return { state: now, found: 0 }
  }
  let known: NativeBalance = first
  let found = 0
  for (let blocks = 0; !isExplained(known, inflows, now); blocks++) {
    if (blocks >= BLOCKS_PER_ACCOUNT || signal.aborted) return { state: known, found }
    const expectedAt = (block: number) => expectedBalance(known, inflows, block)
    const { after, at, mayCome } = await findDeviation(
      known.blockNumber,
      now,
      expectedAt,
      (block) => stateAt(sync, account, block),
    )
    if (mayCome) return { state: known, found }
    const { blockNumber, blockHash, balance: actual } = at
    // `compareBlock` compares a single block, so it cannot explain a range of blocks.
    const compared =
      blockNumber - after === 1 ? await compareBlock(sync, blockNumber, [account]) : null
    if (compared && !compared.committed) return { state: known, found }
    found += compared?.committed?.recovered ?? 0
    if (!compared?.balanced.has(balanceKey(account, asset.id))) {
      const firstBlock = after + 1
      const position = {
        campaignId,
        account,
        assetId: asset.id,
        blockNumber,
        blockHash,
        firstBlock,
      }
      const amounts = { expected: expectedAt(blockNumber), actual }
      await openDifference(sync.ctx, sync.chain.id, balanceDifference({ ...position, ...amounts }))
    }
    known = at
  }
  return { state: now, found }
}

/**
 * Whether the recorded payments explain a balance. Outgoing payments are not known here. So a
 * contract may hold less than expected, and an account that sent transactions may hold any amount.
 */
const isExplained = (
  known: NativeBalance,
  inflows: WatchedBalance['inflows'],
  now: State,
): boolean => {
  const expected = expectedBalance(known, inflows, now.blockNumber)
  if (now.balance === expected) return true
  return now.contract ? now.balance < expected : now.nonce !== known.nonce
}

const expectedBalance = (
  known: NativeBalance,
  inflows: WatchedBalance['inflows'],
  block: number,
): bigint => known.balance + sumBetween(inflows, known.blockNumber, block)

/**
 * The state of an account after a block. Null if no node has this state.
 *
 * @throws ChainError `block_missing` if the nodes do not have the stored block of this number
 */
const stateAt = async (sync: ChainSync, account: string, number: number): Promise<State | null> => {
  const header = await ownHeader(sync, number)
  if (!header) throw new ChainError('block_missing', `Block ${number} is not canonical.`)
  const [state] = await sync.client.accountProofs(header, [account])
  return state ? toState(header, state) : null
}

const toState = (header: Header, { balance, nonce, codeHash }: AccountState): State => ({
  blockNumber: header.number,
  blockHash: header.hash,
  balance,
  nonce: Number(BigInt.asUintN(NONCE_BITS, nonce)),
  contract: codeHash !== EMPTY_CODE_HASH,
})

/** The header of a block from the nodes. Null if it is missing or differs from the stored hash. */
const ownHeader = async (sync: ChainSync, number: number): Promise<Header | null> => {
  const header = await sync.client.headerAt(number)
  if (!header) return null
  const at = { blockNumber: number, blockHash: header.hash }
  return (await isCanonical(sync, at)) ? header : null
}

/** True if the database has this hash, or no hash, for the block number. */
const isCanonical = async (
  { ctx, chain }: ChainSync,
  { blockNumber, blockHash }: Pick<NativeBalance, 'blockNumber' | 'blockHash'>,
): Promise<boolean> => {
  const known = await knownHash(ctx, chain.id, blockNumber)
  return known === undefined || known === blockHash
}
