import type { Queryable } from '../../../db/client.ts'
import type { Context } from '../../../db/context.ts'
import type { Wallet } from '../../../db/schema/access.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { toChecksumAddress } from '../../../kernel/formats/address.ts'
import { holdAccount, requireUser } from '../../shared/index.ts'

/** A wallet that a user has linked by a signed message. `chainId` is the chain in the message. */
export type WalletView = Pick<Wallet, 'id' | 'address' | 'chainId' | 'method' | 'createdAt'>

/** The columns of a {@link WalletView}, with the address in lower case. */
export const walletColumns = (sql: Queryable) => sql`id, address, chain_id, method, created_at`

export const toWalletView = (row: WalletView): WalletView => ({
  ...row,
  address: toChecksumAddress(row.address),
})

/**
 * Lists the caller's wallets, at most 50, in the order in which they were linked.
 *
 * @throws DomainError `unauthenticated` without a sign-in
 */
export const listWallets = async (ctx: Context): Promise<WalletView[]> => {
  const rows = await ctx.sql<WalletView[]>`
    select ${walletColumns(ctx.sql)} from wallet where user_id = ${requireUser(ctx).userId}
    order by created_at, id`
  return rows.map(toWalletView)
}

/**
 * Unlinks a wallet of the caller. Earlier signatures of the wallet stay valid.
 *
 * @throws DomainError `unauthenticated` without a sign-in; `not_found` if the caller has no such
 *   wallet; `conflict` if the user could not sign in again without this wallet
 */
export const unlinkWallet = (ctx: Context, id: string): Promise<void> =>
  withTransaction(ctx, async (ctx) => {
    const { userId } = requireUser(ctx)
    await holdAccount(ctx)
    const [wallet] = await ctx.sql<{ needed: boolean }[]>`
      select app_user.email is null and not exists (
               select from wallet other
               where other.user_id = wallet.user_id and other.id <> wallet.id) as needed
      from wallet join app_user on app_user.id = wallet.user_id
      where wallet.id = ${id} and wallet.user_id = ${userId}`
    if (!wallet) throw new DomainError('not_found', 'There is no such wallet.')
    if (wallet.needed) {
      throw new DomainError(
        'conflict',
        'Only this wallet signs in to your account: add an email address or another wallet first.',
      )
    }
    await keepProofs(ctx, userId, id)
    await ctx.sql`delete from wallet where id = ${id} and user_id = ${userId}`
  })

/** Marks a user's donations that linked wallets have paid as proven, before a wallet is removed. */
export const keepProofs = async (
  { sql }: Context,
  userId: string,
  walletId: string | null = null,
): Promise<void> => {
  await sql`
    update donation set wallet_proven = true
    from wallet, chain_transfer transfer
    where donation.user_id = ${userId} and transfer.id = donation.transfer_id
      and wallet.user_id = ${userId} and wallet.address = transfer.sender
      and wallet.id = coalesce(${walletId}, wallet.id) and holds_on(wallet, transfer.chain_id)
      and not donation.wallet_proven`
}
