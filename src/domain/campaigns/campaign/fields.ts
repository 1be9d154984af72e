import type { Context } from '../../../db/context.ts'
import { violatedUnique } from '../../../db/errors.ts'
import type { Campaign } from '../../../db/schema/campaigns.ts'
import { DomainError, inField } from '../../../kernel/errors.ts'
import { parseLedgerAccount } from '../../../kernel/formats/address.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import type { Asset } from '../../../kernel/money/assets.ts'
import { type BaseUnits, parseUnits } from '../../../kernel/money/money.ts'
import type { EscrowInput } from '../escrow/schemas.ts'
import type { CreateCampaign, Location } from './schemas.ts'
import { slugTaken } from './slug.ts'

/**
 * Parses a ledger account. If the text does not name a chain, the account is on `usualChain`. If
 * `usualChain` is also missing, the account is on the deployment's first chain.
 *
 * @throws DomainError `invalid_input` if the text is not an account; `unknown_chain` if the
 * service does not follow the chain
 */
export const accountOf = (
  ctx: Context,
  text: string,
  usualChain?: number,
  field = 'ledgerAccount',
): { address: string; chainId: number } => {
  const { address, chainId } = inField(field, () => parseLedgerAccount(text))
  const { chainIds } = ctx.settings.assets
  const chosen = chainId ?? usualChain ?? chainIds[0]
  if (chosen === undefined || !chainIds.includes(chosen)) {
    throw new DomainError('unknown_chain', 'The service does not follow this chain.')
  }
  return { address, chainId: chosen }
}

/**
 * Parses the recipient of an escrow, which names the escrow's chain like a ledger account.
 *
 * @throws DomainError `invalid_input`, `unknown_chain`
 */
export const recipientOf = (
  ctx: Context,
  { recipient }: EscrowInput,
  usualChain?: number,
): { address: string; chainId: number } =>
  inField('escrow.recipient', () => accountOf(ctx, recipient, usualChain, 'escrow.recipient'))

/**
 * Refuses an account on another chain than its campaign.
 *
 * @throws DomainError `invalid_input`
 */
export const requireSameChain = (row: { chainId: number }, chainId: number, path: string): void => {
  if (chainId === row.chainId) return
  throw new DomainError('invalid_input', 'The chain of a campaign cannot change.', [
    { path, message: 'names another chain' },
  ])
}

/**
 * Parses a target amount into base units.
 *
 * @throws DomainError `invalid_amount` if the text is not an amount of this asset
 */
export const targetOf = (text: string, { decimals }: Asset): BaseUnits =>
  inField('targetAmount', () => parseUnits(text, decimals))

export type MilestoneRow = ReturnType<typeof milestoneRows>[number]

/**
 * Makes the database rows of milestones, in the given order. `cumulative` is the raised amount at
 * which the campaign reaches the milestone.
 *
 * @throws DomainError `invalid_amount` if an amount is wrong; `invalid_input` if the sum of the
 * milestones is above the target
 */
export const milestoneRows = (
  ctx: Context,
  milestones: CreateCampaign['milestones'],
  currency: Asset,
  target: BaseUnits,
) => {
  let cumulative = 0n
  const rows = milestones.map((milestone, position) => {
    const amount = inField(`milestones.${position}.amount`, () =>
      parseUnits(milestone.amount, currency.decimals),
    )
    cumulative += amount
    return {
      id: newId(ctx.clock.now().getTime()),
      position,
      title: milestone.title ?? null,
      description: milestone.description,
      amount: amount.toString(),
      cumulative: cumulative.toString(),
      verificationDocs: milestone.verificationDocs ?? [],
    }
  })
  if (cumulative > target) throw aboveTarget()
  return rows
}

/** Stores the milestones of a draft or a new campaign, in the caller's transaction. */
export const storeMilestones = async (
  { sql }: Context,
  campaignId: string,
  rows: MilestoneRow[],
): Promise<void> => {
  if (rows.length === 0) return
  await sql`
    insert into milestone
      (id, campaign_id, position, title, description, amount, cumulative, verification_docs)
    select row.id, ${campaignId}, row.position, row.title, row.description, row.amount,
           row.cumulative, row."verificationDocs"
    from jsonb_to_recordset(${sql.json(rows)})
      as row (id uuid, position int, title text, description text, amount numeric,
              cumulative numeric, "verificationDocs" jsonb)`
}

export const aboveTarget = () =>
  new DomainError('invalid_input', 'The sum of the milestones is above the target.', [
    { path: 'milestones', message: 'must not have a sum above the target' },
  ])

/**
 * Checks the announced end of a campaign.
 *
 * @throws DomainError `invalid_input` if the end is not in the future
 */
export const refusePast = (ctx: Context, endsAt: Date | null | undefined): void => {
  if (!endsAt || endsAt > ctx.clock.now()) return
  throw new DomainError('invalid_input', 'The end must be in the future.', [
    { path: 'endsAt', message: 'must be in the future' },
  ])
}

/**
 * Waits for `work`. Replaces a violation of a unique index of `campaign` by a domain error.
 *
 * @throws DomainError `conflict` if another campaign has the slug; `account_in_use` if another open
 * campaign has the account
 */
export const refuseTaken = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work
  } catch (error) {
    switch (violatedUnique(error)) {
      case 'campaign_slug':
        throw slugTaken()
      case 'campaign_open_account':
        throw new DomainError(
          'account_in_use',
          'This account already receives the donations of another open campaign.',
        )
      default:
        throw error
    }
  }
}

/** A location in its stored form. A missing field becomes null, because JSON has no `undefined`. */
export const locationJson = (
  location: {
    [K in keyof Location]: Location[K] | null
  },
): NonNullable<Campaign['location']> => ({
  country: location.country ?? null,
  region: location.region ?? null,
  coordinates: location.coordinates ?? null,
})
