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
import { assetsByToken, toObservedTransfer } from './scan.ts'
import type { ChainSync } from './sync-chain.ts'

/** Accounts of one pass, proven in one batch. Bounds the cost of an idle chain. */
const ACCOUNTS_PER_PASS = 100
/** Blocks that one pass reads for one account; the next pass continues there. */
const BLOCKS_PER_ACCOUNT = 16
/** Nonces may have 64 bits (EIP-2681). They are only compared, so the lower 53 bits suffice. */
const NONCE_BITS = 53

type State = NativeBalance & { contract: boolean }

/**
 * Compares the native balances of open campaigns' accounts, proven at a final block, with the
 * recorded payments. Each pass takes the accounts that were compared longest ago.
 *
 * - An unexplained increase is narrowed down to its block by bisection (2 + log2 n proofs).
 *   Payments found there are recorded; the rest becomes a difference.
 * - An increase in blocks without a known state becomes a difference.
 * - An account with code or with sent transactions may hold less: the reconciliation, which knows
 *   outflows, compares that. The first balance of an account is only stored.
 *
 * @returns the number of blocks with found payments, and whether all accounts have been compared;
 *   null if the final block cannot be proven
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
  const states = await statesAt(
    client,
    header,
    due.map(({ account }) => account),
  )
  let found = 0
  const settled: HeldBalance[] = []
  try {
    for (const [index, watched] of due.entries()) {
      if (signal.aborted) break
      const now = states[index]
      // No node has this state: the next pass tries a newer final block.
      if (!now) continue
      // Saved even if this account fails, so that the next pass takes other accounts first.
      const held = { account: watched.account, assetId: asset.id }
      if (watched.known) settled.push({ ...held, ...watched.known })
      const reached = await explain(sync, asset, watched, now, signal)
      if (watched.known) settled.pop()
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

/** Explains one account's balance up to `now`, or up to the block where it had to stop. */
const explain = async (
  sync: ChainSync,
  asset: Asset,
  watched: WatchedBalance,
  now: State,
  signal: AbortSignal,
): Promise<Reached> => {
  if (!watched.known) return { state: now, found: 0 }
  let known: NativeBalance = watched.known
  let { inflows } = watched
  if (isExplained(known, inflows, now)) return { state: now, found: 0 }
  if (!(await isOurs(sync, known))) return { state: now, found: 0 }
  let found = 0
  for (let blocks = 0; ; blocks++) {
    if (isExplained(known, inflows, now)) return { state: now, found }
    const rise =
      blocks < BLOCKS_PER_ACCOUNT && !signal.aborted
        ? await firstUnexplained(sync, watched.account, known, inflows, now)
        : null
    if (!rise) return { state: known, found }
    const { at, after } = rise
    // A range of several blocks has no single block to search.
    const isOneBlock = at.blockNumber - after === 1
    if (isOneBlock && !(await record(sync, asset, watched.account, at))) {
      return { state: known, found }
    }
    const before = expectedAt(known, inflows, at.blockNumber)
    inflows = await reload(sync, asset, watched, now.blockNumber)
    const expected = expectedAt(known, inflows, at.blockNumber)
    if (expected !== before) found += 1
    if (expected !== at.balance) await report(sync, asset, watched, rise, expected)
    known = at
  }
}

/**
 * Whether the recorded payments explain the balance. An account with code may hold less. An account
 * that sent transactions may hold any amount, because outflows are not compared here.
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

/** The balance was as expected at block `after`, and is not at `at`. */
type Rise = { at: State; after: number }

/**
 * Bisects the blocks after `known` to the first unexpected balance. If no node has the state of
 * `known` any more, bisects to the first block with a known state instead. Null if a missing state
 * may become available later.
 */
const firstUnexplained = async (
  sync: ChainSync,
  account: string,
  known: NativeBalance,
  inflows: Inflows,
  now: State,
): Promise<Rise | null> => {
  let after = known.blockNumber
  /** No node has the states from `after` up to this block. */
  let lost = after
  let at = now
  while (at.blockNumber - lost > 1) {
    const middle = lost + ((at.blockNumber - lost) >> 1)
    const header = await ownHeader(sync, middle)
    if (!header) return null
    const [state] = await statesAt(sync.client, header, [account])
    if (!state) {
      if (lost === after && !(await isLost(sync, account, after))) return null
      lost = middle
    } else if (state.balance === expectedAt(known, inflows, middle)) after = lost = middle
    else at = state
  }
  return { at, after }
}

/** Whether the nodes have a block, but not an account's state at it. */
const isLost = async (sync: ChainSync, account: string, number: number): Promise<boolean> => {
  const header = await ownHeader(sync, number)
  if (!header) return false
  const [state] = await statesAt(sync.client, header, [account])
  return !state
}

/** Records payments by calls to the account in a block. False after a reorg. */
const record = async (
  { ctx, chain, client }: ChainSync,
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
    transfers: transfers.flatMap((transfer) =>
      toObservedTransfer(block, transfer, transfer.source, assets),
    ),
    transactions: [],
  })
}

const reload = async (
  { ctx, chain }: ChainSync,
  asset: Asset,
  { account, inflows }: WatchedBalance,
  upTo: number,
): Promise<Inflows> => {
  const query = { chainId: chain.id, assetId: asset.id, upTo }
  return (await findWatchedBalance(ctx, query, account))?.inflows ?? inflows
}

const report = async (
  { ctx, chain }: ChainSync,
  asset: Asset,
  { account, campaignId }: WatchedBalance,
  { at, after }: Rise,
  expected: bigint,
): Promise<void> => {
  const first = after + 1
  const where =
    first === at.blockNumber
      ? `The balance changed in block ${first} without a transfer that explains it.`
      : `The balance changed in blocks ${first} to ${at.blockNumber} without a transfer that explains it; no node has the states between them.`
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

/** The header of a block; null if our stored chain has another hash at that number. */
const ownHeader = async (
  { ctx, chain, client }: ChainSync,
  number: number,
): Promise<Header | null> => {
  const header = await client.headerAt(number)
  const known = (await knownHashes(ctx, chain.id, number, number)).get(number)
  return header && (known === undefined || known === header.hash) ? header : null
}

const isOurs = async ({ ctx, chain }: ChainSync, at: NativeBalance): Promise<boolean> => {
  const known = (await knownHashes(ctx, chain.id, at.blockNumber, at.blockNumber)).get(
    at.blockNumber,
  )
  return known === undefined || known === at.blockHash
}
