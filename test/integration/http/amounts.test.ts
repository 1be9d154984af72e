import { expect, test } from 'vitest'
import { campaignBody, createApiWithUser } from './support/api.ts'

const PREFER = { prefer: 'amounts=text' }
const EXACT = '12345678901.123456'

/** Lists the numbers of an answer that are no integers, or whose name is the name of an amount. */
const numbersIn = (value: unknown, name = ''): string[] => {
  if (typeof value === 'number')
    return Number.isInteger(value) && !/amount|value/.test(name) ? [] : [name]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, part]) => numbersIn(part, key))
}

test('writes amounts as text where that is preferred, with the digits that they have as numbers', async () => {
  const { api, token } = await createApiWithUser()
  const raw = JSON.stringify(campaignBody()).replace('1000', EXACT)
  const created = await api.ask('POST', '/api/campaigns', { token, raw })
  const { _id: id } = created.body.campaign as { _id: string }
  for (const path of [
    `/api/campaigns/${id}`,
    '/api/campaigns',
    `/v1/campaigns/${id}`,
    '/v1/campaigns',
  ]) {
    const asNumbers = await api.ask('GET', path)
    const asTexts = await api.ask('GET', path, { headers: PREFER })
    expect(asTexts.headers.get('preference-applied')).toBe('amounts=text')
    expect(asNumbers.headers.get('preference-applied')).toBeNull()
    expect([asNumbers.headers.get('vary'), asTexts.headers.get('vary')]).toEqual([
      'Prefer',
      'Prefer',
    ])
    expect(asNumbers.text).toContain(EXACT)
    expect(asTexts.text).toContain(`"${EXACT}"`)
    expect(numbersIn(asTexts.body)).toEqual([])
    expect(numbersIn(asNumbers.body)).not.toEqual([])
  }
})

test('keeps the form of a stored answer, and takes the other form for another request', async () => {
  const { api, token } = await createApiWithUser()
  const headers = { 'idempotency-key': 'once', ...PREFER }
  const body = campaignBody()
  const first = await api.ask('POST', '/api/campaigns', { token, body, headers })
  const again = await api.ask('POST', '/api/campaigns', { token, body, headers })
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.headers.get('preference-applied')).toBe('amounts=text')
  expect(again.body).toEqual(first.body)
  expect(again.body).toMatchObject({ campaign: { target_amount: '1000' } })
  const other = await api.ask('POST', '/api/campaigns', {
    token,
    body,
    headers: { 'idempotency-key': 'once' },
  })
  expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
})
