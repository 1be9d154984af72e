import { violatedUnique } from '../../db/errors.ts'
import type { Campaign } from '../../db/schema/campaigns.ts'
import { DomainError, inField } from '../../kernel/errors.ts'
import { parseLedgerAccount } from '../../kernel/formats/address.ts'
import { newId } from '../../kernel/formats/ids.ts'
import type { Asset } from '../../kernel/money/assets.ts'
import { type BaseUnits, parseUnits } from '../../kernel/money/money.ts'
import type { Context } from '../context.ts'
import type { CreateCampaign, Location } from './schemas.ts'
import { slugTaken } from './slug.ts'

/**
 * Reads a ledger account; one that names no chain is on `usualChain`, or on the deployment's first.
 *
 * @throws DomainError `invalid_input` for what is no account, `unknown_chain`
 */
export const accountOf = (
  ctx: Context,
  text: string,
  usualChain?: number,
): { address: string; chainId: number } => {
  const { address, chainId } = inField('ledgerAccount', () => parseLedgerAccount(text))
  const { chainIds } = ctx.settings.assets
  const chosen = chainId ?? usualChain ?? chainIds[0]
  if (chosen === undefined || !chainIds.includes(chosen)) {
    throw new DomainError('unknown_chain', 'The service does not follow this chain.')
  }
  return { address, chainId: chosen }
}

/**
 * A target amount in base units.
 *
 * @throws DomainError `invalid_amount`
 */
export const targetOf = (text: string, { decimals }: Asset): BaseUnits =>
  inField('targetAmount', () => parseUnits(text, decimals))

export type MilestoneRow = ReturnType<typeof milestoneRows>[number]

/**
 * Milestones as rows, each with what must be raised until it is reached, in the order given.
 *
 * @throws DomainError `invalid_amount`, `invalid_input` where they amount to more than the target
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
      verification_docs: milestone.verificationDocs ?? [],
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
           row.cumulative, row.verification_docs
    from jsonb_to_recordset(${sql.json(rows)})
      as row (id uuid, position int, title text, description text, amount numeric,
              cumulative numeric, verification_docs jsonb)`
}

export const aboveTarget = () =>
  new DomainError('invalid_input', 'The sum of the milestones is above the target.', [
    { path: 'milestones', message: 'must not have a sum above the target' },
  ])

/**
 * Refuses an end that is over already.
 *
 * @throws DomainError `invalid_input`
 */
export const refusePast = (ctx: Context, endsAt: Date | null | undefined): void => {
  if (!endsAt || endsAt > ctx.clock.now()) return
  throw new DomainError('invalid_input', 'The end must be in the future.', [
    { path: 'endsAt', message: 'must be in the future' },
  ])
}

/**
 * Runs `work`, and refuses what the indexes of campaigns refuse.
 *
 * @throws DomainError `conflict` for a slug that is taken, `account_in_use`
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

/** A location as it is stored: postgres.js takes JSON values, which `undefined` is not. */
export const locationJson = (
  location: {
    [K in keyof Location]: Location[K] | null
  },
): NonNullable<Campaign['location']> => ({
  country: location.country ?? null,
  region: location.region ?? null,
  coordinates: location.coordinates ?? null,
})
