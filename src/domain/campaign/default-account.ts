import { mayActFor } from '../../kernel/actor.ts'
import { DomainError } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'

type WalletRow = { address: string; chainId: number; method: string }

/**
 * Where a campaign collects that names no account: the first wallet that its creator has linked
 * since their last password reset, because an earlier one may be of another person. A contract
 * wallet exists on one chain only, so its chain is named (CAIP-10).
 *
 * @throws DomainError `unauthenticated`, `forbidden`, `account_required` where there is none
 */
export const defaultLedgerAccount = async (
  ctx: Context,
  creatorId: string | undefined,
): Promise<string> => {
  const self = ctx.actor.kind === 'user' ? ctx.actor.userId : undefined
  const owner = creatorId ?? self
  if (owner === undefined) throw new DomainError('unauthenticated', 'Sign in first.')
  if (!mayActFor(ctx.actor, owner)) {
    throw new DomainError('forbidden', 'You can create campaigns only as yourself.')
  }
  const [wallet] = await ctx.sql<WalletRow[]>`
    select address, chain_id, method from wallet
    where user_id = ${owner} and not before_reset order by created_at, id limit 1`
  if (!wallet) {
    throw new DomainError(
      'account_required',
      'Name a ledgerAccount or link a wallet. One from before a password reset must be linked again.',
    )
  }
  return wallet.method === 'ecdsa' ? wallet.address : `eip155:${wallet.chainId}:${wallet.address}`
}
