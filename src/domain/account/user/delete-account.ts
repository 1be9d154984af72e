import type { Context } from '../../../db/context.ts'
import type { AppUser } from '../../../db/schema/users.ts'
import { withTransaction } from '../../../db/transaction.ts'
import { DomainError } from '../../../kernel/errors.ts'
import { deleteDraftsOf } from '../../campaigns/index.ts'
import { eraseEndpointsOf } from '../../events/index.ts'
import { keepProofs } from '../../people/index.ts'
import { forgetAnswersOf } from '../../service/index.ts'
import { type Confirmed, holdConfirmed } from './check-password.ts'
import { revokeSessions } from './end-sessions.ts'
import { holdAdmins, keepAnAdmin } from './roles.ts'

/**
 * Deletes the caller's account, personal data and drafts. The user's donations, campaigns and
 * updates of campaigns stay without the user's name. Returns the ids of the ended sessions.
 *
 * @throws DomainError `invalid_token` if the session has ended; `invalid_credentials` if the
 *   password was just changed; `campaigns_open` if the user has an open campaign; `conflict` if the
 *   user is the last administrator
 */
export const deleteAccount = (
  ctx: Context,
  confirmed: Confirmed,
): Promise<{ endedSessions: string[] }> =>
  withTransaction(ctx, async (ctx) => {
    await holdAdmins(ctx)
    const user = await holdConfirmed(ctx, confirmed)
    if (user.roles.includes('admin')) await keepAnAdmin(ctx, user.id)
    // If another request opens a draft meanwhile, `refuseOpenCampaigns` finds this campaign.
    await deleteDraftsOf(ctx, user.id)
    await refuseOpenCampaigns(ctx, user.id)
    await eraseEndpointsOf(ctx, user.id)
    await forgetAnswersOf(ctx, user.id)
    await forgetWords(ctx, user.id)
    const endedSessions = await revokeSessions(ctx, user.id, 'account_deleted')
    await forget(ctx, user)
    ctx.log.warn({ userId: user.id }, 'account deleted')
    return { endedSessions }
  })

const refuseOpenCampaigns = async ({ sql }: Context, userId: string): Promise<void> => {
  const open = await sql`
    select from campaign where creator_id = ${userId} and status in ('active', 'funded') limit 1`
  if (open.length === 0) return
  throw new DomainError(
    'campaigns_open',
    'Complete or cancel your campaigns first: donors of an open campaign need its creator.',
  )
}

/** Erases the user's names, messages and cover images, because other people can see them. */
const forgetWords = async ({ sql }: Context, userId: string): Promise<void> => {
  await sql`
    update donation set donor_name = null, donor_message = null
    where user_id = ${userId} and (donor_name is not null or donor_message is not null)`
  await sql`
    update campaign set creator_name = null
    where creator_id = ${userId} and creator_name is not null`
  await sql`
    delete from campaign_cover using campaign
    where campaign.id = campaign_cover.campaign_id and campaign.creator_id = ${userId}`
}

/**
 * Replaces the email address and the user name by placeholders, so that a new account can use them.
 * The address does not become null, because a user without an address counts as verified.
 */
const forget = async (
  ctx: Context,
  { id, email }: Pick<AppUser, 'id' | 'email'>,
): Promise<void> => {
  const { sql, clock } = ctx
  await keepProofs(ctx, id)
  if (email !== null) await sql`delete from mail where to_address = ${email}`
  await sql`
    with keys as (delete from api_key where user_id = ${id}),
         wallets as (delete from wallet where user_id = ${id}),
         challenges as (delete from signature_challenge where user_id = ${id}),
         notices as (delete from notification where user_id = ${id}),
         codes as (delete from email_code where user_id = ${id}),
         programs as (update session set user_agent = null where user_id = ${id})
    update app_user
    set email = ${`deleted-${id}`}, username = ${`deleted-${id}`}, password_hash = null,
        first_name = null, last_name = null, lang = 'en', profile = '{}', roles = '{}',
        email_verified_at = null, deleted_at = ${clock.now()}
    where id = ${id}`
}
