import { onCommit } from '../../db/transaction.ts'
import { mayActFor } from '../../kernel/actor.ts'
import { parseAddress } from '../../kernel/address.ts'
import { DomainError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { parseUnits } from '../../kernel/money.ts'
import type { Context } from '../context.ts'
import { type DonationView, toDonationView } from './donation-view.ts'
import { type DonationRow, selectDonation } from './rows.ts'
import { NATIVE_POSITION, type RecordDonation } from './schemas.ts'

/**
 * How long a transaction that no block has shown yet is left to the follower before its node is
 * asked for it by hash: nearly every transaction arrives in a block first, at no extra call.
 */
const FIRST_LOOKUP_AFTER_MS = 5_000

type Recorded = Partial<DonationRow> & {
  target_status: string
  target_creator: string
  unknown_currency: boolean
}

/**
 * Records what a donor says they gave. Durable when it returns; one statement, and no hot row.
 * The same claim again gives the donation that exists (`created: false`) to whoever recorded it.
 *
 * @throws DomainError `forbidden`, `not_found`, `campaign_not_active`, `unknown_currency`,
 * `invalid_amount`, `transfer_already_claimed`
 */
export const recordDonation = async (
  ctx: Context,
  input: RecordDonation,
): Promise<{ donation: DonationView; created: boolean }> => {
  const userId = donorOf(ctx, input)
  const position = positionOf(input)
  const now = ctx.clock.now()
  const rows = await ctx.sql<Recorded[]>`
    with target as materialized (
      select id, chain_id, status, creator_id,
             ${ctx.sql.json(declaredByChain(ctx, input))}::jsonb -> chain_id::text as declared
      from campaign where id = ${input.campaignId}
    ), made as (
      insert into donation
        (id, user_id, campaign_id, type, donor_wallet, chain_id, tx_hash, ledger_address,
         claimed_position, declared_asset_id, declared_amount, next_check_at, expires_at,
         request_id, created_at)
      select ${newId(now.getTime())}, ${userId}, id, ${input.type ?? null},
             ${walletOf(input)}, chain_id, ${input.transaction.txHash},
             ${parseAddress(input.transaction.ledgerAddress)}, ${position}::int,
             declared ->> 'asset', (declared ->> 'units')::numeric,
             case when exists (
               select from chain_transfer seen
               where seen.chain_id = target.chain_id and seen.tx_hash = ${input.transaction.txHash}
             ) then ${now}::timestamptz else ${new Date(now.getTime() + FIRST_LOOKUP_AFTER_MS)} end,
             ${new Date(now.getTime() + ctx.settings.donationExpiryMs)}, ${ctx.requestId}, ${now}
      from target
      where status in ('active', 'funded') and declared is not null
      on conflict (chain_id, tx_hash, campaign_id, (coalesce(claimed_position, -2)))
        where status <> 'failed' do nothing
      returning *
    )
    select target.status as target_status, target.creator_id as target_creator,
           target.declared is null as unknown_currency, made.*
    from target left join made on true`
  const row = rows[0]
  if (!row) throw new DomainError('not_found', 'There is no such campaign.')
  if (isRecorded(row)) {
    // A transaction that a block has shown already is matched at once.
    if (row.next_check_at && row.next_check_at <= now) onCommit(ctx, () => ctx.wake('donations'))
    return {
      donation: toDonationView(ctx, { ...row, creator_id: row.target_creator }),
      created: true,
    }
  }
  if (row.target_status !== 'active' && row.target_status !== 'funded') {
    throw new DomainError('campaign_not_active', 'This campaign does not take donations now.')
  }
  if (row.unknown_currency) {
    throw new DomainError('unknown_currency', 'This currency is not accepted on that chain.')
  }
  return { donation: await existingClaim(ctx, input, userId, position), created: false }
}

const isRecorded = (row: Recorded): row is Recorded & DonationRow => Boolean(row.id)

const donorOf = (ctx: Context, input: RecordDonation): string => {
  if (ctx.actor.kind !== 'user') throw new DomainError('unauthenticated', 'Sign in to donate.')
  const userId = input.userId ?? ctx.actor.userId
  if (!mayActFor(ctx.actor, userId)) {
    throw new DomainError('forbidden', 'You can record donations only as yourself.')
  }
  return userId
}

const positionOf = ({ transaction: { logPosition } }: RecordDonation): number | null =>
  logPosition === 'native' ? NATIVE_POSITION : (logPosition ?? null)

const walletOf = ({ donor }: RecordDonation): string | null =>
  donor?.walletAddress === undefined ? null : parseAddress(donor.walletAddress)

/** The declared amount in base units on every chain that knows the currency, keyed by chain id. */
const declaredByChain = (
  ctx: Context,
  { amount }: RecordDonation,
): Record<string, { asset: string; units: string }> => {
  const { assets } = ctx.settings
  const known: Record<string, { asset: string; units: string }> = {}
  let refusal: unknown
  for (const chainId of assets.chainIds) {
    try {
      const asset = assets.bySymbol(amount.currency, chainId)
      known[chainId] = {
        asset: asset.id,
        units: parseUnits(amount.value, asset.decimals).toString(),
      }
    } catch (error) {
      refusal = error
    }
  }
  if (Object.keys(known).length === 0) throw refusal
  return known
}

const existingClaim = async (
  ctx: Context,
  input: RecordDonation,
  userId: string,
  position: number | null,
): Promise<DonationView> => {
  const [existing] = await ctx.sql<(DonationRow & { creator_id: string })[]>`
    ${selectDonation(ctx.sql)}
    where donation.chain_id = campaign.chain_id
      and donation.tx_hash = ${input.transaction.txHash}
      and donation.campaign_id = ${input.campaignId}
      and donation.claimed_position is not distinct from ${position}::int
      and donation.status <> 'failed'`
  if (existing && existing.user_id === userId) return toDonationView(ctx, existing)
  throw new DomainError(
    'transfer_already_claimed',
    'Somebody else has recorded this transaction as their donation.',
  )
}
