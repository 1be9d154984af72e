import { expect, test } from 'vitest'
import { hasChromium, runInChromium } from '../support/browser-page.ts'
import { hasAnvil } from '../support/test-chain.ts'
import { liveService } from './support/shared.ts'

/**
 * A page with another origin than the service. Its user signs in, because a page must not contain a
 * key.
 */
const PAGE = `
import { ApiError, Fundproof } from './clients/javascript/src/index.ts'
import { sign, verify } from './clients/javascript/src/webhooks.ts'

const { baseUrl } = await (await fetch('/data')).json()

const story = async () => {
  const guest = new Fundproof({ environment: 'sandbox', baseUrl })
  const { data: wallet, response } = await guest.sandbox.createWallet().withResponse()
  const { items } = await guest.campaigns.list({ limit: 1, sort: 'oldest' })
  const refused = await guest.campaigns.get('none').catch((error) => error)

  const login = { username: 'demo@example.org', password: 'a-demo-for-everybody' }
  const { tokens } = await guest.auth.login(login)
  const broken = { ...tokens, accessToken: 'broken' }
  const user = new Fundproof({ environment: 'sandbox', baseUrl, tokens: broken })
  const { username } = await user.auth.account()

  const { nextCursor: after } = await user.events.list({ from: 'now' })
  const updates = [1, 2].map((n) => user.campaigns.update(items[0].id, { description: 'New ' + n }))
  await Promise.all(updates)
  const events = []
  for await (const { event } of user.events.stream({ after })) {
    events.push(event)
    if (events.length === 2) break
  }

  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const event = await verify('{"id":"e1"}', await sign('{"id":"e1"}', secret), secret)
  return {
    wallet: wallet.address.slice(0, 2),
    hasRequestId: typeof response.requestId === 'string',
    type: response.headers['content-type'],
    refused: refused instanceof ApiError && refused.code,
    username,
    events,
    verified: event.id,
  }
}

const body = JSON.stringify(await story().catch((error) => ({ error: String(error) })))
await fetch('/results', { method: 'POST', body })
`

test.skipIf(!hasChromium || !hasAnvil)('calls, signs in and streams in a browser', async () => {
  const { url: baseUrl } = await liveService()
  const results: unknown = JSON.parse(await runInChromium(PAGE, { baseUrl }))
  expect(results).toEqual({
    wallet: '0x',
    hasRequestId: true,
    type: expect.stringContaining('json'),
    refused: 'not_found',
    username: 'demo',
    events: ['campaign.updated', 'campaign.updated'],
    verified: 'e1',
  })
})
