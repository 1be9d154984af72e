import { withTransaction } from '../../db/transaction.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { holdAccount } from '../hold-account.ts'
import { toWalletView, type WalletRow, type WalletView } from './wallet-view.ts'

/**
 * The caller's wallets, the first linked first; an account has at most 50. Throws
 * `unauthenticated`.
 */
export const listWallets = async ({ sql, actor }: Context): Promise<WalletView[]> => {
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  const rows = await sql<WalletRow[]>`
    select * from wallet where user_id = ${actor.userId} order by created_at, id`
  return rows.map(toWalletView)
}

/**
 * Unlinks a wallet of the caller. What it has signed stays signed. The last wallet of an account
 * without an address stays, because nothing else signs in to it.
 *
 * @throws DomainError `not_found`, `conflict`
 */
export const unlinkWallet = (ctx: Context, id: string): Promise<void> =>
  withTransaction(ctx, async (ctx) => {
    const { actor, sql } = ctx
    const self = actor.kind === 'user' ? actor.userId : null
    await holdAccount(ctx)
    const [wallet] = await sql<{ needed: boolean }[]>`
      select app_user.email is null and not exists (
               select from wallet other
               where other.user_id = wallet.user_id and other.id <> wallet.id) as needed
      from wallet join app_user on app_user.id = wallet.user_id
      where wallet.id = ${id} and wallet.user_id = ${self}`
    if (!wallet) throw new DomainError('not_found', 'There is no such wallet.')
    if (wallet.needed) {
      throw new DomainError(
        'conflict',
        'Only this wallet signs in to your account: add an email address or another wallet first.',
      )
    }
    await sql`delete from wallet where id = ${id} and user_id = ${self}`
  })
