import { ChainError, nonceUser } from '../../src/chain/index.ts'
import {
  applyReplacements,
  type DueDonation,
  knownHash,
  listClaimedHashes,
  noteLostNonce,
  noteSigners,
  oldestKnown,
} from '../../src/domain/blocks/index.ts'
import type { BlockRef, ChainState } from '../../src/domain/shared/index.ts'
import { bisect } from './find-deviation.ts'
import { scanBlocks } from './scan.ts'
import type { ChainSync } from './sync-chain.ts'

/** The most nonces that a pass searches for. The next pass searches for other nonces. */
const SEARCHES_PER_PASS = 5

type Signed = DueDonation & { sender: string; nonce: number }

/**
 * Finds transactions that another transaction with the same sender and nonce replaced. Only a
 * stored block proves a replacement; nonces from nodes only show where to search. Does not work
 * for contract wallets.
 *
 * @param unseen due donations whose transaction is in no block
 * @returns the number of replaced transactions
 */
export const findReplacements = async (
  sync: ChainSync,
  state: ChainState,
  unseen: readonly DueDonation[],
): Promise<number> => {
  try {
    const unsigned = unseen.filter(({ sender }) => sender === null)
    await noteFromPool(sync, unsigned)
    return await findReplaced(sync, state, unseen.filter(isSigned))
  } catch (error) {
    logFailure(sync, error)
    return 0
  }
}

const isSigned = (donation: DueDonation): donation is Signed =>
  donation.sender !== null && donation.nonce !== null

const noteFromPool = async (
  { ctx, chain, client }: ChainSync,
  unseen: readonly DueDonation[],
): Promise<void> => {
  const hashes = [...new Set(unseen.map(({ txHash }) => txHash))]
  if (hashes.length === 0) return
  const found = await client.transactionsByHash(hashes)
  await noteSigners(
    ctx,
    chain.id,
    found.flatMap((pooled) =>
      pooled === null || pooled.nonce === null
        ? []
        : [{ txHash: pooled.hash, sender: pooled.from, nonce: pooled.nonce }],
    ),
  )
}

const findReplaced = async (
  sync: ChainSync,
  state: ChainState,
  signed: readonly Signed[],
): Promise<number> => {
  const final = Math.min(state.finalizedNumber, state.cursor.number)
  const at = signed.length > 0 ? await blockAt(sync, final) : undefined
  if (!at) return 0
  const senders = [...new Set(signed.map(({ sender }) => sender))]
  const counts = await sync.client.transactionCounts(at, senders)
  const countOf = new Map(senders.map((sender, index) => [sender, counts[index] ?? 0]))
  const used = signed.filter(({ sender, nonce }) => (countOf.get(sender) ?? 0) > nonce)
  const byNonce = Map.groupBy(used, ({ sender, nonce }) => `${sender} ${nonce}`)
  let replaced = 0
  for (const donations of [...byNonce.values()].slice(0, SEARCHES_PER_PASS)) {
    const ids = donations.map(({ id }) => id)
    if (await tryToReplace(sync, final, donations)) replaced++
    else await noteLostNonce(sync.ctx, ids)
  }
  return replaced
}

/** Calls `replaceTransaction`. If this throws a ChainError, logs the error and returns false. */
const tryToReplace = async (
  sync: ChainSync,
  final: number,
  donations: readonly Signed[],
): Promise<boolean> => {
  try {
    return await replaceTransaction(sync, final, donations)
  } catch (error) {
    logFailure(sync, error)
    return false
  }
}

const logFailure = ({ ctx }: ChainSync, error: unknown): void => {
  if (!(error instanceof ChainError) || error.code === 'closed') throw error
  ctx.log.info({ code: error.code }, `replacements: ${error.message}`)
}

/** Records the transaction that replaced the claimed transaction. False without a proof. */
const replaceTransaction = async (
  sync: ChainSync,
  final: number,
  donations: readonly Signed[],
): Promise<boolean> => {
  const { ctx, chain, client, watch } = sync
  const [first] = donations
  if (!first) return false
  const at = await findUse(sync, final, first)
  const block = at && (await client.blockByHash(at.hash))
  const user = block && nonceUser(block, first.sender, first.nonce)
  if (!user) return false
  const claimed = [...new Set(donations.map(({ txHash }) => txHash))].filter(
    (hash) => hash !== user.hash,
  )
  // The nonce belongs to the claimed transaction itself, so the next look-up finds its block.
  if (claimed.length === 0) return false
  const watched = await watch(ctx)
  const wanted = [...(await listClaimedHashes(ctx, chain.id, claimed)).values()]
  const claims = new Map([[user.hash, new Set(wanted.flatMap((accounts) => [...accounts]))]])
  const observed = await scanBlocks(client, ctx.settings.assets, [block], watched, claims, ctx.log)
  // Records nothing if contract calls in the new transaction may have made unproven payments.
  if (observed.unproven?.includes(user.hash)) return false
  const replacements = claimed.map((txHash) => ({ txHash, by: user.hash }))
  const applied = await applyReplacements(ctx, chain.id, at, replacements, {
    ...observed,
    transactions: observed.transactions.filter(({ txHash }) => txHash === user.hash),
  })
  ctx.log.info({ claimed, by: user.hash, applied }, 'a transaction was replaced')
  return applied
}

/**
 * Finds the block with the transaction that used a nonce. Goes back from the final block in growing
 * steps, then uses bisection. Returns undefined if the block is older than all stored blocks.
 */
const findUse = async (
  sync: ChainSync,
  final: number,
  { sender, nonce }: Signed,
): Promise<BlockRef | undefined> => {
  const oldest = await oldestKnown(sync.ctx, sync.chain.id)
  const isUsedAt = async (number: number): Promise<boolean> => {
    const at = await blockAt(sync, number)
    if (!at) return true
    const [count] = await sync.client.transactionCounts(at, [sender])
    return (count ?? 0) > nonce
  }
  let used = final
  let unused = final
  for (let step = 1; ; step *= 2) {
    unused = Math.max(oldest, used - step)
    if (!(await isUsedAt(unused))) break
    if (unused === oldest) return undefined
    used = unused
  }
  return blockAt(sync, await bisect(unused, used, isUsedAt))
}

/** The stored block with this number; undefined if there is none. */
const blockAt = async (
  { ctx, chain }: ChainSync,
  number: number,
): Promise<BlockRef | undefined> => {
  const hash = await knownHash(ctx, chain.id, number)
  return hash === undefined ? undefined : { number, hash }
}
