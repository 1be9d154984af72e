import { randomBytes } from 'node:crypto'
import type { Context } from '../../../db/context.ts'
import type { SignatureChallenge } from '../../../db/schema/access.ts'
import { DomainError, inField } from '../../../kernel/errors.ts'
import { parseAddress, toChecksumAddress } from '../../../kernel/formats/address.ts'
import { requireUser } from '../../shared/index.ts'
import type { ChallengeWallet } from './schemas.ts'
import { signInMessage } from './sign-in-message.ts'
import type { ChallengeFor } from './signed-challenge.ts'

/** A message for a wallet to sign. It can be used only once. `address` has an EIP-55 checksum. */
export type ChallengeView = Pick<
  SignatureChallenge,
  'nonce' | 'message' | 'address' | 'chainId' | 'expiresAt'
>

const TTL_MS = 10 * 60_000

/**
 * Creates a message whose signature links a wallet, and deletes the caller's older message.
 *
 * @throws DomainError `unauthenticated` without a sign-in; `invalid_input` if `address` is invalid;
 *   `unknown_chain` if the service does not follow the chain
 */
export const challengeWallet = async (
  ctx: Context,
  input: ChallengeWallet,
): Promise<ChallengeView> => {
  const { userId } = requireUser(ctx)
  const { environment } = ctx.settings
  const statement = `Link this wallet to the Fundproof account ${userId} (${environment}).`
  const challenge = newChallenge(ctx, input, statement)
  await ctx.sql`
    delete from signature_challenge
    where user_id = ${userId} and purpose = 'link_wallet'
      and (address = ${challenge.address.toLowerCase()} or expires_at < ${ctx.clock.now()})`
  return store(ctx, challenge, { purpose: 'link_wallet', userId })
}

/**
 * Creates a message for signing in with a wallet. Earlier messages stay valid, because otherwise a
 * stranger could invalidate the message that the wallet's owner is about to sign.
 *
 * @throws DomainError `invalid_input` if `address` is invalid; `unknown_chain` if the service does
 *   not follow the chain
 */
export const challengeSignIn = (ctx: Context, input: ChallengeWallet): Promise<ChallengeView> =>
  store(ctx, newChallenge(ctx, input, `Sign in to Fundproof (${ctx.settings.environment}).`), {
    purpose: 'sign_in',
    userId: null,
  })

const newChallenge = (ctx: Context, input: ChallengeWallet, statement: string): ChallengeView => {
  const { settings } = ctx
  const address = inField('address', () => parseAddress(input.address))
  const chainId = input.chainId ?? settings.assets.chainIds[0]
  if (chainId === undefined || !settings.assets.chainIds.includes(chainId)) {
    throw new DomainError('unknown_chain', 'The service does not follow this chain.')
  }
  const nonce = randomBytes(16).toString('hex')
  const now = ctx.clock.now()
  const expiresAt = new Date(now.getTime() + TTL_MS)
  const message = signInMessage({
    publicUrl: settings.publicUrl,
    address,
    chainId,
    statement,
    nonce,
    issuedAt: now,
    expiresAt,
  })
  return { nonce, message, address: toChecksumAddress(address), chainId, expiresAt }
}

const store = async (
  ctx: Context,
  challenge: ChallengeView,
  { purpose, userId }: ChallengeFor,
): Promise<ChallengeView> => {
  await ctx.sql`
    insert into signature_challenge
      (nonce, user_id, purpose, address, chain_id, message, expires_at)
    values (${challenge.nonce}, ${userId}, ${purpose}, ${challenge.address.toLowerCase()},
            ${challenge.chainId}, ${challenge.message}, ${challenge.expiresAt})`
  return challenge
}
