import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import { claimByWallet } from '../../donations/index.ts'
import {
  type CheckedChallenge,
  toWalletView,
  useChallenge,
  type WalletView,
  walletColumns,
} from '../../people/index.ts'
import { type Confirmed, holdConfirmed } from './check-password.ts'
import { mailChange } from './mail-notices.ts'

const MAX_WALLETS = 50

/**
 * Links the wallet of a checked challenge to a caller that `confirmCaller` confirmed, and mails a
 * notice, because the wallet can sign in. `created` is false if the caller had linked the wallet
 * before. After a password reset, a wallet cannot sign in until it is linked again. Guests'
 * donations that this wallet paid become the caller's donations.
 *
 * @throws DomainError `invalid_token` if the session has ended; `invalid_credentials` if the
 *   password was just changed; `invalid_challenge` if the challenge is used or expired; `conflict`
 *   if the caller has 50 wallets; `wallet_taken` if another account has linked the wallet
 */
export const linkWallet = (
  ctx: Context,
  confirmed: Confirmed,
  { nonce, proof }: CheckedChallenge,
): Promise<{ wallet: WalletView; created: boolean }> =>
  withTransaction(ctx, async (ctx) => {
    const { sql } = ctx
    const now = ctx.clock.now()
    const account = await holdConfirmed(ctx, confirmed)
    const userId = account.id
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
      const view = toWalletView(wallet)
      await mailChange(ctx, account, { change: 'wallet', wallet: view.address })
      return { wallet: view, created: made !== undefined }
    }
    const taken = await sql`select from wallet where address = ${used.address}`
    throw taken.length > 0
      ? new DomainError('wallet_taken', 'This wallet is linked to another account.')
      : new DomainError('conflict', `An account has at most ${MAX_WALLETS} wallets.`)
  })
