import type { Context } from '../../../db/context.ts'
import type { Campaign } from '../../../db/schema/campaigns.ts'
import { onCommit, withTransaction } from '../../../db/transaction.ts'
import { DomainError, inField } from '../../../kernel/errors.ts'
import { parseAddress } from '../../../kernel/formats/address.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import type { Asset } from '../../../kernel/money/assets.ts'
import { parseUnits } from '../../../kernel/money/money.ts'
import { CHAIN_BEHIND_MS } from '../../../kernel/ports/clock.ts'
import { isClosed, isDeployed, newestBlockTime, unknownCampaign } from '../../campaigns/index.ts'
import { type DonationView, toDonationView } from '../donation/donation-view.ts'
import { donorOf, holdIfSeen, requireOpen } from '../donation/donor-of.ts'
import type { DonationRow } from '../donation/rows.ts'
import type { RecordIntent } from '../donation/schemas.ts'
import type { Screened } from './screen-donation.ts'

/** At most this many intents of a user may wait for their payment. */
const MAX_OPEN_INTENTS = 100

/**
 * The pause before the first search for an intent's payment. The search is needed, because two
 * concurrent transactions may store intent and payment without seeing each other.
 */
const FIRST_LOOK_AFTER_MS = 10_000

type Target = Pick<Campaign, 'id' | 'chainId' | 'status' | 'account' | 'creatorId' | 'currencyId'> &
  Pick<DonationRow, 'escrowTerms' | 'escrowDeployed' | 'escrowClosed' | 'newestBlockAt'>

/**
 * Records an intent. The next transfer from the wallet to the campaign's account pays the intent
 * (`offerToIntents`). A donor may name any wallet, because the wallet's holder can move the payment
 * to their own donation.
 *
 * @throws DomainError `forbidden` for another user's id; `not_found` for an unknown campaign;
 *   `campaign_not_active`; `invalid_amount`; `too_many_pending` at MAX_OPEN_INTENTS;
 *   `unknown_currency` if the campaign's chain or escrow has no such asset; `invalid_input` if the
 *   wallet is the campaign's own account
 */
export const recordIntent = (ctx: Context, input: Screened<RecordIntent>): Promise<DonationView> =>
  withTransaction(ctx, (ctx) => holdIfSeen(ctx, input.donor, (ctx) => record(ctx, input)))

/** Makes concurrent records of a wallet wait, so that each sees the amounts of the others. */
export const lockWallet = async ({ sql }: Context, wallet: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`intents of ${wallet}`}, 0))`
}

const record = async (ctx: Context, input: RecordIntent): Promise<DonationView> => {
  const userId = donorOf(ctx, input)
  const wallet = inField('donor.walletAddress', () => parseAddress(input.donor.walletAddress))
  const target = await readTarget(ctx, input.campaignId)
  if (wallet === target.account) {
    throw new DomainError('invalid_input', 'An account cannot donate to itself.', [
      { path: 'donor.walletAddress', message: "is the campaign's own account" },
    ])
  }
  const asset = payableAsset(ctx, target, input.amount.currency)
  const units = parseUnits(input.amount.value, asset.decimals)
  const now = ctx.clock.now()
  const expiresAt = new Date(now.getTime() + ctx.settings.intentExpiryMs)
  const earliest = new Date(now.getTime() - CHAIN_BEHIND_MS)
  const firstLook = new Date(now.getTime() + FIRST_LOOK_AFTER_MS)
  const { step, most } = lastUnits(units, asset.decimals)
  await lockWallet(ctx, wallet)
  const [row] = await ctx.sql<DonationRow[]>`
    with other as materialized (
      select user_id, declared_amount - ${units.toString()}::numeric as more,
             status = 'pending' or reason = 'another_intent_paid' and expires_at > ${now} as is_open
      from (select * from donation
        where chain_id = ${target.chainId} and donor_wallet = ${wallet}
          and intent and tx_hash is null and status <> 'failed' offset 0) unpaid
      where campaign_id = ${target.id} and declared_asset_id = ${asset.id}
        and declared_amount >= ${units.toString()}::numeric
        and declared_amount <= ${(units + step * most).toString()}::numeric
    ), free as materialized (
      select one.more
      from (
        select ceil(random() * ${most.toString()}::numeric) * ${step.toString()}::numeric as more
        from generate_series(1, 50)) one
      where exists (
          select from other where more = 0 and is_open
            and not coalesce(user_id = ${userId}::uuid, false))
        and one.more > 0 and not exists (select from other where other.more = one.more)
      limit 1
    )
    insert into donation
      (id, user_id, campaign_id, type, donor_wallet, donor_name, donor_message, chain_id, intent,
       ledger_address, declared_asset_id, declared_amount, reason, next_check_at, expires_at,
       request_id, trace_parent, created_at)
    select ${newId(now.getTime())}, ${userId}, ${target.id}, ${input.type ?? null}, ${wallet},
           ${input.donor.name ?? null}, ${input.donor.message ?? null}, ${target.chainId}::bigint,
           true, ${wallet}, ${asset.id}, 
           ${units.toString()}::numeric + coalesce((select more from free), 0),
           'waiting_for_payment',
           -- The clock of the chain may be behind, so the payment may be stored already.
           case when exists (
             select from chain_transfer paid
             where paid.chain_id = (select ${target.chainId}::bigint) and paid.sender = ${wallet}
               and paid.recipient = ${target.account}
               and paid.mined_at >= date_trunc('second', ${earliest}::timestamptz)
           ) then ${now}::timestamptz else least(${firstLook}::timestamptz, ${expiresAt}) end,
           ${expiresAt}, ${ctx.requestId}, ${ctx.traceParent ?? null}, ${now}
    where (select count(*) from (
      select from donation
      where user_id = ${userId} and intent and status = 'pending'
      limit ${MAX_OPEN_INTENTS}) open) < ${MAX_OPEN_INTENTS}
    returning *`
  if (!row) {
    throw new DomainError(
      'too_many_pending',
      `${MAX_OPEN_INTENTS} of your intents wait for their payment: pay one, or let one expire.`,
    )
  }
  onCommit(ctx, () => {
    ctx.metrics.count('fundproof_donations_recorded_total', { chain: row.chainId, kind: 'intent' })
    if (row.nextCheckAt && row.nextCheckAt <= now) ctx.wake('donations')
  })
  return toDonationView(
    ctx,
    { ...target, ...row, campaignAccount: target.account },
    { isDonor: true },
  )
}

/**
 * The last digits that make an amount differ from an equal amount: 1 to `most` steps. These digits
 * are at least two places behind the last digit that the donor entered, and behind the hundredths.
 * `most` is 0 if the asset has no digits left.
 */
const lastUnits = (units: bigint, decimals: number): { step: bigint; most: bigint } => {
  const zeros = units.toString().match(/0*$/)?.[0].length ?? 0
  const seen = Math.max(2, decimals - zeros)
  const last = Math.min(decimals, Math.max(9, seen + 5))
  const digits = Math.max(0, Math.min(4, last - seen - 1))
  return { step: 10n ** BigInt(decimals - last), most: 10n ** BigInt(digits) - 1n }
}

const readTarget = async (ctx: Context, campaignId: string): Promise<Target> => {
  const [target] = await ctx.sql<Target[]>`
    select campaign.id, chain_id, status, account, creator_id, currency_id,
           escrow.terms as escrow_terms,
           case when escrow.terms is not null then ${isDeployed(ctx.sql)} end as escrow_deployed,
           ${isClosed(ctx.sql)} as escrow_closed,
           ${newestBlockTime(ctx.sql, ctx.sql`campaign.chain_id`)} as newest_block_at
    from campaign left join campaign_escrow escrow on escrow.campaign_id = campaign.id
    where campaign.id = ${campaignId}`
  if (!target) throw unknownCampaign()
  requireOpen(target.status)
  return target
}

/**
 * Finds an asset of the chain; for an escrow, only the asset that it holds. Refuses fiat, because
 * fiat does not name an asset to pay.
 */
const payableAsset = (ctx: Context, target: Target, currency: string): Asset => {
  const { assets } = ctx.settings
  const payable = assets.all.filter(
    ({ chainId, id }) =>
      chainId === target.chainId && (!target.escrowTerms || id === target.currencyId),
  )
  const asset = payable.find((one) => one.symbol === currency)
  if (asset) return assets.requireAccepted(asset, target.chainId)
  const names = payable.map((one) => one.symbol).join(', ')
  throw new DomainError(
    'unknown_currency',
    `Without a transaction, name the asset to pay, ${target.escrowTerms ? 'to this escrow' : 'on this chain'} ${names}.`,
  )
}
