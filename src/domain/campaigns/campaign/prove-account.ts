import type { Context } from '../../../db/context.ts'
import type { Campaign } from '../../../db/schema/campaigns.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { formatLedgerAccount, toChecksumAddress } from '../../../kernel/formats/address.ts'
import { refuseSanctioned } from '../../people/index.ts'
import type { CampaignView } from './campaign-view.ts'
import { refuseTaken } from './fields.ts'
import { getCampaign } from './get-campaign.ts'
import { lockChainsOf, ofCreator } from './lock-campaign.ts'
import { openOnChain } from './open-on-chain.ts'
import { emitUpdated } from './updated-event.ts'

type AccountRow = Pick<
  Campaign,
  'id' | 'creatorId' | 'status' | 'chainId' | 'account' | 'accountProvenAt'
>

/**
 * Returns a campaign's account (EIP-55), whether the account is proven, and the message that the
 * account must sign (EIP-191). A contract account confirms its owners' signatures (EIP-1271).
 *
 * @throws DomainError `not_found` if there is no such campaign; `forbidden` if the caller is
 * neither the creator nor an administrator
 */
export const getAccountProof = async (ctx: Context, id: string) => {
  const row = await readAccount(ctx, id)
  return {
    proven: row.accountProvenAt !== null,
    provenAt: row.accountProvenAt,
    ledgerAccount: toChecksumAddress(row.account),
    chainId: row.chainId,
    message: accountMessage(ctx, row),
  }
}

/** A campaign's account that belongs to the creator, as `checkAccount` has found. */
type CheckedAccount = Pick<AccountRow, 'account' | 'chainId'>

/**
 * Checks that the creator owns a campaign's account. The account must have signed the message or,
 * without a signature, must be a linked wallet of the creator. Call this before `proveAccount` and
 * outside a transaction, because the check may call nodes.
 *
 * @throws DomainError `invalid_signature` if the creator does not own the account; `not_found` for
 * an unknown campaign; `forbidden` if the caller is neither the creator nor an administrator;
 * `blocked_for_legal_reasons` if the account is under sanctions; `unavailable` if no node answers
 */
export const checkAccount = async (
  ctx: Context,
  id: string,
  signature: string | undefined,
): Promise<CheckedAccount> => {
  const row = await readAccount(ctx, id)
  await refuseSanctioned(ctx, [row.account])
  if (signature === undefined) {
    if (await isLinked(ctx, row)) return row
    throw new DomainError(
      'invalid_signature',
      'The account is not a linked wallet of the creator: send its signature.',
    )
  }
  const proof = await ctx.signatures.verifyMessage({
    chainId: row.chainId,
    address: row.account,
    message: accountMessage(ctx, row),
    signature,
  })
  if (proof) return row
  throw new DomainError('invalid_signature', 'The account has not signed this message.')
}

/**
 * Records that the creator owns the account. If a draft waits only for this proof, makes the draft
 * `active` and writes the event `campaign.updated`.
 *
 * @throws DomainError `conflict` if the account was changed since the check; `account_in_use` if
 * another open campaign has the account
 */
export const proveAccount = async (
  ctx: Context,
  id: string,
  checked: CheckedAccount,
): Promise<CampaignView> => {
  const prove = withTransaction(ctx, async (ctx) => {
    const now = ctx.clock.now()
    await lockChainsOf(ctx, ctx.sql`id = ${id}`)
    const [row] = await ctx.sql<{ creatorId: string; currencyId: string; opens: boolean }[]>`
      select creator_id, currency_id, status = 'draft' and opens_when_proven as opens
      from campaign
      where id = ${id} and account = ${checked.account} and chain_id = ${checked.chainId}
      for no key update`
    if (!row) throw new DomainError('conflict', 'The account was changed meanwhile: sign again.')
    await ctx.sql`
      update campaign
      set account_proven_at = coalesce(account_proven_at, ${now}), opens_when_proven = false
      where id = ${id}`
    if (row.opens) {
      const opening = await openOnChain(ctx, { id, ...checked, currencyId: row.currencyId })
      await ctx.sql`
        update campaign
        set status = 'active', opened_at = ${now}, updated_at = ${now},
            counts_after = ${opening.countsAfter}, counts_after_block = ${opening.countsAfterBlock}
        where id = ${id}`
      await emitUpdated(ctx, { id, creatorId: row.creatorId }, 'active', ['status'])
    }
    return getCampaign(ctx, id)
  })
  return refuseTaken(prove)
}

/** A linked contract wallet counts only on the chain of its proof, other wallets on all chains. */
const isLinked = async (ctx: Context, row: AccountRow): Promise<boolean> => {
  const found = await ctx.sql`
    select from wallet
    where user_id = ${row.creatorId} and address = ${row.account}
      and holds_on(wallet, ${row.chainId})`
  return found.length > 0
}

const readAccount = async (ctx: Context, id: string): Promise<AccountRow> => {
  const [row] = await ctx.sql<AccountRow[]>`
    select id, creator_id, status, chain_id, account, account_proven_at
    from campaign where id = ${id}`
  return ofCreator(ctx, row, 'Only the creator can prove the account of a campaign.')
}

/**
 * The message that the account signs. The message names campaign, creator, account and deployment,
 * so that the signature is valid for nothing else. The message has no nonce, because a repeated
 * signature changes nothing.
 */
const accountMessage = ({ settings }: Context, row: AccountRow): string =>
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
