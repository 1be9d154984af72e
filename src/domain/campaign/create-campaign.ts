import { violatedUnique } from '../../db/errors.ts'
import { withTransaction } from '../../db/transaction.ts'
import { mayActFor } from '../../kernel/actor.ts'
import { DomainError, inField } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { parseUnits } from '../../kernel/money.ts'
import type { Context } from '../context.ts'
import { holdAccount } from '../hold-account.ts'
import type { CampaignView } from './campaign-view.ts'
import { accountInUse, accountOf, locationJson, milestoneRows, refusePast } from './fields.ts'
import { getCampaign } from './get-campaign.ts'
import { openOnChain } from './open-on-chain.ts'
import type { CreateCampaign } from './schemas.ts'
import { slugsFor, slugTaken } from './slug.ts'

/**
 * Publishes a campaign, or keeps it as a draft where one is asked for, or where the deployment
 * wants the account to sign first; a linked wallet of the creator's has signed already. One
 * statement, so that no campaign is without its total.
 *
 * @throws DomainError `invalid_token`, `invalid_api_key`, `forbidden` for another creator,
 *   `unknown_chain`, `unknown_currency`,
 * `invalid_amount`, `invalid_input` for milestones above the target, `account_in_use`, `conflict`
 * for a slug that is taken
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
  const target = inField('targetAmount', () => parseUnits(input.targetAmount, currency.decimals))
  refusePast(ctx, input.endsAt)
  const now = ctx.clock.now()
  const milestones = milestoneRows(ctx, input.milestones, currency, target)
  const id = newId(now.getTime())
  const waits = ctx.settings.requireAccountProof && input.status === 'active'
  try {
    await withTransaction(ctx, async (ctx) => {
      await holdAccount(ctx)
      const opening =
        input.status === 'active' ? await openOnChain(ctx, chainId, address) : undefined
      const insert = (slug: string) => ctx.sql`
        with made as (
          insert into campaign
            (id, creator_id, creator_name, title, slug, ends_at, description, category, location, status, currency_id,
             target_amount, chain_id, account, account_proven_at, opens_when_proven, counts_after,
             counts_after_block, created_at, updated_at)
          select
             ${id}::uuid, ${creatorId}::uuid, ${input.creatorName ?? null}, ${input.title}, ${slug},
             ${input.endsAt ?? null}::timestamptz, ${input.description},
             ${input.category ?? null},
             ${input.location ? ctx.sql.json(locationJson(input.location)) : null}::jsonb,
             case when linked.proves or not ${waits}::boolean then ${input.status} else 'draft' end,
             ${currency.id}, ${target.toString()}::numeric, ${chainId}::bigint, ${address},
             case when linked.proves then ${now}::timestamptz end,
             ${waits}::boolean and not linked.proves, ${opening?.countsAfter ?? null}::timestamptz,
             ${opening?.countsAfterBlock ?? null}::bigint,
             ${now}::timestamptz, ${now}::timestamptz
          from (select exists (
            select from wallet
            where user_id = ${creatorId} and address = ${address}
              and (method = 'ecdsa' or chain_id = ${chainId})
          ) as proves) linked
          on conflict (slug) do nothing
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
      const slugs = input.slug === undefined ? slugsFor(input.title, id) : [input.slug]
      for (const slug of slugs) if ((await insert(slug)).count > 0) return
      throw slugTaken()
    })
  } catch (error) {
    if (violatedUnique(error) !== 'campaign_open_account') throw error
    throw accountInUse()
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
  const found = await ctx.sql`select from app_user where id = ${id} and deleted_at is null`
  if (found.length === 0) {
    throw new DomainError('invalid_input', 'The creator is no user.', [
      { path: 'creatorId', message: 'is no user' },
    ])
  }
  return id
}
