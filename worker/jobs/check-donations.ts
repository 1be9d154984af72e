import {
  type Block,
  type ChainClient,
  ChainError,
  locateTransactions,
  type TransactionLocation,
} from '../../src/chain/index.ts'
import {
  applyLookups,
  type DueDonation,
  isAnythingDue,
  knownHash,
  listClaimedHashes,
  listDueDonations,
  matchLateDonations,
  noteUnanswered,
  noteUnseen,
  type Observed,
  postponeChecks,
  takeLease,
} from '../../src/domain/blocks/index.ts'
import type { ChainState } from '../../src/domain/shared/index.ts'
import { findReplacements } from '../chain/find-replacements.ts'
import { isLinked } from '../chain/is-linked.ts'
import { scanBlocks } from '../chain/scan.ts'
import { settleFinal } from '../chain/settle-final.ts'
import type { ChainSync } from '../chain/sync-chain.ts'
import { crashPoint } from '../crash-points.ts'
import { createLoop, type Loop } from '../loop.ts'

/** The most donations whose transactions a pass looks up, in one request to a node. */
const LOOKUPS_PER_PASS = 100
/** The most blocks that a pass reads for the transactions that it has found. */
const BLOCKS_PER_PASS = 20

/**
 * Finds the transactions of donations that the sync did not match, for one of these reasons:
 * - the donation was recorded after the sync had read the transaction's block
 * - the transaction's block is older than the first block of the sync
 * - no block has the transaction yet
 */
export const createCheckDonationsJob = (sync: ChainSync): Loop => {
  const { ctx, chain } = sync

  const pass = async (signal: AbortSignal): Promise<void> => {
    if (!(await isAnythingDue(ctx, chain.id))) return
    const matched = await matchLateDonations(ctx, chain.id)
    const looked = await lookUp(sync, signal)
    if (matched + looked === 0) return
    await settleFinal(sync, signal)
  }

  return createLoop({
    name: `check-donations ${chain.id}`,
    run: pass,
    sweepMs: 1_000,
    log: ctx.log,
  })
}

/** Looks up due donations' transactions. Does nothing without the chain's lease. */
const lookUp = async (sync: ChainSync, signal: AbortSignal): Promise<number> => {
  const { ctx, chain, client } = sync
  const state = await takeLease(ctx, chain.id, sync.owner, sync.leaseMs)
  // If the sync has not read all blocks, it may still find the transactions itself.
  if (!state || state.cursor.number < state.headNumber - 1) return 0
  const due = await listDueDonations(ctx, chain.id, LOOKUPS_PER_PASS)
  if (due.length === 0) return 0
  const hashes = [...new Set(due.map(({ txHash }) => txHash))]
  const locations = await locateTransactions(client, hashes).catch(async (error: unknown) => {
    if (error instanceof ChainError && error.retryable) await noteUnanswered(ctx, idsOf(due))
    throw error
  })
  const unseen = due.filter(({ txHash }) => locations.get(txHash) === null)
  const { kept, unknown } = await keepPooled(client, unseen)
  // crash point C1: the nodes have answered, nothing is recorded.
  crashPoint('C1')
  await noteUnseen(ctx, idsOf(unknown))
  await postponeChecks(ctx, idsOf(kept), 'waiting_for_transaction')
  const replaced = await findReplacements(sync, state, unseen)
  // If a node refused a look-up, postpones it, so that the next pass takes other donations.
  const refused = due.filter(({ txHash }) => !locations.has(txHash))
  await postponeChecks(ctx, idsOf(refused), 'node_unavailable')
  const located = due.flatMap((donation) => {
    const location = locations.get(donation.txHash)
    return location ? [{ ...donation, ...location }] : []
  })
  const isAhead = ({ blockNumber }: TransactionLocation) => blockNumber > state.cursor.number
  await postponeChecks(ctx, idsOf(located.filter(isAhead)), 'waiting_for_transaction')
  const below = located.filter((donation) => !isAhead(donation))
  const byBlock = Map.groupBy(below, ({ blockHash }) => blockHash)
  for (const [hash, donations] of [...byBlock].slice(0, BLOCKS_PER_PASS)) {
    const [first] = donations
    if (!first || signal.aborted) break
    await readOldBlock(sync, state, { number: first.blockNumber, hash }, donations)
  }
  return byBlock.size + replaced
}

const idsOf = (donations: readonly DueDonation[]): string[] => donations.map(({ id }) => id)

/** Reads a block that the sync has passed, for these donations. Postpones them after an error. */
const readOldBlock = async (
  { ctx, chain, client, watch, committee }: ChainSync,
  state: ChainState,
  at: { number: number; hash: string },
  donations: readonly DueDonation[],
): Promise<void> => {
  const ids = idsOf(donations)
  try {
    const known = await knownHash(ctx, chain.id, at.number)
    const onChain = known ?? (await client.headerAt(at.number))?.hash
    const block = await client.blockByHash(at.hash)
    if (!block || onChain !== at.hash || block.number > state.cursor.number) {
      await postponeChecks(ctx, ids, 'waiting_for_transaction')
      return
    }
    if (known === undefined && committee && !(await isLinked(ctx, client, at))) {
      await postponeChecks(ctx, ids, 'waiting_for_finality_proof')
      return
    }
    const hashes = donations.map(({ txHash }) => txHash)
    const observed = await scanBlocks(
      client,
      ctx.settings.assets,
      [block],
      await watch(ctx),
      await listClaimedHashes(ctx, chain.id, hashes),
      ctx.log,
    ).catch((error: unknown) => failUnsupported(error, block, hashes))
    // crash point C2: an old block is verified, nothing is written.
    crashPoint('C2')
    const applied = await applyLookups(ctx, chain.id, [at], observed)
    // Postpones only donations that are still pending. `reason` says why they wait.
    const unproven = new Set(applied ? observed.unproven : [])
    const hidden = donations.filter(({ txHash }) => unproven.has(txHash))
    const others = donations.filter(({ txHash }) => !unproven.has(txHash))
    const reason = applied ? 'node_disbelieved' : 'waiting_for_transaction'
    await postponeChecks(ctx, idsOf(hidden), 'internal_payment_unproven')
    await postponeChecks(ctx, idsOf(others), reason)
  } catch (error) {
    if (!(error instanceof ChainError) || error.code === 'closed') throw error
    ctx.log.warn({ block: at.number, code: error.code }, error.message)
    await postponeChecks(ctx, ids, error.retryable ? 'node_unavailable' : 'node_disbelieved')
  }
}

/** Marks the transactions as not supported, so that their donations fail. */
const failUnsupported = (error: unknown, block: Block, hashes: readonly string[]): Observed => {
  if (!(error instanceof ChainError) || error.code !== 'unsupported') throw error
  const claimed = block.transactions.filter(({ hash }) => hashes.includes(hash))
  return {
    transfers: [],
    transactions: claimed.map(({ hash }) => ({
      txHash: hash,
      blockNumber: block.number,
      blockHash: block.hash,
      minedAt: new Date(block.timestamp * 1_000),
      reverted: false,
      unknownTokenRecipients: [],
      returned: [],
      unsupported: true,
    })),
  }
}

/**
 * Splits due donations into `kept` and `unknown`. Keeps an overdue donation if a mempool has its
 * transaction, because a block may still include the transaction. Keeps all overdue donations if no
 * node answers.
 *
 * @param unseen due donations whose transaction is in no block
 */
const keepPooled = async (
  client: Pick<ChainClient, 'transactionsByHash'>,
  unseen: readonly DueDonation[],
): Promise<{ kept: DueDonation[]; unknown: DueDonation[] }> => {
  const overdue = new Set(unseen.flatMap(({ isOverdue, txHash }) => (isOverdue ? [txHash] : [])))
  const pooled = new Set(await findPooled(client, [...overdue]))
  return {
    kept: unseen.filter(({ txHash }) => pooled.has(txHash)),
    unknown: unseen.filter(({ txHash }) => !pooled.has(txHash)),
  }
}

const findPooled = async (
  client: Pick<ChainClient, 'transactionsByHash'>,
  hashes: readonly string[],
): Promise<readonly string[]> => {
  try {
    const found = await client.transactionsByHash(hashes)
    return hashes.filter((_, index) => found[index] !== null)
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    return hashes
  }
}
