import { newId } from '../../../src/kernel/formats/ids.ts'
import {
  campaignBody,
  createTestApi,
  donationBody,
  type TestApi,
} from '../../integration/http/support/api.ts'
import type { FuzzRequest } from './requests.ts'

export type Cast = {
  tokens: Record<FuzzRequest['caller'], string | undefined>
  ids: Record<string, string>
}

let accounts = 0
const account = (): string => `0xc${(++accounts).toString(16).padStart(39, '0')}`
const hash = (): string => `0xc${(++accounts).toString(16).padStart(63, '0')}`

/**
 * Creates users and resources for the ids in requests: those of the caller and those of another
 * user.
 */
export const createCast = async (api: TestApi): Promise<Cast> => {
  const own = await api.signIn({ roles: ['verifier'] })
  const foreign = await api.signIn()
  const unverified = await api.signIn({ verified: false })
  const admin = await api.signIn({ roles: ['admin'] })
  const passwordHash = await hashOnce(api)
  await api.ctx.sql`update app_user set password_hash = ${passwordHash} where id = ${own.userId}`
  const ofOwn = await belongings(api, own.token)
  const ofForeign = await belongings(api, foreign.token)
  const body = intentBody(ofForeign.campaign)
  const guest = await api.ask('POST', '/v1/donations', { body })
  return {
    tokens: {
      anonymous: undefined,
      own: own.token,
      unverified: unverified.token,
      admin: admin.token,
      broken: `${own.token.slice(0, -4)}AAAA`,
    },
    ids: {
      '@user': own.userId,
      '@foreignUser': foreign.userId,
      '@campaign': ofOwn.campaign,
      '@foreignCampaign': ofForeign.campaign,
      '@donation': ofOwn.donation,
      '@foreignDonation': ofForeign.donation,
      '@session': own.userId,
      '@foreignSession': foreign.userId,
      '@account': account(),
      '@draft': ofOwn.draft,
      '@foreignDraft': ofForeign.draft,
      '@intent': ofOwn.intent,
      '@foreignIntent': String((guest.body.data as { id: string }).id),
      '@claimToken': (guest.body.claim as { token: string }).token,
      '@milestone': ofOwn.milestone,
      '@foreignMilestone': ofForeign.milestone,
      '@update': ofOwn.update,
      '@foreignUpdate': ofForeign.update,
      '@impact': ofOwn.impact,
      '@foreignImpact': ofForeign.impact,
      '@key': ofOwn.key,
      '@foreignKey': ofForeign.key,
      '@webhook': ofOwn.webhook,
      '@foreignWebhook': ofForeign.webhook,
      '@unknown': newId(),
    },
  }
}

/** The password of the document's examples. */
const PASSWORD = 'quiet-river-42-stones'
let passwordHash: Promise<string> | undefined
const hashOnce = ({ deps }: TestApi): Promise<string> => {
  passwordHash ??= deps.credentials.passwords.hash(PASSWORD)
  return passwordHash
}

const intentBody = (campaignId: string) => ({
  campaignId,
  amount: { value: '1', currency: 'USDC' },
  donor: { walletAddress: account() },
})

const belongings = async (api: TestApi, token: string) => {
  const post = async (path: string, body: unknown) => {
    const answer = await api.ask('POST', path, { token, body })
    if (answer.status !== 201) throw new Error(`${path}: ${answer.text}`)
    return answer.body as Record<string, Record<string, unknown>>
  }
  const { campaign } = await post('/api/campaigns', campaignBody({ ledger_account: account() }))
  const campaignId = String(campaign?._id)
  const { campaign: draft } = await post(
    '/api/campaigns',
    campaignBody({ ledger_account: account(), status: 'draft' }),
  )
  const { donation } = await post(
    '/api/donations',
    donationBody(campaignId, {
      transaction: { txHash: hash(), ledgerAddress: String(campaign?.ledger_account) },
    }),
  )
  const { data: intent } = await post('/v1/donations', intentBody(campaignId))
  const { webhook } = await post('/api/webhooks', { url: 'http://127.0.0.1:3999/hook' })
  const { update } = await post('/api/updates', {
    campaignId,
    type: 'news',
    title: 'Water',
    content: 'It runs.',
  })
  const { impactMetrics } = await post('/api/impactmetrics', {
    campaignId,
    category: 'water',
    metrics: [{ name: 'Wells', current: 1, unit: 'wells' }],
  })
  const { key } = await post('/api/keys', { name: 'fuzz', scopes: ['read'] })
  const [milestone] = (campaign?.milestones ?? []) as { id: string }[]
  return {
    campaign: campaignId,
    draft: String(draft?._id),
    donation: String(donation?.id),
    intent: String(intent?.id),
    webhook: String(webhook?.id),
    milestone: String(milestone?.id),
    update: String(update?.id),
    impact: String(impactMetrics?.id),
    key: String(key?.id),
  }
}

/** Counts the rows of each table, except those of limits, which count refused requests too. */
export const countRows = async ({ ctx }: TestApi): Promise<string> => {
  const tables = await tablesOf(ctx)
  const counts = tables.map((name) => `select '${name}' as name, count(*) from "${name}"`)
  return JSON.stringify(await ctx.pool.unsafe(counts.join(' union all ')))
}

const NOT_COUNTED = ['rate_limit']
const known = new WeakMap<object, Promise<string[]>>()
const tablesOf = ({ pool }: TestApi['ctx']): Promise<string[]> => {
  const found =
    known.get(pool) ??
    pool<{ name: string }[]>`
      select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'
        and table_name <> all(${NOT_COUNTED})`.then((rows) => rows.map(({ name }) => name))
  known.set(pool, found)
  return found
}

/** An API without limits. Its development chain accepts every call of the sandbox. */
export const createFuzzApi = (): Promise<TestApi> =>
  createTestApi({
    deps: {
      devChain: {
        chainId: 31337,
        fund: async (transfers) => transfers.map(hash),
        transfer: async () => ({ txHash: hash(), from: account() }),
        reorg: async () => {},
        drop: async () => null,
      },
    },
  })
