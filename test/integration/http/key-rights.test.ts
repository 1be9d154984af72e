import { expect, test } from 'vitest'
import { API_SCOPES } from '../../../src/kernel/scopes.ts'
import { createCast } from '../../property/fuzz/world.ts'
import { including, waitFor } from '../../support/wait-for.ts'
import { happened } from '../events/support/happenings.ts'
import { openStreamAt } from '../events/support/stream-client.ts'
import {
  type Asked,
  campaignBody,
  createTestApi,
  donationBody,
  type TestApi,
} from './support/api.ts'

const keyOf = async (api: TestApi, token: string, scopes: readonly string[]): Promise<string> => {
  const made = await api.ask('POST', '/api/keys', { token, body: { name: 'a key', scopes } })
  expect(made.status).toBe(201)
  return (made.body.key as { key: string }).key
}

const NARROW = API_SCOPES.filter((scope) => scope !== 'admin')
const METRICS = { category: 'water', metrics: [{ name: 'Wells', current: 1, unit: 'wells' }] }
const EVIDENCE = [
  { type: 'photo', url: 'https://example.org/1', timestamp: '2026-01-31T12:00:00Z' },
]

/** Requests that an administrator may make and another user may not. */
const asksOf = (ids: Record<string, string>): [string, string, unknown?][] => {
  const campaignId = ids['@foreignCampaign'] ?? ''
  const account = (digit: string) => `0x${digit.repeat(40)}`
  return [
    ['GET', '/api/events'],
    ['GET', '/api/reconciliation'],
    ['GET', '/api/campaigns'],
    ['GET', '/v1/campaigns'],
    ['GET', `/api/campaigns/${ids['@draft']}`],
    ['GET', `/api/campaigns/${campaignId}/deposits`],
    ['GET', `/api/campaigns/${campaignId}/account-proof`],
    ['GET', `/api/updates`],
    ['GET', `/api/donations?userId=${ids['@foreignUser']}`],
    ['GET', `/api/donations/${ids['@foreignDonation']}`],
    ['GET', `/api/webhooks/${ids['@foreignWebhook']}`],
    ['PATCH', `/api/campaigns/${campaignId}`, { title: 'Another' }],
    [
      'POST',
      '/api/campaigns',
      campaignBody({ creator_id: ids['@foreignUser'], ledger_account: account('d') }),
    ],
    [
      'POST',
      '/v1/campaigns',
      {
        title: 'Wells',
        description: 'Water.',
        targetAmount: 1,
        creatorId: ids['@foreignUser'],
        ledgerAccount: account('e'),
      },
    ],
    ['POST', '/api/donations', donationBody(campaignId, { userId: ids['@foreignUser'] })],
    ['POST', '/api/updates', { campaignId, type: 'news', title: 'Water', content: 'It runs.' }],
    ['POST', '/api/impactmetrics', { campaignId, ...METRICS }],
    ['POST', `/api/impactmetrics/${ids['@foreignImpact']}/verify`, { evidence: EVIDENCE }],
    ['PATCH', `/api/webhooks/${ids['@foreignWebhook']}`, { status: 'paused' }],
    ['DELETE', `/api/webhooks/${ids['@foreignWebhook']}`],
  ]
}

test("gives an administrator's key without the scope admin no more than another user's key", async () => {
  const api = await createTestApi()
  const { ids, tokens } = await createCast(api)
  const foreign = tokens.own ?? ''
  const draft = await api.ask('POST', '/api/campaigns', {
    token: foreign,
    body: campaignBody({ status: 'draft' }),
  })
  ids['@draft'] = String((draft.body.campaign as { _id: string })._id)
  await api.ask('POST', '/api/updates', {
    token: foreign,
    body: { campaignId: ids['@draft'], type: 'news', title: 'Soon', content: 'A draft.' },
  })
  await happened(api.ctx, ids['@foreignUser'] ?? '', 1)
  const [admin, user] = [await api.signIn({ roles: ['admin'] }), await api.signIn()]
  const narrow = await keyOf(api, admin.token, NARROW)
  const ordinary = await keyOf(api, user.token, NARROW)
  const full = await keyOf(api, admin.token, API_SCOPES)
  for (const [method, path, body] of asksOf(ids)) {
    const answer = async (by: Asked) => {
      const { status, body: said } = await api.ask(method, path, { ...by, body })
      const { requestId: _, ...rest } = said
      return { method, path, status, said: rest }
    }
    const allowed = await answer({ apiKey: ordinary })
    expect(await answer({ apiKey: narrow })).toEqual(allowed)
    expect(await answer({ apiKey: full })).not.toEqual(allowed)
  }
})

test("streams to an administrator's key without the scope admin its owner's events only", async () => {
  const api = await createTestApi()
  const admin = await api.signIn({ roles: ['admin'] })
  const client = await openStreamAt(await api.listen(), {
    apiKey: await keyOf(api, admin.token, NARROW),
  })
  await happened(api.ctx, (await api.signIn()).userId, 1)
  const own = await happened(api.ctx, admin.userId, 1)
  const received = await waitFor(
    'its own event to come',
    () => client.ids(),
    including(own[0] ?? ''),
  )
  expect(received).toEqual(own)
})
