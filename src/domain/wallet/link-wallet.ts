import { withTransaction } from '../../db/transaction.ts'
import { DomainError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Context } from '../context.ts'
import { claimByWallet } from '../donation/index.ts'
import { holdAccount } from '../hold-account.ts'
import type { SignedChallenge } from './schemas.ts'
import { type CheckedChallenge, checkSigned, useChallenge } from './signed-challenge.ts'
import { toWalletView, type WalletRow, type WalletView } from './wallet-view.ts'

const MAX_WALLETS = 50

/**
 * Checks the signature under a challenge of the caller. Apart from `linkWallet`, because the chain
 * of a contract wallet is asked.
 *
 * @throws DomainError `unauthenticated`, `invalid_challenge`, `invalid_signature`, `unavailable`,
 * `blocked_for_legal_reasons`
 */
export const checkChallenge = async (
  ctx: Context,
  input: SignedChallenge,
): Promise<CheckedChallenge> => {
  const { actor } = ctx
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  return checkSigned(ctx, input, { purpose: 'link_wallet', userId: actor.userId })
}

/**
 * Links the wallet of a checked challenge to the caller, once. One of their own that is linked
 * already stays (`created: false`), and counts as linked after any password reset before. What
 * guests have recorded of the wallet becomes the caller's.
 *
 * @throws DomainError `unauthenticated`, `invalid_challenge`, `wallet_taken`, `conflict` beyond 50
 */
export const linkWallet = (
  ctx: Context,
  { nonce, proof }: CheckedChallenge,
): Promise<{ wallet: WalletView; created: boolean }> =>
  withTransaction(ctx, async (ctx) => {
    const { actor, sql } = ctx
    if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
    const now = ctx.clock.now()
    await holdAccount(ctx)
    const used = await useChallenge(ctx, nonce, { purpose: 'link_wallet', userId: actor.userId })
    const wallet = { address: used.address, chainId: used.chainId, method: proof.method }
    const [made] = await sql<WalletRow[]>`
      insert into wallet (id, user_id, address, chain_id, method, created_at)
      select ${newId(now.getTime())}, ${actor.userId}, ${used.address}, ${used.chainId},
             ${proof.method}, ${now}
      where (select count(*) from wallet where user_id = ${actor.userId}) < ${MAX_WALLETS}
      on conflict (address) do nothing
      returning *`
    if (made) {
      await claimByWallet(ctx, actor.userId, wallet)
      return { wallet: toWalletView(made), created: true }
    }
    const [own] = await sql<WalletRow[]>`
      update wallet set before_reset = false
      where address = ${used.address} and user_id = ${actor.userId}
      returning *`
    if (own) {
      await claimByWallet(ctx, actor.userId, wallet)
      return { wallet: toWalletView(own), created: false }
    }
    const taken = await sql`select from wallet where address = ${used.address}`
    throw taken.length > 0
      ? new DomainError('wallet_taken', 'This wallet is linked to another account.')
      : new DomainError('conflict', `An account has at most ${MAX_WALLETS} wallets.`)
  })
