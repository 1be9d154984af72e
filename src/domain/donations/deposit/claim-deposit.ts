import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { refuseSanctionedUser, unknownChallenge, useChallenge } from '../../people/index.ts'
import { lockChainRow, requireUser } from '../../shared/index.ts'
import { takeTransfer } from '../claim/take-transfer.ts'
import type { DonationView } from '../donation/donation-view.ts'
import { getDonation } from '../donation/read-donations.ts'
import { type DepositRow, requireDeposit } from './find-deposits.ts'
import type { ClaimDeposit } from './schemas.ts'

/** The nonce of the challenge whose signature was checked; null if no signature was checked. */
type CheckedClaim = { nonce: string | null }

/**
 * Checks the sending wallet's signature of the caller's newest challenge. Without a signature,
 * `claimDeposit` checks that the caller has linked the wallet. The caller must have no database
 * transaction open, because the check of a contract wallet asks a node.
 *
 * @throws DomainError `unauthenticated` without a sign-in, `not_found` for an unknown deposit,
 *   `invalid_challenge` if no challenge is open, `invalid_signature` if the wallet did not sign,
 *   `blocked_for_legal_reasons` for a sanctioned wallet, `unavailable` if no node answers,
 *   `transfer_before_campaign` if the transfer came before the campaign opened
 */
export const checkDepositClaim = async (
  ctx: Context,
  id: string,
  { signature }: ClaimDeposit,
): Promise<CheckedClaim> => {
  const { userId } = requireUser(ctx)
  const deposit = await requireDeposit(ctx, id)
  await refuseSanctionedUser(ctx, userId, [deposit.sender])
  if (signature === undefined) return { nonce: null }
  const [challenge] = await ctx.sql<{ nonce: string; message: string }[]>`
    select nonce, message from signature_challenge
    where user_id = ${userId} and purpose = 'claim_deposit' and transfer_id = ${id}
      and address = ${deposit.sender} and used_at is null and expires_at > ${ctx.clock.now()}
    order by expires_at desc limit 1`
  // A repeated claim needs no challenge. `hasIt` runs last, because a concurrent claim may have
  // used up the challenge and created the donation.
  if (await hasIt(ctx, deposit, userId)) return { nonce: null }
  if (!challenge) throw unknownChallenge()
  const proof = await ctx.signatures.verifyMessage({
    chainId: deposit.chainId,
    address: deposit.sender,
    message: challenge.message,
    signature,
  })
  if (proof) return { nonce: challenge.nonce }
  throw new DomainError('invalid_signature', 'The sending wallet has not signed this message.')
}

/**
 * Turns a deposit into the caller's donation. A repeated claim returns the same donation, with
 * `created` false. The deposit can move from another user's donation to the caller's donation,
 * unless the other user has linked the sending wallet.
 *
 * @throws DomainError `unauthenticated` without a sign-in, `not_found` for an unknown deposit,
 *   `transfer_before_campaign` if the transfer came before the campaign opened, `invalid_challenge`
 *   if the challenge is used or expired, `wallet_taken` if another user has linked the wallet,
 *   `transfer_already_claimed` if another donor has proven the wallet, `invalid_signature` if the
 *   caller has neither linked the wallet nor signed the challenge
 */
export const claimDeposit = (
  ctx: Context,
  id: string,
  { nonce }: CheckedClaim,
): Promise<{ donation: DonationView; created: boolean }> =>
  withTransaction(ctx, async (ctx) => {
    const { userId } = requireUser(ctx)
    const { chainId } = await requireDeposit(ctx, id)
    const state = await lockChainRow(ctx, chainId)
    const deposit = await requireDeposit(ctx, id)
    if (!(await hasIt(ctx, deposit, userId))) await useProof(ctx, deposit, userId, nonce)
    const { donationId, created } = await takeTransfer(ctx, state, deposit, {
      userId,
      campaignId: deposit.campaignId,
      type: null,
      ledgerAddress: deposit.sender,
      declaredAssetId: deposit.assetId,
      declaredAmount: deposit.amount,
    })
    return { donation: await getDonation(ctx, donationId), created }
  })

const hasIt = async (ctx: Context, deposit: DepositRow, userId: string): Promise<boolean> => {
  const found = await ctx.sql`
    select from donation where transfer_id = ${deposit.id} and user_id = ${userId}`
  return found.length > 0
}

/** Uses up the signed challenge. Without a challenge, the caller must have linked the wallet. */
const useProof = async (
  ctx: Context,
  deposit: DepositRow,
  userId: string,
  nonce: string | null,
): Promise<void> => {
  const [linked] = await ctx.sql<{ userId: string }[]>`
    select user_id from wallet
    where address = ${deposit.sender} and holds_on(wallet, ${deposit.chainId})`
  if (nonce === null) {
    if (linked?.userId === userId) return
    throw new DomainError(
      'invalid_signature',
      'The sending wallet is not linked to you. Send its signature of the challenge.',
    )
  }
  // A link to another user overrides the signature, because the wallet's holder may have been
  // tricked into signing.
  if (linked && linked.userId !== userId) {
    throw new DomainError('wallet_taken', 'This wallet is linked to another account.')
  }
  await useChallenge(ctx, nonce, { purpose: 'claim_deposit', userId })
}
