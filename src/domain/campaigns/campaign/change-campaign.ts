import type { Context } from '../../../db/context.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { DomainError } from '../../../kernel/errors.ts'
import type { CampaignStatus } from '../../../kernel/statuses.ts'
import { refuseSanctioned } from '../../people/index.ts'
import { checkFactory } from '../escrow/check-support.ts'
import type { CampaignView } from './campaign-view.ts'
import { refuseEscrowEnd } from './complete-campaigns.ts'
import { type DraftChange, readDraftChange, replaceMilestones } from './draft.ts'
import { accountOf, locationJson, recipientOf, refusePast, refuseTaken } from './fields.ts'
import { getCampaign } from './get-campaign.ts'
import { type LockedCampaign, lockCampaign } from './lock-campaign.ts'
import { openOnChain } from './open-on-chain.ts'
import { planChange } from './plan-change.ts'
import type { ChangeCampaign } from './schemas.ts'
import { emitUpdated } from './updated-event.ts'

/** The statuses that a request may set next. Only settling changes `active` to `funded` or back. */
const NEXT: Readonly<Record<CampaignStatus, readonly CampaignStatus[]>> = {
  draft: ['active', 'cancelled'],
  active: ['completed', 'cancelled'],
  funded: ['completed'],
  completed: [],
  cancelled: [],
  failed: [],
}

/**
 * Changes a campaign and emits `campaign.updated`. Locks the row before it reads the status,
 * because settling can change the status at the same time.
 *
 * @throws DomainError `not_found` for an unknown campaign; `forbidden` if another user created it;
 * `account_not_proven` or `account_in_use` if the campaign cannot open for this reason; `conflict`
 * if the status forbids the change or another campaign has the slug; `invalid_amount`,
 * `invalid_input` or `unknown_chain` for a wrong field; `blocked_for_legal_reasons` by sanctions;
 * `escrow_unsupported` or `unavailable` if an escrow opens and its chain cannot run or be read
 */
export const changeCampaign = async (
  ctx: Context,
  id: string,
  input: ChangeCampaign,
): Promise<CampaignView> => {
  await screenAccount(ctx, id, input)
  if (input.status === 'active') await screenChain(ctx, id)
  const change = withTransaction(ctx, async (ctx) => {
    const row = await lockCampaign(ctx, id)
    const draft = await planChange(ctx, row, input, readDraftChange(ctx, row, input))
    const changes = changesOf(row, input, draft)
    if (changes.length > 0) {
      refuseEnded(row)
      if (changes.includes('endsAt')) refusePast(ctx, input.endsAt)
      if (changes.includes('status')) {
        allowTransition(ctx, row, draft, input.status)
        await refuseEscrowEnd(ctx, row, input.status)
      }
      await write(ctx, row, input, draft)
      await replaceMilestones(ctx, id, draft)
      await emitUpdated(ctx, row, input.status ?? row.status, changes)
    }
    return getCampaign(ctx, id)
  })
  return refuseTaken(change)
}

const screenAccount = async (ctx: Context, id: string, input: ChangeCampaign): Promise<void> => {
  if (!ctx.sanctions.active) return
  if (input.ledgerAccount !== undefined) {
    await refuseSanctioned(ctx, [accountOf(ctx, input.ledgerAccount).address])
  } else if (input.escrow !== undefined) {
    await refuseSanctioned(ctx, [recipientOf(ctx, input.escrow).address])
  } else if (input.status === 'active') {
    const { ledgerAccount, escrow } = await getCampaign(ctx, id)
    const accounts = [ledgerAccount, ...(escrow ? [escrow.recipient] : [])]
    const addresses = accounts.map((account) => account.toLowerCase())
    await refuseSanctioned(ctx, addresses)
  }
}

/** Refuses to open a campaign whose chain cannot run its escrow. Calls nodes. */
const screenChain = async (ctx: Context, id: string): Promise<void> => {
  const { status, escrow, chainId } = await getCampaign(ctx, id)
  if (status === 'draft' && escrow) await checkFactory(ctx, chainId)
}

/**
 * Refuses to change an ended campaign.
 *
 * @throws DomainError `conflict` if the campaign is completed or cancelled
 */
export const refuseEnded = ({ status }: LockedCampaign): void => {
  if (NEXT[status].length > 0) return
  throw new DomainError('conflict', `A ${status} campaign can no longer change.`)
}

const changesOf = (row: LockedCampaign, input: ChangeCampaign, draft: DraftChange): string[] => {
  const differs = (given: unknown, known: unknown) => given !== undefined && given !== known
  // The database reorders keys. `locationJson` restores the order, so that equal locations match.
  const locationText = (location: Parameters<typeof locationJson>[0] | null | undefined) =>
    location && JSON.stringify(locationJson(location))
  const changed = {
    title: differs(input.title, row.title),
    description: differs(input.description, row.description),
    category: differs(input.category, row.category),
    location: differs(locationText(input.location), locationText(row.location)),
    creatorName: differs(input.creatorName, row.creatorName),
    endsAt: differs(timeOf(input.endsAt), timeOf(row.endsAt)),
    slug: draft.slug !== undefined,
    targetAmount: draft.target !== undefined,
    ledgerAccount: draft.account !== undefined,
    milestones: draft.milestones !== undefined,
    escrow: draft.terms !== undefined,
    status: differs(input.status, row.status),
  }
  return Object.entries(changed).flatMap(([name, is]) => (is ? [name] : []))
}

const timeOf = (date: Date | null | undefined) => (date ? date.getTime() : date)

const allowTransition = (
  ctx: Context,
  row: LockedCampaign,
  draft: DraftChange,
  next: CampaignStatus | undefined,
): void => {
  if (next === undefined || !NEXT[row.status].includes(next)) {
    throw new DomainError('conflict', `A campaign that is ${row.status} cannot become ${next}.`)
  }
  const proven = row.accountProvenAt !== null && !losesProof(draft)
  if (next === 'active' && ctx.settings.requireAccountProof && !proven) {
    throw new DomainError(
      'account_not_proven',
      'Before a campaign becomes active, its ledger account must sign that it is yours.',
    )
  }
}

/** A new account is not proven. The address of an escrow needs no proof of its own. */
const losesProof = ({ account, terms }: DraftChange): boolean =>
  account !== undefined && terms === undefined

const write = async (
  ctx: Context,
  row: LockedCampaign,
  input: ChangeCampaign,
  draft: DraftChange,
): Promise<void> => {
  const now = ctx.clock.now()
  const { location } = input
  const account = draft.account ?? row.account
  const opens = row.status === 'draft' && input.status === 'active'
  const opening = opens ? await openOnChain(ctx, { ...row, account }) : null
  await ctx.sql`
    update campaign
    set title = ${input.title ?? row.title},
        description = ${input.description ?? row.description},
        category = ${input.category === undefined ? row.category : input.category},
        location = case when ${location === undefined} then location
                        else ${location ? ctx.sql.json(locationJson(location)) : null}::jsonb end,
        creator_name = ${input.creatorName === undefined ? row.creatorName : input.creatorName},
        slug = ${draft.slug ?? row.slug},
        ends_at = ${input.endsAt === undefined ? row.endsAt : input.endsAt},
        status = ${input.status ?? row.status},
        target_amount = ${draft.target ?? row.targetAmount},
        account = ${account},
        account_proven_at = ${losesProof(draft) ? null : row.accountProvenAt},
        opened_at = case when ${opens} then ${now}::timestamptz else opened_at end,
        counts_after = case when ${opens} then ${opening?.countsAfter ?? null}::timestamptz
                            else counts_after end,
        counts_after_block = case when ${opens} then ${opening?.countsAfterBlock ?? null}::bigint
                                  else counts_after_block end,
        never_opened = ${row.status === 'draft' && input.status === 'cancelled'},
        updated_at = ${now}
    where id = ${row.id}`
  if (draft.terms !== undefined) await moveEscrow(ctx, row.id, draft.terms)
  if (opens) await ctx.sql`update escrow_event set counts = true where campaign_id = ${row.id}`
}

/** Changes the terms of a draft. Proof and events are of the escrow that has the old terms. */
const moveEscrow = async ({ sql }: Context, id: string, terms: string): Promise<void> => {
  await sql`delete from escrow_event where campaign_id = ${id}`
  await sql`
    update campaign_escrow set terms = ${terms}, code_proven_at = null where campaign_id = ${id}`
}
