import { expect, test } from 'vitest'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { jsonDecimal } from '../../../src/kernel/formats/json.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { createTestCampaign } from '../../support/world.ts'
import { type Caller, createApiWithUser, createTestApi, type TestApi } from './support/api.ts'
import { twoUsersAndAdmin } from './support/callers.ts'

const ACCOUNT = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const EVIDENCE = [
  { type: 'photo', url: 'https://example.org/well.jpg', timestamp: '2026-03-01T10:00:00+02:00' },
]

type Report = { id: string; evidence: unknown; status: string; metrics: Record<string, unknown>[] }

const campaignOf = async (api: TestApi, { userId }: Caller): Promise<string> =>
  createTestCampaign(api.ctx, { creator: { userId }, account: ACCOUNT })

const reportBody = (campaignId: string, changes: Record<string, unknown> = {}) => ({
  campaignId,
  category: 'water',
  metrics: [{ name: 'Wells', baseline: 0, current: 4, target: 10, unit: 'wells' }],
  beneficiaries: { direct: 1200, indirect: 5000 },
  ...changes,
})

const report = async (api: TestApi, token: string, campaignId: string, changes = {}) => {
  const answer = await api.ask('POST', '/api/impactmetrics', {
    token,
    body: reportBody(campaignId, changes),
  })
  expect(answer.status).toBe(201)
  return (answer.body as { impactMetrics: Report }).impactMetrics
}

const verify = (api: TestApi, token: string, id: string, evidence: unknown = EVIDENCE) =>
  api.ask('POST', `/api/impactmetrics/${id}/verify`, { token, body: { evidence } })

test('reports impact and lists it to everybody, unverified', async () => {
  const api = await createTestApi()
  const creator = await api.signIn()
  const campaignId = await campaignOf(api, creator)
  const created = await report(api, creator.token, campaignId)
  expect(created).toMatchObject({
    campaignId,
    reporterId: creator.userId,
    category: 'water',
    status: 'reported',
    verifierId: null,
    evidence: [],
    beneficiaries: { direct: 1200, indirect: 5000 },
    metrics: [{ name: 'Wells', baseline: 0, current: 4, target: 10, verificationMethod: null }],
  })
  const { evidence: _, ...shown } = created
  const listed = await api.ask('GET', `/api/impactmetrics/${campaignId}`)
  expect(listed.body).toMatchObject({ impactMetrics: [shown], pagination: { total: 1 } })
})

test('keeps every digit of a number, of either sign, written as number or as text', async () => {
  const { api, token, userId } = await createApiWithUser()
  const campaignId = await campaignOf(api, { token, userId })
  const exact = '123456789012345678901234567890.000000000000000001'
  await report(api, token, campaignId, {
    metrics: [
      { name: 'a', baseline: jsonDecimal(`-${exact}`), current: exact, target: jsonDecimal('0.1') },
      { name: 'b', current: jsonDecimal('1e30') },
      { name: 'c', current: '-007.50' },
    ],
  })
  const { text } = await api.ask('GET', `/api/impactmetrics/${campaignId}`)
  expect(text).toContain(`"baseline":-${exact},"current":${exact},"target":0.1`)
  expect(JSON.parse(text).impactMetrics[0].metrics[1].current).toBe(1e30)
  expect(JSON.parse(text).impactMetrics[0].metrics[2].current).toBe(-7.5)
})

test('answers large and small numbers as texts without an exponent', async () => {
  const api = await createTestApi()
  const creator = await api.signIn()
  const campaignId = await campaignOf(api, creator)
  const metrics = [{ name: 'Water', baseline: 1e-7, current: 1e21, unit: 'm3' }]
  const answer = await api.ask('POST', '/api/impactmetrics', {
    token: creator.token,
    headers: { prefer: 'amounts=text' },
    body: reportBody(campaignId, { metrics }),
  })
  expect(answer).toMatchObject({
    status: 201,
    body: {
      impactMetrics: { metrics: [{ baseline: '0.0000001', current: '1000000000000000000000' }] },
    },
  })
})

test("refuses a report on another's campaign, on a hidden one, and what is no report", async () => {
  const api = await createTestApi()
  const [creator, other, admin] = await twoUsersAndAdmin(api)
  const campaignId = await campaignOf(api, creator)
  const ask = (body: unknown, token?: string) =>
    api.ask('POST', '/api/impactmetrics', { body, ...(token === undefined ? {} : { token }) })
  expect((await ask(reportBody(campaignId))).status).toBe(401)
  expect(await ask(reportBody(campaignId), other.token)).toMatchObject({
    status: 403,
    body: { code: 'forbidden' },
  })
  expect((await ask(reportBody(newId()), creator.token)).status).toBe(404)
  const unverified = await api.signIn({ verified: false })
  expect((await ask(reportBody(campaignId), unverified.token)).status).toBe(403)
  const metric = { name: 'x', current: 1 }
  const wrong = [
    { metrics: [] },
    { metrics: [{ name: 'x' }] },
    { metrics: Array(51).fill(metric) },
    { metrics: Array(8).fill({ ...metric, verificationMethod: 'é'.repeat(500) }) },
    ...['NaN', 'Infinity', '0x1', '', '1,5', null, true, [1], '9'.repeat(79), '1e400'].map(
      (current) => ({ metrics: [{ ...metric, current }] }),
    ),
    { metrics: [{ ...metric, current: jsonDecimal('1e400') }] },
    { metrics: [{ ...metric, name: 'x'.repeat(201) }] },
    { metrics: [{ ...metric, name: '  ' }] },
    { beneficiaries: { direct: -1 } },
    { beneficiaries: { direct: 1.5 } },
    { beneficiaries: { direct: jsonDecimal('1e30') } },
    { category: 'a\u0000b' },
    { campaignId: 'x' },
  ]
  for (const changes of wrong) {
    expect((await ask(reportBody(campaignId, changes), creator.token)).status).toBe(400)
  }
  const [count] = await api.ctx.sql`select count(*) as reports from impact_metrics`
  expect(count).toEqual({ reports: 0 })
  expect((await ask(reportBody(campaignId), admin.token)).status).toBe(201)
  await api.ctx.sql`update campaign set status = 'draft' where id = ${campaignId}`
  expect((await api.ask('GET', `/api/impactmetrics/${campaignId}`)).status).toBe(404)
  expect((await ask(reportBody(campaignId), other.token)).status).toBe(404)
})

test('gives what was reported from one day to another, both included', async () => {
  const clock = createFakeClock(new Date('2026-03-01T00:00:00.000Z'))
  const { api, userId } = await createApiWithUser({ clock })
  const campaignId = await campaignOf(api, { userId, token: '' })
  const moments = ['2026-03-01T00:00:00.000Z', '2026-03-02T23:59:59.999Z', '2026-03-03T00:00:00Z']
  for (const at of moments) {
    await api.ctx.sql`
      insert into impact_metrics (id, campaign_id, reporter_id, metrics, created_at)
      values (${newId()}, ${campaignId}, ${userId}, '[]', ${new Date(at)})`
  }
  const totalOf = async (query: string) => {
    const answer = await api.ask('GET', `/api/impactmetrics/${campaignId}?${query}`)
    expect(answer.status).toBe(200)
    return (answer.body as { pagination: { total: number } }).pagination.total
  }
  expect(await totalOf('from=2026-03-01&to=2026-03-02')).toBe(2)
  expect(await totalOf('from=2026-03-03')).toBe(1)
  expect(await totalOf('to=2026-02-28')).toBe(0)
  expect(await totalOf('from=2026-03-02T23:59:59.999Z&to=2026-03-03T02:00:00%2B02:00')).toBe(2)
  expect(await totalOf('from=0001-01-01&to=9999-12-31')).toBe(3)
  const wrong = [
    'from=yesterday',
    'from=2026-02-30',
    'from=0000-01-01',
    'to=9999-12-31T23:59:59-12:00',
    'from=2026-03-02&to=2026-03-01',
    'to=%00',
    'cursor=x',
  ]
  for (const query of wrong) {
    expect((await api.ask('GET', `/api/impactmetrics/${campaignId}?${query}`)).status).toBe(400)
  }
})

test('a verifier confirms a report once; the event and the notification come with it', async () => {
  const api = await createTestApi()
  const creator = await api.signIn()
  const verifiers = await Promise.all(
    Array.from({ length: 4 }, () => api.signIn({ roles: ['verifier'] })),
  )
  const campaignId = await campaignOf(api, creator)
  const { id } = await report(api, creator.token, campaignId)
  const answers = await Promise.all(verifiers.map(({ token }) => verify(api, token, id)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  const won = answers.findIndex(({ status }) => status === 200)
  const verifierId = verifiers[won]?.userId
  expect(answers[won]?.body).toMatchObject({
    impactMetrics: { id, status: 'verified', verifierId, evidence: EVIDENCE },
  })
  const events = await api.ctx.sql<{ body: string; audience: string[] }[]>`
    select event.body, audience from event where type = 'impact.verified'`
  expect(events).toHaveLength(1)
  expect(JSON.parse(events[0]?.body ?? '')).toMatchObject({
    event: 'impact.verified',
    data: { campaignId, impactMetricsId: id, verifiers: [verifierId], evidence: EVIDENCE },
  })
  expect(events[0]?.audience).toEqual([creator.userId, verifierId])
  const notices = await api.ask('GET', '/api/notifications', { token: creator.token })
  expect(notices.body).toMatchObject({
    notifications: [{ type: 'impact_verified', data: { campaignId, impactMetricsId: id } }],
  })
})

test('reads one report with its evidence, and none of a hidden or another campaign', async () => {
  const api = await createTestApi()
  const creator = await api.signIn()
  const verifier = await api.signIn({ roles: ['verifier'] })
  const campaignId = await campaignOf(api, creator)
  const created = await api.ask('POST', '/api/impactmetrics', {
    token: creator.token,
    body: reportBody(campaignId),
  })
  const { id } = (created.body as { impactMetrics: Report }).impactMetrics
  const path = created.headers.get('location') ?? ''
  expect(path).toBe(`/api/impactmetrics/${campaignId}/${id}`)
  const verified = await verify(api, verifier.token, id)
  expect((await api.ask('GET', path)).body).toEqual(verified.body.impactMetrics)
  const other = await createTestCampaign(api.ctx, { creator, account: `0x${'3'.repeat(40)}` })
  for (const wrong of [`${campaignId}/${newId()}`, `${other}/${id}`, `${newId()}/${id}`]) {
    expect((await api.ask('GET', `/api/impactmetrics/${wrong}`)).status).toBe(404)
  }
  await api.ctx.sql`update campaign set status = 'draft' where id = ${campaignId}`
  expect((await api.ask('GET', path)).status).toBe(404)
  expect((await api.ask('GET', path, { token: creator.token })).status).toBe(200)
})

test('shows no report of a draft to a verifier who asks to verify it', async () => {
  const api = await createTestApi()
  const creator = await api.signIn()
  const verifier = await api.signIn({ roles: ['verifier'] })
  const { id } = await report(api, creator.token, await campaignOf(api, creator))
  await api.ctx.sql`update campaign set status = 'draft'`
  const unknown = await verify(api, verifier.token, newId())
  const { requestId: _, ...refusal } = unknown.body
  expect(await verify(api, verifier.token, id)).toMatchObject({ status: 404, body: refusal })
  expect([...(await api.ctx.sql`select status from impact_metrics`)]).toEqual([
    { status: 'reported' },
  ])
})

test('refuses to verify without the role, what one reported oneself, and without evidence', async () => {
  const api = await createTestApi()
  const creator = await api.signIn({ roles: ['verifier'] })
  const admin = await api.signIn({ roles: ['admin'] })
  const verifier = await api.signIn({ roles: ['verifier'] })
  const stranger = await api.signIn()
  const campaignId = await campaignOf(api, creator)
  const { id } = await report(api, creator.token, campaignId)
  const byAdmin = await report(api, admin.token, campaignId)
  const path = `/api/impactmetrics/${id}/verify`
  expect((await api.ask('POST', path, { body: { evidence: EVIDENCE } })).status).toBe(401)
  expect((await verify(api, stranger.token, id)).status).toBe(403)
  expect((await verify(api, creator.token, id)).status).toBe(403)
  expect((await verify(api, creator.token, byAdmin.id)).status).toBe(403)
  expect((await verify(api, admin.token, byAdmin.id)).status).toBe(403)
  expect((await verify(api, verifier.token, newId())).status).toBe(404)
  const [item] = EVIDENCE
  const urls = [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>',
    'file:///etc/passwd',
    'ftp://example.org/x',
    '//example.org/x',
    'https://user:password@example.org/',
    'https://user@example.org/',
    'https://',
    'https://exa mple.org/',
    'https://example.org/\\evil',
    `https://example.org/${'x'.repeat(2_000)}`,
    'report.pdf',
    7,
  ]
  const wrong = [
    [],
    null,
    Array(21).fill(item),
    Array(20).fill({ ...item, url: `https://example.org/${'x'.repeat(1_900)}` }),
    ...urls.map((url) => [{ ...item, url }]),
    [{ ...item, timestamp: 'yesterday' }],
    [{ ...item, timestamp: undefined }],
    [{ ...item, type: '' }],
  ]
  for (const evidence of wrong) {
    expect((await verify(api, verifier.token, id, evidence)).status).toBe(400)
  }
  expect((await verify(api, verifier.token, id, [{ ...item, type: 'a\u0000' }])).status).toBe(400)
  const [row] = await api.ctx.sql`
    select (select count(*) from event) as events, (select count(*) from notification) as notices,
           (select count(*) from impact_metrics where status = 'verified') as verified`
  expect(row).toEqual({ events: 0, notices: 0, verified: 0 })
})
