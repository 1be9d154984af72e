import type { Context } from '../../../db/context.ts'
import type { Campaign } from '../../../db/schema/campaigns.ts'
import { onCommit } from '../../../db/transaction.ts'
import { DomainError, inField } from '../../../kernel/errors.ts'
import { parseAddress } from '../../../kernel/formats/address.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import { NATIVE_POSITION } from '../../../kernel/formats/log-position.ts'
import { parseUnits } from '../../../kernel/money/money.ts'
import { unknownCampaign } from '../../campaigns/index.ts'
import { claimHeld, type HeldClaim } from '../claim/claim-held.ts'
import { alreadyClaimed } from '../claim/take-transfer.ts'
import { claimKey } from '../donation/claim-key.ts'
import { type RecordedDonation, toDonationView } from '../donation/donation-view.ts'
import { donorOf, holdIfSeen, requireOpen } from '../donation/donor-of.ts'
import type { DonationRow } from '../donation/rows.ts'
import type { RecordDonation } from '../donation/schemas.ts'
import type { Screened } from './screen-donation.ts'

/** The pause before the first look-up by hash. Most transactions get into a block in this time. */
const FIRST_LOOKUP_AFTER_MS = 5_000

/**
 * At most this many donations of a user may wait for a transaction that no node knows, because each
 * of these donations costs look-ups until it expires. Other waiting donations do not count.
 */
const MAX_UNSEEN = 1_000

/** A declared amount, in base units. */
type Declared = { asset: string; units: string }

/** The result of an insert: facts about the campaign, and the donation if it was inserted. */
type Attempt = Partial<DonationRow> & {
  targetStatus: Campaign['status']
  targetCreator: string
  declared: Declared
  /** Whether a block has shown the transaction. */
  seen: boolean
  /** Whether the user has reached MAX_UNSEEN. */
  crowded: boolean
}

/** A donor's claim, before its amount is known in base units. `userId` is null for a guest. */
type Claim = Omit<HeldClaim, 'declaredAssetId' | 'declaredAmount' | 'userId'> & {
  userId: string | null
}

/**
 * Records a donor's claim that a transaction paid a campaign. A repeated claim returns the donor's
 * existing donation (`created: false`). A transfer moves only to a donor who has linked the sending
 * wallet.
 *
 * @throws DomainError `forbidden` for another user's id, `not_found` for an unknown campaign,
 *   `campaign_not_active` if the campaign takes no donations now, `unknown_currency` or
 *   `invalid_amount` for a wrong declared amount, `transfer_already_claimed` if another donor has
 *   the transfer, `too_many_pending` if MAX_UNSEEN donations of the user wait
 */
export const recordDonation = (
  ctx: Context,
  input: Screened<RecordDonation>,
): Promise<RecordedDonation> => holdIfSeen(ctx, input.donor, (ctx) => record(ctx, input))

const record = async (ctx: Context, input: RecordDonation): Promise<RecordedDonation> => {
  const claim: Claim = {
    userId: donorOf(ctx, input),
    campaignId: input.campaignId,
    txHash: input.transaction.txHash,
    position: positionOf(input),
    ledgerAddress: inField('transaction.ledgerAddress', () =>
      parseAddress(input.transaction.ledgerAddress),
    ),
    type: input.type ?? null,
    donor: input.donor,
  }
  const now = ctx.clock.now()
  let row = await insert(ctx, input, claim, { now, whenSeen: false })
  if (!isRecorded(row) && row.seen && !(await isFullyClaimed(ctx, claim))) {
    row = await insert(ctx, input, claim, { now, whenSeen: true })
  }
  if (isRecorded(row)) {
    const { chainId: chain, seen } = row
    onCommit(ctx, () => {
      ctx.metrics.count('fundproof_donations_recorded_total', { chain, kind: 'transaction' })
      // If a block has shown the transaction already, a job connects it with the donation at once.
      if (seen) ctx.wake('donations')
    })
    return {
      donation: toDonationView(ctx, { ...row, creatorId: row.targetCreator }, { isDonor: true }),
      created: true,
    }
  }
  const { userId } = claim
  if (userId === null) throw alreadyClaimed()
  const held = claimHeld(ctx, {
    ...claim,
    userId,
    declaredAssetId: row.declared.asset,
    declaredAmount: row.declared.units,
  })
  return row.crowded && !row.seen ? held.catch(refuseUnseen) : held
}

/**
 * Inserts the donation, unless the campaign is closed, the claim exists or the user is `crowded`.
 * If a block has shown the transaction, inserts only with `whenSeen`. The caller first checks
 * whether all transfers of the transaction are claimed.
 */
const insert = async (
  ctx: Context,
  input: RecordDonation,
  { txHash, position, userId, ledgerAddress, type, donor }: Claim,
  { now, whenSeen }: { now: Date; whenSeen: boolean },
): Promise<Attempt> => {
  const [row] = await ctx.sql<(Omit<Attempt, 'declared'> & { declared: Declared | null })[]>`
    with target as materialized (
      select id, chain_id, status, creator_id,
             ${ctx.sql.json(declaredByChain(ctx, input))}::jsonb -> chain_id::text as declared,
             exists (
               select from chain_transfer transfer
               where transfer.chain_id + 0 = campaign.chain_id and transfer.tx_hash = ${txHash}
             ) as seen,
             (select count(*) from (
               select from donation
               where user_id = ${userId} and status = 'pending' and checks > 0
                 and reason = 'waiting_for_transaction'
               limit ${MAX_UNSEEN}) unseen) >= ${MAX_UNSEEN} as crowded
      from campaign where id = ${input.campaignId}
    ), made as (
      insert into donation
        (id, user_id, campaign_id, type, donor_wallet, donor_name, donor_message, chain_id, tx_hash,
         ledger_address, claimed_position, declared_asset_id, declared_amount, next_check_at,
         expires_at, request_id, trace_parent, created_at)
      select ${newId(now.getTime())}, ${userId}, id, ${type}, ${walletOf(input)},
             ${donor?.name ?? null}, ${donor?.message ?? null}, chain_id, ${txHash},
             ${ledgerAddress}, ${position}::int,
             declared ->> 'asset', (declared ->> 'units')::numeric,
             case when seen then ${now}::timestamptz
                  else ${new Date(now.getTime() + FIRST_LOOKUP_AFTER_MS)} end,
             ${new Date(now.getTime() + ctx.settings.donationExpiryMs)}, ${ctx.requestId},
             ${ctx.traceParent ?? null}, ${now}
      from target
      where status in ('active', 'funded') and declared is not null
        and case when seen then ${whenSeen} else not crowded end
        and not exists (
          -- OFFSET is needed, because without it and without statistics PostgreSQL reads all
          -- donations of the campaign.
          select from (select * from donation where original_tx_hash = ${txHash} offset 0) followed
          where followed.chain_id = target.chain_id and followed.campaign_id = target.id
            and followed.status <> 'failed'
            and followed.claimed_position is not distinct from ${position}::int)
      on conflict (${claimKey(ctx.sql)}) do nothing
      returning *
    )
    select target.status as target_status, target.creator_id as target_creator,
           target.declared, target.crowded, target.seen, made.*
    from target left join made on true`
  if (!row) throw unknownCampaign()
  requireOpen(row.targetStatus)
  if (row.declared) return { ...row, declared: row.declared }
  throw new DomainError('unknown_currency', 'This currency is not accepted on that chain.')
}

/** Whether every known payment of the transaction to the campaign belongs to a donation. */
const isFullyClaimed = async (ctx: Context, claim: Claim): Promise<boolean> => {
  const [paid] = await ctx.sql<{ held: number; free: number }[]>`
    select count(holder.id) as held,
           count(*) filter (where holder.id is null
             and ${claim.ledgerAddress} in (transfer.sender, transfer.recipient)) as free
    from campaign cross join lateral (select * from chain_transfer
      where chain_id + 0 = campaign.chain_id and tx_hash = ${claim.txHash} offset 0) transfer
    left join lateral (
      select id from donation where transfer_id = transfer.id offset 0) holder on true
    where campaign.id = ${claim.campaignId} and transfer.recipient = campaign.account
      and (${claim.position}::int is null or transfer.position = ${claim.position}::int)`
  return paid !== undefined && paid.held > 0 && paid.free === 0
}

/** Throws `too_many_pending` instead of any domain error. */
const refuseUnseen = (error: unknown): never => {
  if (!(error instanceof DomainError)) throw error
  throw new DomainError(
    'too_many_pending',
    `No node knows the transactions of ${MAX_UNSEEN} of your donations: wait until they are seen, or expire.`,
  )
}

const isRecorded = (row: Attempt): row is Attempt & DonationRow => Boolean(row.id)

const positionOf = ({ transaction: { logPosition } }: RecordDonation): number | null =>
  logPosition === 'native' ? NATIVE_POSITION : (logPosition ?? null)

const walletOf = ({ donor }: RecordDonation): string | null => {
  const text = donor?.walletAddress
  return text === undefined ? null : inField('donor.walletAddress', () => parseAddress(text))
}

/** The declared amount on each chain that accepts the currency, keyed by chain id. */
const declaredByChain = (
  { settings: { assets } }: Context,
  { amount }: RecordDonation,
): Record<string, Declared> => {
  const known: Record<string, Declared> = {}
  let refusal: unknown
  for (const chainId of assets.chainIds) {
    try {
      const named = assets.bySymbol(amount.currency, chainId)
      const { id, decimals } = assets.requireAccepted(named, chainId)
      known[chainId] = { asset: id, units: parseUnits(amount.value, decimals).toString() }
    } catch (error) {
      refusal = error
    }
  }
  if (Object.keys(known).length === 0) throw refusal
  return known
}
