import { expect, test } from 'vitest'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { jsonDecimal } from '../../../src/kernel/formats/json.ts'
import { campaignBody, createApiWithUser, createTestApi } from './support/api.ts'

test('reads one milestone as its campaign shows it, exact, in both spellings', async () => {
  const { api, token } = await createApiWithUser({ settings: { defaultCurrency: 'ETH' } })
  const digits = '123456789012.345678901234567891'
  const created = await api.ask('POST', '/api/campaigns', {
    token,
    body: campaignBody({
      target_amount: jsonDecimal(digits),
      milestones: [
        { title: 'Survey', description: 'Where to dig', amount: '0.000000000000000001' },
        { description: 'Dig', amount: 1, verification_docs: ['https://example.org/plan.pdf'] },
      ],
    }),
  })
  const { campaign } = created.body as unknown as {
    campaign: { _id: string; milestones: { id: string }[] }
  }
  for (const milestone of campaign.milestones) {
    const read = await api.ask('GET', `/api/milestones/${milestone.id}`)
    expect(read.status).toBe(200)
    expect(read.body).toEqual({ campaign_id: campaign._id, currency: 'ETH', ...milestone })
  }
  const [, second] = campaign.milestones
  const other = await api.ask('GET', `/v1/milestones/${second?.id}`)
  expect(other.text).toContain('"cumulativeAmount":1.000000000000000001,')
  expect(other.body).toMatchObject({
    id: second?.id,
    campaignId: campaign._id,
    currency: 'ETH',
    title: null,
    amount: 1,
    status: 'pending',
    verificationDocs: ['https://example.org/plan.pdf'],
    reachedAt: null,
  })
  expect(other.text).not.toMatch(/"[a-z]+_[a-z_]+":/)
})

test('shows the milestone of a draft to its creator and administrators only', async () => {
  const api = await createTestApi()
  const [creator, stranger] = [await api.signIn(), await api.signIn()]
  const admin = await api.signIn({ roles: ['admin'] })
  const created = await api.ask('POST', '/api/campaigns', {
    token: creator.token,
    body: campaignBody({ status: 'draft' }),
  })
  const { campaign } = created.body as unknown as { campaign: { milestones: { id: string }[] } }
  const id = campaign.milestones[0]?.id
  for (const family of ['api', 'v1']) {
    const statusFor = async (token?: string) =>
      (await api.ask('GET', `/${family}/milestones/${id}`, { token })).status
    expect(await statusFor()).toBe(404)
    expect(await statusFor(stranger.token)).toBe(404)
    expect(await statusFor(creator.token)).toBe(200)
    expect(await statusFor(admin.token)).toBe(200)
    expect((await api.ask('GET', `/${family}/milestones/${newId()}`)).body.code).toBe('not_found')
    expect((await api.ask('GET', `/${family}/milestones/verify`)).status).toBe(404)
  }
})
