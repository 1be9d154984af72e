import { ChainError, nonceUser } from '../../src/chain/index.ts'
import {
  applyReplacements,
  type BlockRef,
  type ChainState,
  knownHashes,
  listClaimedHashes,
  oldestKnown,
} from '../../src/domain/chain/index.ts'
import { type DueDonation, noteLostNonce, noteSigners } from '../../src/domain/donation/index.ts'
import type { Follower } from './follow.ts'
import { scanBlocks } from './scan.ts'

/** How many used nonces one pass searches the chain for; the others' turn comes again. */
const SEARCHES_PER_PASS = 5

type Signed = DueDonation & { sender: string; nonce: number }

/**
 * Follows transactions that were replaced by others with the same sender and nonce (sped up, or
 * cancelled). Costs one call for each transaction that is not mined when it is first looked up, and
 * one at each further look-up; only a nonce that is used up at the final block is searched for. What
 * nodes say of nonces only leads the way: the verdict is a proven block of our own chain that holds
 * another transaction with the same signature's account and nonce.
 *
 * Nonces that contract wallets count are not these: it is the outer transaction's that is followed.
 *
 * @param unseen due donations that no block holds, as the nodes say
 * @returns how many were replaced
 */
export const followReplacements = async (
  follower: Follower,
  state: ChainState,
  unseen: readonly DueDonation[],
): Promise<number> => {
  try {
    await noteFromPool(
      follower,
      unseen.filter((one) => one.sender === null),
    )
    return await findReplaced(follower, state, unseen.filter(isSigned))
  } catch (error) {
    logFailure(follower, error)
    return 0
  }
}

const isSigned = (one: DueDonation): one is Signed => one.sender !== null && one.nonce !== null

const noteFromPool = async (
  { ctx, chain, client }: Follower,
  unseen: readonly DueDonation[],
): Promise<void> => {
  const hashes = [...new Set(unseen.map((one) => one.txHash))]
  if (hashes.length === 0) return
  const found = await client.transactionsByHash(hashes)
  await noteSigners(
    ctx,
    chain.id,
    found.flatMap((one) =>
      one === null || one.nonce === null
        ? []
        : [{ txHash: one.hash, sender: one.from, nonce: one.nonce }],
    ),
  )
}

const findReplaced = async (
  follower: Follower,
  state: ChainState,
  signed: readonly Signed[],
): Promise<number> => {
  const final = Math.min(state.finalizedNumber, state.cursor.number)
  const at = signed.length > 0 ? await blockAt(follower, final) : undefined
  if (!at) return 0
  const senders = [...new Set(signed.map((one) => one.sender))]
  const counts = await follower.client.transactionCounts(at, senders)
  const countOf = new Map(senders.map((sender, index) => [sender, counts[index] ?? 0]))
  const byNonce = new Map<string, Signed[]>()
  for (const one of signed) {
    if ((countOf.get(one.sender) ?? 0) <= one.nonce) continue
    const key = `${one.sender} ${one.nonce}`
    byNonce.set(key, [...(byNonce.get(key) ?? []), one])
  }
  let replaced = 0
  for (const donations of [...byNonce.values()].slice(0, SEARCHES_PER_PASS)) {
    if (await tryToFollow(follower, final, donations)) replaced++
    else {
      await noteLostNonce(
        follower.ctx,
        donations.map((one) => one.id),
      )
    }
  }
  return replaced
}

/** A node without the state of old blocks leaves the search without an end, and the donation to expire. */
const tryToFollow = async (
  follower: Follower,
  final: number,
  donations: readonly Signed[],
): Promise<boolean> => {
  try {
    return await followOne(follower, final, donations)
  } catch (error) {
    logFailure(follower, error)
    return false
  }
}

const logFailure = ({ ctx }: Follower, error: unknown): void => {
  if (!(error instanceof ChainError) || error.code === 'closed') throw error
  ctx.log.info({ code: error.code }, `replacements: ${error.message}`)
}

/** Donations of one sender and nonce, whose transaction is not the one that used it up. */
const followOne = async (
  follower: Follower,
  final: number,
  donations: readonly Signed[],
): Promise<boolean> => {
  const { ctx, chain, client, watch } = follower
  const [first] = donations
  if (!first) return false
  const at = await findUse(follower, final, first)
  const block = at && (await client.blockByHash(at.hash))
  const user = block && nonceUser(block, first.sender, first.nonce)
  if (!user) return false
  const claimed = [...new Set(donations.map((one) => one.txHash))].filter(
    (hash) => hash !== user.hash,
  )
  // It is mined after all, and the node that was asked did not know: the next look-up finds it.
  if (claimed.length === 0) return false
  const watched = await watch(ctx)
  const wanted = [...(await listClaimedHashes(ctx, chain.id, claimed)).values()]
  const claims = new Map([[user.hash, new Set(wanted.flatMap((accounts) => [...accounts]))]])
  const observed = await scanBlocks(client, ctx.settings.assets, [block], watched, claims, ctx.log)
  // Whether it paid by calls within it cannot be told: nothing is decided.
  if (observed.unproven?.includes(user.hash)) return false
  const replacements = claimed.map((txHash) => ({ txHash, by: user.hash }))
  const applied = await applyReplacements(ctx, chain.id, at, replacements, {
    ...observed,
    transactions: observed.transactions.filter((one) => one.txHash === user.hash),
  })
  ctx.log.info({ claimed, by: user.hash, applied }, 'a transaction was replaced')
  return applied
}

/**
 * The block that used a nonce up: backward in growing steps from the final block, then by halves.
 * Undefined where that was before the blocks that are remembered.
 */
const findUse = async (
  follower: Follower,
  final: number,
  { sender, nonce }: Signed,
): Promise<BlockRef | undefined> => {
  const oldest = await oldestKnown(follower.ctx, follower.chain.id)
  const isUsedAt = async (number: number): Promise<boolean> => {
    const at = await blockAt(follower, number)
    if (!at) return true
    const [count] = await follower.client.transactionCounts(at, [sender])
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
  while (used - unused > 1) {
    const middle = (used + unused) >> 1
    if (await isUsedAt(middle)) used = middle
    else unused = middle
  }
  return blockAt(follower, used)
}

/** A block of our own chain, while it is remembered. */
const blockAt = async ({ ctx, chain }: Follower, number: number): Promise<BlockRef | undefined> => {
  const hash = (await knownHashes(ctx, chain.id, number, number)).get(number)
  return hash === undefined ? undefined : { number, hash }
}
