import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { toWalletView, type WalletRow, type WalletView } from './wallet-view.ts'

/** The caller's wallets, the first linked first; an account has at most 50. Throws `unauthenticated`. */
export const listWallets = async ({ sql, actor }: Context): Promise<WalletView[]> => {
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  const rows = await sql<WalletRow[]>`
    select * from wallet where user_id = ${actor.userId} order by created_at, id`
  return rows.map(toWalletView)
}

/** Unlinks a wallet of the caller. What it has signed stays signed. Throws `not_found`. */
export const unlinkWallet = async ({ sql, actor }: Context, id: string): Promise<void> => {
  const self = actor.kind === 'user' ? actor.userId : null
  const removed = await sql`delete from wallet where id = ${id} and user_id = ${self}`
  if (removed.count === 0) throw new DomainError('not_found', 'There is no such wallet.')
}
