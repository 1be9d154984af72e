import { randomBytes } from 'node:crypto'
import type { Context } from '../../../db/context.ts'
import type { Wallet } from '../../../db/schema/access.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import type { SignatureProof } from '../../../kernel/ports/signatures.ts'
import { claimByWallet } from '../../donations/index.ts'
import { type CheckedChallenge, type ProvenWallet, useChallenge } from '../../people/index.ts'
import { type UserView, userColumns } from './account.ts'
import type { Credentials } from './credentials.ts'
import { type SessionClient, type SessionView, startSession } from './sessions.ts'
import { emitVerified } from './verify-email.ts'

/**
 * Signs in to the account that has linked the wallet. If there is no such account, creates an
 * account without an email address and without a password, calls `countNew` for it before the
 * transaction ends, and returns `created: true`.
 *
 * @throws DomainError `invalid_challenge` if the challenge is used or expired; `conflict` if the
 *   wallet is linked or unlinked meanwhile; `forbidden` if the wallet was last linked before a
 *   password reset; `wallet_taken` if a contract signed, but the wallet was linked in another way
 */
export const signInWithWallet = (
  ctx: Context,
  credentials: Credentials,
  { nonce, proof }: CheckedChallenge,
  client: SessionClient,
  countNew: (kind: 'account') => Promise<void>,
): Promise<{ session: SessionView; created: boolean }> =>
  withTransaction(ctx, async (ctx) => {
    const proven = await useChallenge(ctx, nonce, { purpose: 'sign_in', userId: null })
    // Sign-ins of one wallet run one after another, so that only one of them creates an account.
    await ctx.sql`select pg_advisory_xact_lock(hashtextextended(${proven.address}, 0))`
    const owner = await findOwner(ctx, proven, proof)
    const user = owner ?? (await makeAccount(ctx, proven, proof, client.lang))
    if (!owner) await countNew('account')
    await claimByWallet(ctx, user.id, { ...proven, method: proof.method })
    const session = await startSession(ctx, credentials, user, client)
    return { session, created: owner === undefined }
  })

/** Finds and locks the account of a linked wallet, so that no password reset runs meanwhile. */
const findOwner = async (
  ctx: Context,
  { address, chainId }: ProvenWallet,
  proof: SignatureProof,
): Promise<UserView | undefined> => {
  const [user] = await ctx.sql<UserView[]>`
    select ${userColumns(ctx.sql)} from app_user
    where id = (select user_id from wallet where address = ${address})
    for share`
  if (!user) return undefined
  const [link] = await ctx.sql<Pick<Wallet, 'method' | 'chainId' | 'beforeReset'>[]>`
    select method, chain_id, before_reset from wallet
    where address = ${address} and user_id = ${user.id}`
  if (!link) throw new DomainError('conflict', 'This wallet has just been unlinked. Try again.')
  // A private key may always sign in. A contract may sign in only if it was linked on this chain.
  const sameContract = link.method !== 'ecdsa' && link.chainId === chainId
  if (proof.method !== 'ecdsa' && !sameContract) {
    throw new DomainError(
      'wallet_taken',
      'This wallet is linked by another kind of signature or on another chain: sign in the same way again.',
    )
  }
  if (link.beforeReset) {
    throw new DomainError(
      'forbidden',
      'This wallet was linked before the password was reset: sign in by mail and link it again.',
    )
  }
  return user
}

const makeAccount = async (
  ctx: Context,
  { address, chainId }: ProvenWallet,
  proof: SignatureProof,
  lang = 'en',
): Promise<UserView> => {
  const now = ctx.clock.now()
  const username = `wallet-${randomBytes(8).toString('hex')}`
  const [user] = await ctx.sql<UserView[]>`
    insert into app_user (id, username, lang, created_at)
    values (${newId(now.getTime())}, ${username}, ${lang}, ${now})
    returning ${userColumns(ctx.sql)}`
  if (!user) throw new DomainError('internal', 'No account was made.')
  const linked = await ctx.sql`
    insert into wallet (id, user_id, address, chain_id, method, created_at)
    values (${newId(now.getTime())}, ${user.id}, ${address}, ${chainId}, ${proof.method}, ${now})
    on conflict (address) do nothing`
  if (linked.count === 0) {
    throw new DomainError('conflict', 'This wallet has just been linked. Try again.')
  }
  await emitVerified(ctx, user.id)
  return user
}
