import type { Campaign } from '../../db/schema/campaigns.ts'
import { formatLedgerAccount, toChecksumAddress } from '../../kernel/address.ts'
import type { Context } from '../context.ts'
import { ofCreator } from './lock-campaign.ts'

export type AccountRow = Pick<
  Campaign,
  'id' | 'creatorId' | 'status' | 'chainId' | 'account' | 'accountProvenAt'
>

/** Whether a campaign's account has signed, and the message for it to sign. */
export type AccountProofView = {
  proven: boolean
  provenAt: Date | null
  /** EIP-55. */
  ledgerAccount: string
  chainId: number
  /** To be signed under EIP-191 by the account, or by its owners as EIP-1271 has it. */
  message: string
}

/**
 * For the campaign's creator and administrators.
 *
 * @throws DomainError `not_found`, `forbidden`
 */
export const getAccountProof = async (ctx: Context, id: string): Promise<AccountProofView> => {
  const row = await readAccount(ctx, id)
  return {
    proven: row.accountProvenAt !== null,
    provenAt: row.accountProvenAt,
    ledgerAccount: toChecksumAddress(row.account),
    chainId: row.chainId,
    message: accountMessage(ctx, row),
  }
}

export const readAccount = async (ctx: Context, id: string): Promise<AccountRow> => {
  const [row] = await ctx.sql<AccountRow[]>`
    select id, creator_id, status, chain_id, account, account_proven_at
    from campaign where id = ${id}`
  return ofCreator(ctx, row, 'Only the creator can prove the account of a campaign.')
}

/**
 * What the account signs. It names the campaign, its creator, the account and the deployment, so it
 * is good for nothing else; signing it twice changes nothing, so it needs no nonce.
 */
export const accountMessage = ({ settings }: Context, row: AccountRow): string =>
  [
    `${new URL(settings.publicUrl).host} asks the owner of this account for a confirmation:`,
    formatLedgerAccount(row.chainId, row.account),
    '',
    'What this account receives may be shown as donations to the campaign below.',
    '',
    `Campaign: ${row.id}`,
    `Creator: ${row.creatorId}`,
    `Environment: ${settings.environment}`,
  ].join('\n')
