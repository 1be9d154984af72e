import { describe, expect, test } from 'vitest'
import { call, signUp } from '../support/api-user.ts'
import { address } from '../support/chain-facts.ts'
import { startHalf } from '../support/halves.ts'
import { freePort, scrape } from '../support/metrics-scrape.ts'
import { startOtlpCollector } from '../support/otlp-collector.ts'
import { startReceiver } from '../support/receiver.ts'
import { hasAnvil, startTestChain } from '../support/test-chain.ts'
import { waitFor } from '../support/wait-for.ts'
import { createWorld } from '../support/world.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'

describe.skipIf(!hasAnvil)('an API and a worker that are watched', () => {
  test('make one trace from the request over its settling to its webhook, and tell their numbers', async () => {
    const [chain, world, collector] = await Promise.all([
      startTestChain(),
      createWorld(),
      startOtlpCollector(),
    ])
    const ports = { api: await freePort(), worker: await freePort() }
    const placesOf = (half: 'api' | 'worker') => ({
      databaseUrl: world.url,
      rpcUrl: chain.url,
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        METRICS_PORT: String(ports[half]),
      },
    })
    const [api] = await Promise.all([
      startHalf('api', placesOf('api')),
      startHalf('worker', placesOf('worker')),
    ])
    const { token } = await signUp(api.port, 'ada')
    const receiver = await startReceiver()
    const endpoint = await call(api.port, 'POST', '/api/webhooks', {
      token,
      body: { url: receiver.url, events: ['donation.completed'] },
    })
    receiver.trust((endpoint.body.webhook as { secret: string }).secret)
    const account = address('campaign')
    const created = await call(api.port, 'POST', '/api/campaigns', {
      token,
      body: {
        title: 'Wells',
        description: 'Clean water',
        target_amount: 50,
        ledger_account: account,
        milestones: [{ title: 'First', description: 'First well', amount: 50 }],
      },
    })
    await chain.call('evm_increaseTime', [2])
    const signed = await chain.send(await chain.signToken(1, account, 5_000_000n))
    const posted = await call(api.port, 'POST', '/api/donations', {
      token,
      headers: { traceparent: `00-${TRACE}-${CALLER}-01` },
      body: {
        campaignId: (created.body.campaign as { _id: string })._id,
        amount: { value: 5, currency: 'USDC' },
        transaction: { txHash: signed.hash, ledgerAddress: signed.from },
      },
    })
    expect(posted.status).toBe(201)
    await chain.mine(3)
    await waitFor('the webhook', receiver.events, (all) => all.length === 1)

    const spans = await waitFor(
      'the spans of the trace',
      () => collector.spans.filter(({ traceId }) => traceId === TRACE),
      (all) => all.length >= 3,
    )
    const named = (name: string) => spans.find((span) => span.name === name)
    const request = named('POST /api/donations')
    const settled = named('settle donation')
    const attempt = named('webhook')
    expect(spans).toHaveLength(3)
    expect(request).toMatchObject({ service: 'fundproof-api', parentSpanId: CALLER })
    expect(settled).toMatchObject({ service: 'fundproof-worker', parentSpanId: request?.spanId })
    expect(attempt).toMatchObject({ service: 'fundproof-worker', parentSpanId: settled?.spanId })
    expect(attempt?.attributes).toMatchObject({ 'http.response.status_code': 204 })
    expect(receiver.headers[0]?.traceparent).toBe(`00-${TRACE}-${attempt?.spanId}-01`)
    const batch = await waitFor(
      'the span of the batch',
      () => collector.spans.find((span) => span.name === 'settle batch'),
      (span) => span !== undefined,
    )
    expect(batch?.links).toEqual([{ traceId: TRACE, spanId: request?.spanId }])

    const [ofApi, ofWorker] = await Promise.all([scrape(ports.api), scrape(ports.worker)])
    expect(ofApi.get('fundproof_collector_up{collector="database"}')).toBe(1)
    expect(
      ofApi.get('fundproof_http_requests_total{operation="recordDonation",status="201"}'),
    ).toBe(1)
    expect(ofApi.get('fundproof_donations_recorded_total{chain="31337",kind="transaction"}')).toBe(
      1,
    )
    expect(ofWorker.get('fundproof_donations_settled_total{chain="31337"}')).toBe(1)
    expect(ofWorker.get('fundproof_settle_batch_seconds_count{chain="31337"}')).toBe(1)
    expect(ofWorker.get('fundproof_webhook_attempts_total{outcome="delivered"}')).toBe(1)
    expect(ofWorker.get('fundproof_webhook_delivery_latency_seconds_count')).toBe(1)
    expect(ofWorker.get('fundproof_queue_waiting{topic="donations"}')).toBeTypeOf('number')
    const collectors = [...ofWorker].filter(([name]) => name.startsWith('fundproof_collector_up'))
    expect(collectors).toHaveLength(9)
    expect(collectors.filter(([, up]) => up !== 1)).toEqual([])
  })
})
