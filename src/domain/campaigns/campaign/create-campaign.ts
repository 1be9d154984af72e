import type { Context } from '../../../db/context.ts'
import type { Wallet } from '../../../db/schema/access.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { mayActFor } from '../../../kernel/actor.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/formats/ids.ts'
import { refuseSanctionedUser } from '../../people/index.ts'
import { holdAccount, requireUser } from '../../shared/index.ts'
import { checkFactory, refuseUnsupported } from '../escrow/check-support.ts'
import { choicesOf, planEscrow } from '../escrow/plan-escrow.ts'
import type { CampaignView } from './campaign-view.ts'
import {
  accountOf,
  locationJson,
  milestoneRows,
  recipientOf,
  refusePast,
  refuseTaken,
  storeMilestones,
  targetOf,
} from './fields.ts'
import { getCampaign } from './get-campaign.ts'
import { openOnChain } from './open-on-chain.ts'
import type { CreateCampaign } from './schemas.ts'
import { slugsFor, slugTaken } from './slug.ts'

/** The maximum number of drafts of one creator. */
const MAX_DRAFTS = 100

/**
 * Refuses a campaign if its account, or a wallet of its creator, is under sanctions, or if the
 * chain of its escrow has no escrow factory. The checks may call nodes, so they must run before
 * `createCampaign` and outside a transaction.
 *
 * @throws DomainError `blocked_for_legal_reasons` if an address is under sanctions; `unavailable`
 * if a check fails; `escrow_unsupported` without a factory; `invalid_input` or `unknown_chain` if
 * `ledgerAccount` or the recipient is wrong
 */
export const prepareCampaign = async (
  ctx: Context,
  input: Pick<CreateCampaign, 'creatorId' | 'ledgerAccount' | 'escrow'>,
): Promise<void> => {
  const { creatorId, ledgerAccount, escrow } = input
  const named = [
    ...(ledgerAccount === undefined ? [] : [accountOf(ctx, ledgerAccount)]),
    ...(escrow === undefined ? [] : [recipientOf(ctx, escrow)]),
  ]
  if (ctx.sanctions.active && ctx.actor.kind === 'user') {
    const addresses = named.map(({ address }) => address)
    await refuseSanctionedUser(ctx, creatorId ?? ctx.actor.userId, addresses)
  }
  if (escrow && ctx.settings.escrow) await checkFactory(ctx, recipientOf(ctx, escrow).chainId)
}

/**
 * Returns the default ledger account: the first wallet that the creator has linked since the last
 * password reset. An attacker may have linked older wallets. For a contract wallet, the result also
 * names the chain (CAIP-10), because the contract exists on one chain only.
 *
 * @throws DomainError `account_required` if no such wallet exists; `unauthenticated` without a
 * user; `forbidden` if the caller may not act for the creator
 */
export const defaultLedgerAccount = async (
  ctx: Context,
  creatorId: string | undefined,
): Promise<string> => {
  const [wallet] = await ctx.sql<Pick<Wallet, 'address' | 'chainId' | 'method'>[]>`
    select address, chain_id, method from wallet
    where user_id = ${creatorOf(ctx, creatorId)} and not before_reset
    order by created_at, id limit 1`
  if (!wallet) {
    throw new DomainError(
      'account_required',
      'Name a ledgerAccount or link a wallet. A wallet from before a password reset must be linked again.',
    )
  }
  return wallet.method === 'ecdsa' ? wallet.address : `eip155:${wallet.chainId}:${wallet.address}`
}

/**
 * Creates a campaign with its total and milestones in one transaction. The campaign is a draft if:
 * - the input asks for a draft, or
 * - the deployment requires a proof of the account, and the creator has not linked this account.
 *
 * @throws DomainError `invalid_token` or `invalid_api_key` if the session or key has ended;
 * `forbidden` if the caller may not act for the creator; `conflict` if the slug is taken or the
 * creator has MAX_DRAFTS drafts; `account_in_use` if another open campaign has the account;
 * `unknown_chain`, `unknown_currency`, `invalid_amount` or `invalid_input` if a field is wrong; for
 * an escrow also `invalid_terms`, `escrow_unsupported` and `escrow_target_too_high`
 */
export const createCampaign = async (
  ctx: Context,
  input: CreateCampaign,
): Promise<CampaignView> => {
  const creatorId = creatorOf(ctx, input.creatorId)
  if (input.creatorId !== undefined) await requireCreator(ctx, creatorId)
  const { chainId, ...place } = placeOf(ctx, input)
  const { assets, defaultCurrency, requireAccountProof } = ctx.settings
  const named = assets.bySymbol(input.currency ?? defaultCurrency, chainId)
  const currency = assets.requireAccepted(named, chainId)
  const target = targetOf(input.targetAmount, currency)
  refusePast(ctx, input.endsAt)
  const now = ctx.clock.now()
  const milestones = milestoneRows(ctx, input.milestones, currency, target)
  const id = newId(now.getTime())
  if (input.escrow) refuseUnsupported(ctx, { chainId, currency, target })
  const waits = requireAccountProof && input.status === 'active'
  const location = input.location && ctx.sql.json(locationJson(input.location))
  const create = withTransaction(ctx, async (ctx) => {
    await holdAccount(ctx)
    const planned =
      input.escrow &&
      (await planEscrow(
        ctx,
        {
          campaignId: id,
          creatorId,
          chainId,
          currencyId: currency.id,
          targetAmount: target.toString(),
          milestones,
        },
        choicesOf(input.escrow, place.address),
      ))
    const address = planned?.account ?? place.address
    const opens = input.status === 'active'
    const opening = opens
      ? await openOnChain(ctx, { id, chainId, account: address, currencyId: currency.id })
      : undefined
    const insert = (slug: string) => ctx.sql`
      with made as (
        insert into campaign
          (id, creator_id, creator_name, title, slug, ends_at, description, category, location,
           status, currency_id, target_amount, chain_id, account, account_proven_at,
           opens_when_proven, counts_after, counts_after_block, created_at, updated_at)
        select
           ${id}::uuid, ${creatorId}::uuid, ${input.creatorName ?? null}, ${input.title}, ${slug},
           ${input.endsAt ?? null}::timestamptz, ${input.description}, ${input.category ?? null},
           ${location ?? null}::jsonb,
           case when linked.proves or not ${waits}::boolean then ${input.status} else 'draft' end,
           ${currency.id}, ${target.toString()}::numeric, ${chainId}::bigint, ${address},
           case when linked.proves then ${now}::timestamptz end,
           ${waits}::boolean and not linked.proves, ${opening?.countsAfter ?? null}::timestamptz,
           ${opening?.countsAfterBlock ?? null}::bigint, ${now}::timestamptz, ${now}::timestamptz
        from (select ${planned !== undefined}::boolean or exists (
          select from wallet
          where user_id = ${creatorId} and address = ${address}
            and holds_on(wallet, ${chainId})
        ) as proves) linked
        on conflict (slug) do nothing
        returning id
      )
      insert into campaign_total (campaign_id, updated_at) select id, ${now} from made`
    const slugs = input.slug === undefined ? slugsFor(input.title, id) : [input.slug]
    for (const slug of slugs) {
      if ((await insert(slug)).count === 0) continue
      await storeMilestones(ctx, id, milestones)
      if (planned) await storeEscrow(ctx, id, planned.terms)
      const made = await getCampaign(ctx, id)
      if (made.status === 'draft') await refuseManyDrafts(ctx, creatorId)
      return made
    }
    throw slugTaken()
  })
  return refuseTaken(create)
}

/**
 * The account in the input: the ledger account, or the recipient of the escrow.
 *
 * @throws DomainError `invalid_input`, `unknown_chain`
 */
const placeOf = (ctx: Context, { ledgerAccount, escrow }: CreateCampaign) => {
  if (escrow === undefined && ledgerAccount !== undefined) return accountOf(ctx, ledgerAccount)
  if (escrow !== undefined && ledgerAccount === undefined) return recipientOf(ctx, escrow)
  const message = escrow ? 'must be left out, because it follows from escrow' : 'is required'
  throw new DomainError('invalid_input', `ledgerAccount ${message}.`, [
    { path: 'ledgerAccount', message },
  ])
}

const storeEscrow = async ({ sql }: Context, campaignId: string, terms: string): Promise<void> => {
  await sql`insert into campaign_escrow (campaign_id, terms) values (${campaignId}, ${terms})`
}

const refuseManyDrafts = async ({ sql }: Context, creatorId: string): Promise<void> => {
  const above = await sql`
    select from campaign where creator_id = ${creatorId} and status = 'draft'
    offset ${MAX_DRAFTS} limit 1`
  if (above.length > 0) throw new DomainError('conflict', `You have ${MAX_DRAFTS} drafts already.`)
}

const creatorOf = (ctx: Context, creatorId: string | undefined): string => {
  const id = creatorId?.toLowerCase() ?? requireUser(ctx).userId
  if (mayActFor(ctx.actor, id)) return id
  throw new DomainError('forbidden', 'You can create campaigns only as yourself.')
}

const requireCreator = async ({ sql }: Context, id: string): Promise<void> => {
  const found = await sql`select from app_user where id = ${id} and deleted_at is null`
  if (found.length > 0) return
  throw new DomainError('invalid_input', 'The creator is not a user.', [
    { path: 'creatorId', message: 'is no user' },
  ])
}
