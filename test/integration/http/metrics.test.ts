import { expect, test } from 'vitest'
import { address } from '../../support/chain-facts.ts'
import { createTestMetrics } from '../../support/metrics.ts'
import { createTestCampaign, createUser } from '../../support/world.ts'
import { createTestApi, donationBody } from './support/api.ts'

const TRACE_PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

test('counts and times requests by their operation, for all paths', async () => {
  const metrics = createTestMetrics()
  const api = await createTestApi({ deps: { metrics } })
  await api.ask('GET', '/healthz')
  await api.ask('GET', '/api/campaigns/0190a000-0000-7000-8000-000000000000')
  await api.ask('GET', '/api/campaigns/0190a000-0000-7000-8000-000000000001')
  for (const path of ['/wp-admin', '/api/nothing', '/.env']) await api.ask('GET', path)
  const requests = (operation: string, status: number) =>
    metrics.value('fundproof_http_requests_total', { operation, status })
  expect(requests('getCampaign', 404)).toBe(2)
  expect(requests('none', 404)).toBe(3)
  const times = metrics.observed('fundproof_http_request_duration_seconds', { operation: 'none' })
  expect(times).toHaveLength(3)
  for (const seconds of times) expect(seconds).toBeGreaterThan(0)
})

const recordWith = async (traceparent: string) => {
  const metrics = createTestMetrics()
  const api = await createTestApi({ metrics, deps: { metrics } })
  const creator = await createUser(api.ctx)
  const account = address('campaign')
  const campaignId = await createTestCampaign(api.ctx, { creator, account, target: '100' })
  const { token } = await api.signIn()
  const asked = { token, body: donationBody(campaignId), headers: { traceparent } }
  expect((await api.ask('POST', '/api/donations', asked)).status).toBe(201)
  expect((await api.ask('POST', '/api/donations', asked)).status).toBe(200)
  const [row] = await api.ctx.sql<{ traceParent: string | null }[]>`
    select trace_parent from donation`
  const recorded = metrics.value('fundproof_donations_recorded_total', {
    chain: 31337,
    kind: 'transaction',
  })
  return { recorded, traceParent: row?.traceParent }
}

test('counts a donation that is recorded, once, and keeps the trace of its caller', async () => {
  expect(await recordWith(TRACE_PARENT)).toEqual({ recorded: 1, traceParent: TRACE_PARENT })
})

test('keeps no trace that is none', async () => {
  expect(await recordWith(`${TRACE_PARENT}; drop`)).toMatchObject({ traceParent: null })
})
