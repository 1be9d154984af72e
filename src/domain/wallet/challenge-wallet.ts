import { randomBytes } from 'node:crypto'
import { parseAddress, toChecksumAddress } from '../../kernel/address.ts'
import { DomainError, inField } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import type { ChallengeWallet } from './schemas.ts'
import { signInMessage } from './sign-in-message.ts'

/** A message to sign, good once. */
export type ChallengeView = {
  nonce: string
  message: string
  address: string
  chainId: number
  expiresAt: Date
}

const TTL_MS = 10 * 60_000

/**
 * Gives out the message with which a wallet is linked to the caller; an earlier one for the same
 * wallet ends with it.
 *
 * @throws DomainError `unauthenticated`, `invalid_input`, `unknown_chain`
 */
export const challengeWallet = async (
  ctx: Context,
  input: ChallengeWallet,
): Promise<ChallengeView> => {
  const { actor, settings } = ctx
  if (actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in first.')
  const address = inField('address', () => parseAddress(input.address))
  const chainId = input.chainId ?? settings.assets.chainIds[0]
  if (chainId === undefined || !settings.assets.chainIds.includes(chainId)) {
    throw new DomainError('unknown_chain', 'This chain is not one that the service follows.')
  }
  const nonce = randomBytes(16).toString('hex')
  const now = ctx.clock.now()
  const expiresAt = new Date(now.getTime() + TTL_MS)
  const message = signInMessage({
    publicUrl: settings.publicUrl,
    address,
    chainId,
    statement: `Link this wallet to the Fundproof account ${actor.userId} (${settings.environment}).`,
    nonce,
    issuedAt: now,
    expiresAt,
  })
  await ctx.sql`
    with ended as (
      delete from signature_challenge
      where user_id = ${actor.userId} and purpose = 'link_wallet'
        and (address = ${address} or expires_at < ${now})
    )
    insert into signature_challenge
      (nonce, user_id, purpose, address, chain_id, message, expires_at)
    values (${nonce}, ${actor.userId}, 'link_wallet', ${address}, ${chainId}, ${message},
            ${expiresAt})`
  return { nonce, message, address: toChecksumAddress(address), chainId, expiresAt }
}
