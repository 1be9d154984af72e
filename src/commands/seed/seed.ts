import { readFileSync } from 'node:fs'
import { createCredentials } from '../../auth/credentials.ts'
import type { Context } from '../../db/context.ts'
import { withTransaction } from '../../db/transaction.ts'
import {
  type CampaignView,
  createCampaign,
  type EscrowInput,
  postUpdate,
  prepareCampaign,
  setDrawing,
} from '../../domain/campaigns/index.ts'
import { DomainError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/formats/ids.ts'
import type { Base } from '../base.ts'
import { ROOF, WATER } from './campaigns.ts'
import { seedDonations } from './donations.ts'

/** The first user of a sandbox. The password is public, so only a sandbox may have this user. */
export const SEED_USER = { email: 'demo@example.org', password: 'a-demo-for-everybody' }

/** The verifier of the seeded escrow, with the same password. */
const SEED_VERIFIER = { email: 'verifier@example.org' }

/** The last default account of Anvil, a development chain. Only donations pay this account. */
const SEED_ACCOUNT = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720'

/** Two default accounts of Anvil: the recipient of an escrow, and its verifier. */
const RECIPIENT = '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955'
const VERIFIER = '0x976EA74026E726554dB657fA54763abd0C3a0aa9'

const YEAR_MS = 365 * 86_400_000

export type SeededCampaign = { id: string; account: string }

/**
 * If the database has no user, adds a user with two campaigns, one of them with an escrow. On the
 * embedded chain, the campaigns get donations. Returns the newest open campaign, which is the one
 * without an escrow.
 */
export const seed = async (base: Base): Promise<SeededCampaign | undefined> => {
  const ctx = base.systemContext
  const [newest] = await ctx.sql<SeededCampaign[]>`
    select id, account from campaign where status in ('active', 'funded')
    order by created_at desc, id desc limit 1`
  if (newest) return newest
  const [anything] = await ctx.sql`select 1 from app_user limit 1`
  if (anything) return undefined
  const userId = newId()
  const { passwords } = createCredentials(base.systemContext.secrets)
  const passwordHash = await passwords.hash(SEED_USER.password)
  await ctx.sql`
    insert into app_user (id, email, username, password_hash, first_name, last_name,
                          email_verified_at, created_at)
    values (${userId}, ${SEED_USER.email}, 'demo', ${passwordHash}, 'Demo', 'User', now(), now())`
  const creator: Context = { ...ctx, actor: { kind: 'user', userId, roles: [] } }
  await linkWallet(creator, userId, SEED_ACCOUNT)
  const roof = await seedEscrow(creator, userId, passwordHash)
  const water = await createCampaign(creator, {
    ...WATER.campaign,
    ledgerAccount: SEED_ACCOUNT,
    status: 'active',
  })
  const seeded = [
    ...(roof ? [{ campaign: roof, story: ROOF }] : []),
    { campaign: water, story: WATER },
  ]
  for (const { campaign, story } of seeded) {
    const cover = new URL(`./covers/${story.cover}`, import.meta.url)
    await setDrawing(creator, campaign.id, readFileSync(cover))
    for (const update of story.updates) {
      await postUpdate(creator, { ...update, campaignId: campaign.id, media: [] })
    }
  }
  const [chain] = base.places.chains
  if (base.config.chains === undefined && chain) await seedDonations(creator, chain, seeded)
  return { id: water.id, account: SEED_ACCOUNT }
}

/**
 * Adds a campaign with an escrow, and the verifier of its terms. Returns undefined, and adds
 * nothing, if the settings or the chain refuse this escrow.
 */
const seedEscrow = async (
  creator: Context,
  userId: string,
  passwordHash: string,
): Promise<CampaignView | undefined> => {
  const nowMs = creator.clock.now().getTime()
  const escrow: EscrowInput = {
    recipient: RECIPIENT,
    deadline: new Date(nowMs + YEAR_MS),
    expiry: new Date(nowMs + 2 * YEAR_MS),
    verifiers: [VERIFIER],
    surplus: 'donors',
  }
  const verifierId = newId()
  try {
    await prepareCampaign(creator, { escrow })
    return await withTransaction(creator, async (ctx) => {
      await ctx.sql`
        insert into app_user (id, email, username, password_hash, first_name, last_name, roles,
                              email_verified_at, created_at)
        values (${verifierId}, ${SEED_VERIFIER.email}, 'verifier', ${passwordHash}, 'Demo',
                'Verifier', ${['verifier']}, now(), now())`
      await linkWallet(ctx, userId, RECIPIENT)
      await linkWallet(ctx, verifierId, VERIFIER)
      return createCampaign(ctx, { ...ROOF.campaign, escrow, status: 'active' })
    })
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    creator.log.info({ reason: error.message }, 'the example of an escrow is left out')
    return undefined
  }
}

const linkWallet = async (
  { sql, settings }: Context,
  userId: string,
  address: string,
): Promise<void> => {
  await sql`
    insert into wallet (id, user_id, address, chain_id, method, created_at)
    values (${newId()}, ${userId}, ${address.toLowerCase()},
            ${settings.assets.chainIds[0] ?? 0}, 'ecdsa', now())`
}
