import { createCredentials } from './auth/credentials.ts'
import type { Base } from './base.ts'
import { createCampaign, prepareCampaign } from './domain/campaign/index.ts'
import type { Context } from './domain/context.ts'
import type { EscrowInput } from './domain/escrow/index.ts'
import { DomainError } from './kernel/errors.ts'
import { newId } from './kernel/formats/ids.ts'

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
 * If the database has no user, adds a user with two campaigns, one of them with an escrow. Returns
 * the newest open campaign, which is the one without an escrow.
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
  const { passwords } = createCredentials(base.places.secret)
  const passwordHash = await passwords.hash(SEED_USER.password)
  await ctx.sql`
    insert into app_user (id, email, username, password_hash, first_name, last_name,
                          email_verified_at, created_at)
    values (${userId}, ${SEED_USER.email}, 'demo', ${passwordHash}, 'Demo', 'User', now(), now())`
  const creator: Context = { ...ctx, actor: { kind: 'user', userId, roles: [] } }
  await seedEscrow(creator, userId, passwordHash)
  const campaign = await createCampaign(creator, {
    title: 'Clean water for Bako',
    description: 'Two wells for a village of 900 people, each paid for when it gives water.',
    targetAmount: '1000',
    ledgerAccount: SEED_ACCOUNT,
    status: 'active',
    category: 'water',
    milestones: [
      { title: 'First well', description: 'Drilled, tested and handed over.', amount: '400' },
      { title: 'Second well', description: 'Drilled, tested and handed over.', amount: '600' },
    ],
  })
  return { id: campaign.id, account: SEED_ACCOUNT }
}

/**
 * Adds a campaign with an escrow, and the verifier of its terms. Does nothing if the deployment or
 * its chain has no escrows.
 */
const seedEscrow = async (
  creator: Context,
  userId: string,
  passwordHash: string,
): Promise<void> => {
  const nowMs = creator.clock.now().getTime()
  const escrow: EscrowInput = {
    recipient: RECIPIENT,
    deadline: new Date(nowMs + YEAR_MS),
    expiry: new Date(nowMs + 2 * YEAR_MS),
    verifiers: [VERIFIER],
    surplus: 'donors',
  }
  if (!creator.settings.escrow || !(await hasFactory(creator, escrow))) return
  const verifierId = newId()
  await creator.sql`
    insert into app_user (id, email, username, password_hash, first_name, last_name, roles,
                          email_verified_at, created_at)
    values (${verifierId}, ${SEED_VERIFIER.email}, 'verifier', ${passwordHash}, 'Demo', 'Verifier',
            ${['verifier']}, now(), now())`
  await linkWallet(creator, userId, RECIPIENT)
  await linkWallet(creator, verifierId, VERIFIER)
  await createCampaign(creator, {
    title: 'A school roof for Bako',
    description: 'A roof for six rooms. An escrow contract holds the money until it is built.',
    targetAmount: '500',
    escrow,
    status: 'active',
    category: 'education',
    milestones: [
      { title: 'Timber', description: 'Delivered and stored dry.', amount: '200' },
      { title: 'Roof', description: 'Built and tight in the rain.', amount: '300' },
    ],
  })
}

const hasFactory = async (creator: Context, escrow: EscrowInput): Promise<boolean> => {
  try {
    await prepareCampaign(creator, { escrow })
    return true
  } catch (error) {
    if (error instanceof DomainError) return false
    throw error
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
