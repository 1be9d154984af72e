import type { Context } from '../../../db/context.ts'
import type { Campaign } from '../../../db/schema/campaigns.ts'
import type { EscrowTerms } from '../../../escrow/terms.ts'
import { refuseTerms } from './refuse-terms.ts'

/**
 * Refuses terms whose recipient is not a wallet of the creator, or whose verifiers are not wallets
 * of different users with the role `verifier`. A contract wallet counts on its own chain only.
 *
 * @throws DomainError `invalid_terms`
 */
export const refuseParties = async (
  ctx: Context,
  { creatorId, chainId }: Pick<Campaign, 'creatorId' | 'chainId'>,
  { recipient, verifiers }: Pick<EscrowTerms, 'recipient' | 'verifiers'>,
): Promise<void> => {
  const wallets = await ctx.sql<{ address: string; userId: string; isVerifier: boolean }[]>`
    select wallet.address, wallet.user_id, 'verifier' = any(app_user.roles) as is_verifier
    from wallet join app_user on app_user.id = wallet.user_id
    where wallet.address = any(${[recipient, ...verifiers]}) and app_user.deleted_at is null
      and holds_on(wallet, ${chainId})`
  const walletOf = new Map(wallets.map((wallet) => [wallet.address, wallet]))
  if (walletOf.get(recipient)?.userId !== creatorId) {
    throw refuseTerms('escrow.recipient', 'must be a wallet that the creator has linked')
  }
  const users = new Set<string>()
  for (const verifier of verifiers) {
    const { userId, isVerifier } = walletOf.get(verifier) ?? {}
    if (userId === undefined || !isVerifier) {
      throw refuseTerms('escrow.verifiers', `must be linked wallets of verifiers: not ${verifier}`)
    }
    if (userId === creatorId) {
      throw refuseTerms('escrow.verifiers', `must not be the creator's: not ${verifier}`)
    }
    if (users.has(userId)) {
      throw refuseTerms('escrow.verifiers', `must belong to different users: not ${verifier}`)
    }
    users.add(userId)
  }
}
