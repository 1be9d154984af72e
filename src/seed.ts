import { createCredentials } from './auth/credentials.ts'
import type { Base } from './base.ts'
import { createCampaign } from './domain/campaign/index.ts'
import { newId } from './kernel/formats/ids.ts'

/** The first user of a sandbox. The password is public, so only a sandbox may have this user. */
export const SEED_USER = { email: 'demo@example.org', password: 'a-demo-for-everybody' }

/** One of the default accounts of the development chain Anvil. Here the account only gets gifts. */
const SEED_ACCOUNT = '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720'

export type SeededCampaign = { id: string; account: string }

/** If the database has no user, adds a user and a campaign. Returns the newest open campaign. */
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
  await ctx.sql`
    insert into app_user (id, email, username, password_hash, first_name, last_name,
                          email_verified_at, created_at)
    values (${userId}, ${SEED_USER.email}, 'demo', ${await passwords.hash(SEED_USER.password)},
            'Demo', 'User', now(), now())`
  const campaign = await createCampaign(
    { ...ctx, actor: { kind: 'user', userId, roles: [] } },
    {
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
    },
  )
  return { id: campaign.id, account: SEED_ACCOUNT }
}
