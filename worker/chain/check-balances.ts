import {
  type ChainClient,
  EMPTY_CODE_HASH,
  findInternalPayments,
  type Header,
} from '../../src/chain/index.ts'
import { applyLookups, knownHashes, listClaimedHashes } from '../../src/domain/chain/index.ts'
import {
  findWatchedBalance,
  type HeldBalance,
  listWatchedBalances,
  type NativeBalance,
  openDifference,
  saveBalances,
  type WatchedBalance,
} from '../../src/domain/reconciliation/index.ts'
import type { Asset } from '../../src/kernel/assets.ts'
import type { Follower } from './follow.ts'
import { assetsByToken, observedTransfers } from './scan.ts'

/** Accounts of one pass, proven in one batch: what an idle chain costs, however many campaigns there are. */
const ACCOUNTS_PER_PASS = 100
/** Blocks that one pass looks into for one account; the next pass goes on from there. */
const BLOCKS_PER_ACCOUNT = 16
/** Nonces may have 64 bits (EIP-2681). They are only compared, so those that a number holds are enough. */
const NONCE_BITS = 53

type State = NativeBalance & { contract: boolean }

/**
 * Compares what the accounts of open campaigns hold of the chain's own currency with what is
 * recorded, at a final block: proven balances, so that no payment by a call can hide. A rise that
 * nothing recorded explains is narrowed down to its block by halving (2 + log2 n proofs), looked
 * for there, and recorded; what then still is not explained becomes a difference. So does a rise
 * among blocks whose states no node has any more: the account is taken up again behind them. The
 * first sight of an account is only noted.
 *
 * An account that sent transactions itself, or that has code, may hold less: what it paid out is
 * for the reconciliation, which knows of outflows.
 *
 * One pass takes those accounts whose turn was longest ago; where there are more, the others follow
 * in the next ones.
 *
 * @returns in how many blocks payments were found, and whether every account has been compared up
 *   to there; null where the final block could not be proven
 */
export const checkBalances = async (
  follower: Follower,
  finalNumber: number,
  signal: AbortSignal,
): Promise<{ found: number; complete: boolean } | null> => {
  const { ctx, chain, client } = follower
  const asset = assetsByToken(ctx.settings.assets, chain.id).get(null)
  const header = asset && (await ownHeader(follower, finalNumber))
  if (!asset || !header) return null
  const query = { chainId: chain.id, assetId: asset.id, upTo: finalNumber }
  const due = await listWatchedBalances(ctx, { ...query, limit: ACCOUNTS_PER_PASS })
  const states = await statesAt(
    client,
    header,
    due.map((one) => one.account),
  )
  let found = 0
  const settled: HeldBalance[] = []
  try {
    for (const [index, one] of due.entries()) {
      if (signal.aborted) break
      const now = states[index]
      // No node has this state: the next final block is asked about instead.
      if (!now) continue
      // Should it fail, the others' turn comes first.
      const held = { account: one.account, assetId: asset.id }
      if (one.known) settled.push({ ...held, ...one.known })
      const reached = await explain(follower, asset, one, now, signal)
      if (one.known) settled.pop()
      settled.push({ ...held, ...reached.state })
      found += reached.found
    }
  } finally {
    await saveBalances(ctx, chain.id, settled)
  }
  return { found, complete: due.length < ACCOUNTS_PER_PASS }
}

type Inflows = WatchedBalance['inflows']
type Reached = { state: NativeBalance; found: number }

/** Follows one account's balance to `now`; what it reached counts even where it could not go on. */
const explain = async (
  follower: Follower,
  asset: Asset,
  watched: WatchedBalance,
  now: State,
  signal: AbortSignal,
): Promise<Reached> => {
  if (!watched.known) return { state: now, found: 0 }
  let known: NativeBalance = watched.known
  let { inflows } = watched
  if (isExplained(known, inflows, now)) return { state: now, found: 0 }
  if (!(await isOurs(follower, known))) return { state: now, found: 0 }
  let found = 0
  for (let blocks = 0; ; blocks++) {
    if (isExplained(known, inflows, now)) return { state: now, found }
    const rise =
      blocks < BLOCKS_PER_ACCOUNT && !signal.aborted
        ? await firstUnexplained(follower, watched.account, known, inflows, now)
        : null
    if (!rise) return { state: known, found }
    const { at, after } = rise
    // Where it is not known in which block it was, there is nothing to look into.
    const isOneBlock = at.blockNumber - after === 1
    if (isOneBlock && !(await record(follower, asset, watched.account, at))) {
      return { state: known, found }
    }
    const before = expectedAt(known, inflows, at.blockNumber)
    inflows = await reload(follower, asset, watched, now.blockNumber)
    const expected = expectedAt(known, inflows, at.blockNumber)
    if (expected !== before) found += 1
    if (expected !== at.balance) await report(follower, asset, watched, rise, expected)
    known = at
  }
}

/**
 * Whether the account holds what is recorded. Less than that, where it has code; anything, where it
 * sent transactions of its own: how much those took is not looked into here.
 */
const isExplained = (known: NativeBalance, inflows: Inflows, now: State): boolean => {
  const expected = expectedAt(known, inflows, now.blockNumber)
  if (now.balance === expected) return true
  return now.contract ? now.balance < expected : now.nonce !== known.nonce
}

const expectedAt = (known: NativeBalance, inflows: Inflows, block: number): bigint =>
  inflows.reduce(
    (sum, { blockNumber, amount }) =>
      known.blockNumber < blockNumber && blockNumber <= block ? sum + amount : sum,
    known.balance,
  )

/** The balance of block `after` was as expected, that of `at` is not. */
type Rise = { at: State; after: number }

/**
 * Halves the blocks after `known` until one is left whose parent's state is as expected; or, where
 * no node has the state of `known` itself any more, until it is the first that nodes still have.
 * Null where a state is missing that may be there later.
 */
const firstUnexplained = async (
  follower: Follower,
  account: string,
  known: NativeBalance,
  inflows: Inflows,
  now: State,
): Promise<Rise | null> => {
  let after = known.blockNumber
  /** From `after` up to here no node has the states. */
  let lost = after
  let at = now
  while (at.blockNumber - lost > 1) {
    const middle = lost + ((at.blockNumber - lost) >> 1)
    const header = await ownHeader(follower, middle)
    if (!header) return null
    const [state] = await statesAt(follower.client, header, [account])
    if (!state) {
      if (lost === after && !(await isLost(follower, account, after))) return null
      lost = middle
    } else if (state.balance === expectedAt(known, inflows, middle)) after = lost = middle
    else at = state
  }
  return { at, after }
}

/** Whether no node has an account's state at a block, which they do have. */
const isLost = async (follower: Follower, account: string, number: number): Promise<boolean> => {
  const header = await ownHeader(follower, number)
  if (!header) return false
  const [state] = await statesAt(follower.client, header, [account])
  return !state
}

/** Records what calls paid the account in a block. False: the chain has changed meanwhile. */
const record = async (
  { ctx, chain, client }: Follower,
  asset: Asset,
  account: string,
  at: State,
): Promise<boolean> => {
  const block = await client.blockByHash(at.blockHash)
  if (!block) return false
  const receipts = (await client.receipts([block])).get(block.hash) ?? []
  const hashes = block.transactions.map(({ hash }) => hash)
  const claims = await listClaimedHashes(ctx, chain.id, hashes)
  const claimed = new Set([...claims].flatMap(([hash, by]) => (by.has(account) ? [hash] : [])))
  const { transfers } = await findInternalPayments(client, {
    ...{ block, receipts, watched: new Set([account]), leads: new Map([[account, claimed]]) },
    ...{ everywhere: true, log: ctx.log },
  })
  const assets = new Map([[null, asset]])
  return applyLookups(ctx, chain.id, [{ number: block.number, hash: block.hash }], {
    transfers: transfers.flatMap((one) => observedTransfers(block, one, one.source, assets)),
    transactions: [],
  })
}

const reload = async (
  { ctx, chain }: Follower,
  asset: Asset,
  { account, inflows }: WatchedBalance,
  upTo: number,
): Promise<Inflows> => {
  const query = { chainId: chain.id, assetId: asset.id, upTo }
  return (await findWatchedBalance(ctx, query, account))?.inflows ?? inflows
}

const report = async (
  { ctx, chain }: Follower,
  asset: Asset,
  { account, campaignId }: WatchedBalance,
  { at, after }: Rise,
  expected: bigint,
): Promise<void> => {
  const first = after + 1
  const where =
    first === at.blockNumber
      ? `The balance changed in block ${first} by what no known transfer explains.`
      : `The balance changed in blocks ${first} to ${at.blockNumber} by what no known transfer explains; no node has the states between them.`
  await openDifference(ctx, chain.id, {
    kind: 'balance',
    campaignId,
    account,
    assetId: asset.id,
    blockNumber: at.blockNumber,
    firstBlock: first,
    blockHash: at.blockHash,
    txHash: null,
    expected,
    actual: at.balance,
    note: where,
  })
}

const statesAt = async (
  client: ChainClient,
  header: Header,
  accounts: readonly string[],
): Promise<(State | null)[]> =>
  (await client.accountProofs(header, accounts)).map(
    (state) =>
      state && {
        blockNumber: header.number,
        blockHash: header.hash,
        balance: state.balance,
        nonce: Number(BigInt.asUintN(NONCE_BITS, state.nonce)),
        contract: state.codeHash !== EMPTY_CODE_HASH,
      },
  )

/** The header of a block, if it is the one that our own chain of hashes holds, or one from before it. */
const ownHeader = async (
  { ctx, chain, client }: Follower,
  number: number,
): Promise<Header | null> => {
  const header = await client.headerAt(number)
  const known = (await knownHashes(ctx, chain.id, number, number)).get(number)
  return header && (known === undefined || known === header.hash) ? header : null
}

const isOurs = async ({ ctx, chain }: Follower, at: NativeBalance): Promise<boolean> => {
  const known = (await knownHashes(ctx, chain.id, at.blockNumber, at.blockNumber)).get(
    at.blockNumber,
  )
  return known === undefined || known === at.blockHash
}
