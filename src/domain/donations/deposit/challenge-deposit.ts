import { randomBytes } from 'node:crypto'
import type { Context } from '../../../db/context.ts'
import { formatLedgerAccount, toChecksumAddress } from '../../../kernel/formats/address.ts'
import { moneyOf } from '../../books/index.ts'
import type { ChallengeView } from '../../people/index.ts'
import { requireUser } from '../../shared/index.ts'
import { type DepositRow, requireDeposit } from './find-deposits.ts'

const TTL_MS = 10 * 60_000

/**
 * Creates a message for the sending wallet to sign. With the signature, the caller can claim the
 * deposit. The caller's previous message for this deposit becomes invalid.
 *
 * @throws DomainError `unauthenticated` for an anonymous caller, `not_found` for an unknown
 *   deposit, `transfer_before_campaign` for a transfer before the campaign's opening
 */
export const challengeDeposit = async (ctx: Context, id: string): Promise<ChallengeView> => {
  const { userId } = requireUser(ctx)
  const deposit = await requireDeposit(ctx, id)
  const nonce = randomBytes(16).toString('hex')
  const now = ctx.clock.now()
  const expiresAt = new Date(now.getTime() + TTL_MS)
  const message = claimMessage(ctx, deposit, userId, nonce, expiresAt)
  await ctx.sql`
    with ended as (
      delete from signature_challenge
      where user_id = ${userId} and purpose = 'claim_deposit'
        and (transfer_id = ${deposit.id} or expires_at < ${now})
    )
    insert into signature_challenge
      (nonce, user_id, purpose, address, chain_id, campaign_id, transfer_id, message, expires_at)
    values (${nonce}, ${userId}, 'claim_deposit', ${deposit.sender}, ${deposit.chainId},
            ${deposit.campaignId}, ${deposit.id}, ${message}, ${expiresAt})`
  return {
    nonce,
    message,
    address: toChecksumAddress(deposit.sender),
    chainId: deposit.chainId,
    expiresAt,
  }
}

/** Returns the text to sign (EIP-191). The text names the transfer, the user and the nonce. */
const claimMessage = (
  ctx: Context,
  deposit: DepositRow,
  userId: string,
  nonce: string,
  expiresAt: Date,
): string => {
  const { settings } = ctx
  const amount = moneyOf(ctx, deposit.assetId, deposit.amount)
  return [
    `${new URL(settings.publicUrl).host} asks the owner of this wallet for a confirmation:`,
    formatLedgerAccount(deposit.chainId, deposit.sender),
    '',
    'The transfer below is a donation of the user below.',
    '',
    `Deposit: ${deposit.id}`,
    `Transaction: ${deposit.txHash}`,
    `Campaign: ${deposit.campaignId}`,
    `Account: ${formatLedgerAccount(deposit.chainId, deposit.recipient)}`,
    `Amount: ${amount.value} ${amount.currency}`,
    `User: ${userId}`,
    `Environment: ${settings.environment}`,
    `Nonce: ${nonce}`,
    `Expires: ${expiresAt.toISOString()}`,
  ].join('\n')
}
