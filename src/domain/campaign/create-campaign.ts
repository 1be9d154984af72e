import { violatedUnique } from '../../db/errors.ts'
import { mayActFor } from '../../kernel/actor.ts'
import { parseLedgerAccount } from '../../kernel/address.ts'
import type { Asset } from '../../kernel/assets.ts'
import { DomainError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { type BaseUnits, parseUnits } from '../../kernel/money.ts'
import type { Context } from '../context.ts'
import type { CampaignView } from './campaign-view.ts'
import { getCampaign } from './get-campaign.ts'
import type { CreateCampaign } from './schemas.ts'

/**
 * Publishes a campaign, or keeps it as a draft where one is asked for, or where the deployment
 * wants the account to sign first. One statement, so that no campaign is without its total.
 *
 * @throws DomainError `forbidden` for another creator, `unknown_chain`, `unknown_currency`,
 * `invalid_amount`, `invalid_input` for milestones above the target, `account_in_use`
 */
export const createCampaign = async (
  ctx: Context,
  input: CreateCampaign,
): Promise<CampaignView> => {
  const creatorId = await creatorOf(ctx, input)
  const { address, chainId } = accountOf(ctx, input.ledgerAccount)
  const currency = ctx.settings.assets.bySymbol(
    input.currency ?? ctx.settings.defaultCurrency,
    chainId,
  )
  const target = parseUnits(input.targetAmount, currency.decimals)
  const now = ctx.clock.now()
  const milestones = milestoneRows(ctx, input, currency, target)
  const id = newId(now.getTime())
  try {
    await ctx.sql`
      with made as (
        insert into campaign
          (id, creator_id, title, description, category, location, status, currency_id,
           target_amount, chain_id, account, created_at, updated_at)
        values
          (${id}, ${creatorId}, ${input.title}, ${input.description}, ${input.category ?? null},
           ${input.location ? ctx.sql.json(withoutAbsent(input.location)) : null},
           ${ctx.settings.requireAccountProof ? 'draft' : input.status}, ${currency.id},
           ${target.toString()}, ${chainId}, ${address}, ${now}, ${now})
        returning id
      ), listed as (
        insert into milestone
          (id, campaign_id, position, title, description, amount, cumulative, verification_docs)
        select row.id, made.id, row.position, row.title, row.description, row.amount,
               row.cumulative, row.verification_docs
        from made, jsonb_to_recordset(${ctx.sql.json(milestones)})
          as row (id uuid, position int, title text, description text, amount numeric,
                  cumulative numeric, verification_docs jsonb)
      )
      insert into campaign_total (campaign_id, updated_at) select id, ${now} from made`
  } catch (error) {
    if (violatedUnique(error) !== 'campaign_open_account') throw error
    throw new DomainError(
      'account_in_use',
      'This account already receives the donations of another open campaign.',
    )
  }
  return getCampaign(ctx, id)
}

const creatorOf = async (ctx: Context, { creatorId }: CreateCampaign): Promise<string> => {
  const { actor } = ctx
  const self = actor.kind === 'user' ? actor.userId : undefined
  const id = creatorId?.toLowerCase() ?? self
  if (id === undefined) throw new DomainError('unauthenticated', 'Sign in to create a campaign.')
  if (id === self) return id
  if (!mayActFor(actor, id)) {
    throw new DomainError('forbidden', 'You can create campaigns only as yourself.')
  }
  const found = await ctx.sql`select from app_user where id = ${id}`
  if (found.length === 0) throw new DomainError('invalid_input', 'The creator is no user.')
  return id
}

const accountOf = (ctx: Context, text: string): { address: string; chainId: number } => {
  const { address, chainId } = parseLedgerAccount(text)
  const { chainIds } = ctx.settings.assets
  const chosen = chainId ?? chainIds[0]
  if (chosen === undefined || !chainIds.includes(chosen)) {
    throw new DomainError('unknown_chain', 'This chain is not one that the service follows.')
  }
  return { address, chainId: chosen }
}

const milestoneRows = (ctx: Context, input: CreateCampaign, currency: Asset, target: BaseUnits) => {
  let cumulative = 0n
  const rows = input.milestones.map((milestone, position) => {
    const amount = parseUnits(milestone.amount, currency.decimals)
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
  if (cumulative > target) {
    throw new DomainError('invalid_input', 'The milestones amount to more than the target.', [
      { path: 'milestones', message: 'amount to more than the target' },
    ])
  }
  return rows
}

/** postgres.js takes JSON values, which `undefined` is not. */
const withoutAbsent = (location: NonNullable<CreateCampaign['location']>) => ({
  country: location.country ?? null,
  region: location.region ?? null,
  coordinates: location.coordinates ?? null,
})
