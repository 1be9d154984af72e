import type { Context } from '../../../db/context.ts'
import type { SignatureChallenge } from '../../../db/schema/access.ts'
import { DomainError } from '../../../kernel/errors.ts'
import type { SignatureProof } from '../../../kernel/ports/signatures.ts'
import { refuseSanctioned } from '../sanction/refuse-sanctioned.ts'
import type { SignedChallenge } from './schemas.ts'
import { nonceOf } from './sign-in-message.ts'

/** The purpose of a challenge and the id of its user. A sign-in challenge has no user yet. */
export type ChallengeFor =
  | { purpose: 'link_wallet' | 'claim_deposit'; userId: string }
  | { purpose: 'sign_in'; userId: null }

/** A challenge with a valid signature. `useChallenge` must still mark the challenge as used. */
export type CheckedChallenge = { nonce: string; proof: SignatureProof }

export type ProvenWallet = Pick<SignatureChallenge, 'address' | 'chainId'>

/**
 * Checks the signature of a challenge to link a wallet to the user, or to sign in if `userId` is
 * null. Must run outside a transaction, because the check may wait for a contract of the wallet.
 *
 * @throws DomainError `invalid_challenge` if the challenge is unknown, used or expired;
 *   `invalid_signature` if the wallet did not sign it; `unavailable` if a chain cannot be read;
 *   `blocked_for_legal_reasons` if the wallet is sanctioned
 */
export const checkSigned = async (
  ctx: Context,
  input: SignedChallenge,
  userId: string | null = null,
): Promise<CheckedChallenge> => {
  const purpose = userId === null ? 'sign_in' : 'link_wallet'
  const nonce = input.nonce ?? nonceOf(input.message ?? '') ?? ''
  const [challenge] = await ctx.sql<Pick<SignatureChallenge, 'address' | 'chainId' | 'message'>[]>`
    select address, chain_id, message from signature_challenge
    where nonce = ${nonce} and user_id is not distinct from ${userId}::uuid
      and purpose = ${purpose} and used_at is null and expires_at > ${ctx.clock.now()}`
  if (!challenge || (input.message !== undefined && input.message !== challenge.message)) {
    throw unknownChallenge()
  }
  await refuseSanctioned(ctx, [challenge.address])
  const { signature } = input
  const proof = await ctx.signatures.verifyMessage({ ...challenge, signature })
  if (!proof) {
    throw new DomainError('invalid_signature', 'The wallet has not signed this message.')
  }
  return { nonce, proof }
}

/**
 * Marks a checked challenge as used, in the caller's transaction.
 *
 * @throws DomainError `invalid_challenge` if the challenge has been used or has expired
 */
export const useChallenge = async (
  ctx: Context,
  nonce: string,
  { purpose, userId }: ChallengeFor,
): Promise<ProvenWallet> => {
  const now = ctx.clock.now()
  const [used] = await ctx.sql<ProvenWallet[]>`
    update signature_challenge set used_at = ${now}
    where nonce = ${nonce} and user_id is not distinct from ${userId}::uuid
      and purpose = ${purpose} and used_at is null and expires_at > ${now}
    returning address, chain_id`
  if (!used) throw unknownChallenge()
  return used
}

export const unknownChallenge = () =>
  new DomainError(
    'invalid_challenge',
    'This challenge is unknown, used or expired. Ask for another.',
  )
