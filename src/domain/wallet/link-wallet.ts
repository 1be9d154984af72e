import { withTransaction } from '../../db/transaction.ts'
import { DomainError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { SignatureProof } from '../../kernel/signatures.ts'
import type { Context } from '../context.ts'
import { holdAccount } from '../hold-account.ts'
import { refuseSanctioned } from '../sanction/index.ts'
import type { LinkWallet } from './schemas.ts'
import { nonceOf } from './sign-in-message.ts'
import { toWalletView, type WalletRow, type WalletView } from './wallet-view.ts'

type ChallengeRow = { nonce: string; address: string; chain_id: number; message: string }

/** A signed challenge that was found good, not used yet. */
export type CheckedChallenge = { nonce: string; proof: SignatureProof }

const MAX_WALLETS = 50

/**
 * Checks the signature under a challenge. Apart from `linkWallet`, since a contract wallet's chain
 * is asked and that opens transactions.
 *
 * @throws DomainError `unauthenticated`, `invalid_challenge`, `invalid_signature`, `unavailable`,
 * `blocked_for_legal_reasons`
 */
export const checkChallenge = async (
  ctx: Context,
  input: LinkWallet,
): Promise<CheckedChallenge> => {
  const { actor } = ctx
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  const nonce = input.nonce ?? nonceOf(input.message ?? '') ?? ''
  const [challenge] = await ctx.sql<ChallengeRow[]>`
    select nonce, address, chain_id, message from signature_challenge
    where nonce = ${nonce} and user_id = ${actor.userId} and purpose = 'link_wallet'
      and used_at is null and expires_at > ${ctx.clock.now()}`
  if (!challenge || (input.message !== undefined && input.message !== challenge.message)) {
    throw unknownChallenge()
  }
  await refuseSanctioned(ctx, [challenge.address])
  const proof = await ctx.signatures.verifyMessage({
    chainId: challenge.chain_id,
    address: challenge.address,
    message: challenge.message,
    signature: input.signature,
  })
  if (!proof) {
    throw new DomainError('invalid_signature', 'The wallet has not signed this message.')
  }
  return { nonce, proof }
}

/**
 * Links the wallet of a checked challenge to the caller, once. One of their own that is linked
 * already stays (`created: false`), and counts as linked after any password reset before.
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
    const [used] = await sql<ChallengeRow[]>`
      update signature_challenge set used_at = ${now}
      where nonce = ${nonce} and user_id = ${actor.userId} and used_at is null
        and expires_at > ${now}
      returning nonce, address, chain_id, message`
    if (!used) throw unknownChallenge()
    const [made] = await sql<WalletRow[]>`
      insert into wallet (id, user_id, address, chain_id, method, created_at)
      select ${newId(now.getTime())}, ${actor.userId}, ${used.address}, ${used.chain_id},
             ${proof.method}, ${now}
      where (select count(*) from wallet where user_id = ${actor.userId}) < ${MAX_WALLETS}
      on conflict (address) do nothing
      returning *`
    if (made) return { wallet: toWalletView(made), created: true }
    const [own] = await sql<WalletRow[]>`
      update wallet set before_reset = false
      where address = ${used.address} and user_id = ${actor.userId}
      returning *`
    if (own) return { wallet: toWalletView(own), created: false }
    const taken = await sql`select from wallet where address = ${used.address}`
    throw taken.length > 0
      ? new DomainError('wallet_taken', 'This wallet is linked to another account.')
      : new DomainError('conflict', `An account has at most ${MAX_WALLETS} wallets.`)
  })

const unknownChallenge = () =>
  new DomainError(
    'invalid_challenge',
    'This challenge is unknown, used or expired. Ask for another.',
  )
