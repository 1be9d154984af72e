import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { createTestCampaign } from '../../support/world.ts'
import { createTestApi, donationBody } from './support/api.ts'

/** Sends bytes as they are and reads until the server closes. */
const exchange = (url: string, bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes))
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      received += chunk
    })
    socket.on('end', () => resolve(received))
    socket.on('error', reject)
  })

const envelopeOf = (answer: string): Record<string, unknown> =>
  JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>

test('answers over a socket as it does in memory', async () => {
  const api = await createTestApi()
  const url = await api.listen()
  const { userId, token } = await api.signIn()
  const campaignId = await createTestCampaign(api.ctx, {
    creator: { kind: 'user', userId, roles: [] },
    account: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
    target: '10',
  })
  const created = await fetch(`${url}/api/donations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(donationBody(campaignId)),
  })
  expect(created.status).toBe(201)
  expect(created.headers.get('content-type')).toBe('application/json')
  const read = await fetch(`${url}${created.headers.get('location')}`)
  expect(await read.json()).toMatchObject({ campaignId, amount: { value: 12.5 } })
  const head = await fetch(`${url}/healthz`, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  const missed = await fetch(`${url}/nothing`)
  expect(await missed.json()).toMatchObject({ success: false, code: 'route_not_found' })
})

test('answers what is no valid HTTP with the envelope too', async () => {
  const api = await createTestApi()
  const url = await api.listen()
  const bad = [
    'NONSENSE\r\n\r\n',
    'GET / HTTP/1.1\r\nBad Header\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
    'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
  ]
  for (const bytes of bad) {
    const answer = await exchange(url, bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 4(00|31) /)
    expect(envelopeOf(answer)).toMatchObject({ success: false, code: 'invalid_request' })
    expect(answer).toMatch(/x-request-id: \S+/i)
  }
  const ignored = await exchange(
    url,
    'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n',
  )
  expect(ignored).toMatch(/^HTTP\/1\.1 200 /)
})
