import { withTransaction } from '../../db/transaction.ts'
import { DomainError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/formats/ids.ts'
import type { Context } from '../context.ts'
import { claimByWallet } from '../donation/index.ts'
import { holdAccount } from '../hold-account.ts'
import { requireUser } from '../require-user.ts'
import { toWalletView, type WalletView, walletColumns } from './list-wallets.ts'
import type { SignedChallenge } from './schemas.ts'
import { type CheckedChallenge, checkSigned, useChallenge } from './signed-challenge.ts'

const MAX_WALLETS = 50

/**
 * Checks the signature of the caller's challenge. Call `checkChallenge` before `linkWallet` and
 * outside a transaction, because the check may have to wait for a call to the wallet's contract.
 *
 * @throws DomainError `unauthenticated` without a sign-in; `invalid_challenge` if the challenge is
 *   unknown, used or expired; `invalid_signature` if the wallet did not sign it; `unavailable` if a
 *   chain cannot be read; `blocked_for_legal_reasons` if the wallet is sanctioned
 */
export const checkChallenge = async (
  ctx: Context,
  input: SignedChallenge,
): Promise<CheckedChallenge> => {
  const { userId } = requireUser(ctx)
  return checkSigned(ctx, input, userId)
}

/**
 * Links the wallet of a checked challenge to the caller. `created` is false if the caller had
 * linked the wallet before. After a password reset, a wallet cannot sign in until it is linked
 * again. Guests' donations that this wallet paid become the caller's donations.
 *
 * @throws DomainError `unauthenticated` without a sign-in; `invalid_challenge` if the challenge is
 *   used or expired; `wallet_taken` if another account has linked the wallet; `conflict` if the
 *   caller has 50 wallets
 */
export const linkWallet = (
  ctx: Context,
  { nonce, proof }: CheckedChallenge,
): Promise<{ wallet: WalletView; created: boolean }> =>
  withTransaction(ctx, async (ctx) => {
    const { sql } = ctx
    const { userId } = requireUser(ctx)
    const now = ctx.clock.now()
    await holdAccount(ctx)
    const used = await useChallenge(ctx, nonce, { purpose: 'link_wallet', userId })
    const [made] = await sql<WalletView[]>`
      insert into wallet (id, user_id, address, chain_id, method, created_at)
      select ${newId(now.getTime())}, ${userId}, ${used.address}, ${used.chainId},
             ${proof.method}, ${now}
      where (select count(*) from wallet where user_id = ${userId}) < ${MAX_WALLETS}
      on conflict (address) do nothing
      returning ${walletColumns(sql)}`
    const [own] = made
      ? []
      : await sql<WalletView[]>`
          update wallet set before_reset = false
          where address = ${used.address} and user_id = ${userId}
          returning ${walletColumns(sql)}`
    const wallet = made ?? own
    if (wallet) {
      await claimByWallet(ctx, userId, { ...used, method: proof.method })
      return { wallet: toWalletView(wallet), created: made !== undefined }
    }
    const taken = await sql`select from wallet where address = ${used.address}`
    throw taken.length > 0
      ? new DomainError('wallet_taken', 'This wallet is linked to another account.')
      : new DomainError('conflict', `An account has at most ${MAX_WALLETS} wallets.`)
  })
