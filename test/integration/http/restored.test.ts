import { expect, test } from 'vitest'
import { run } from '../../../src/commands/admin.ts'
import { opensDonation } from '../../../src/domain/donations/donation/claim-token.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { call } from '../../support/api-user.ts'
import { address } from '../../support/chain-facts.ts'
import { runCommand } from '../../support/command.ts'
import { recordAsGuest } from '../../support/donate.ts'
import { halfEnvironment, startHalf } from '../../support/halves.ts'
import { createTestCampaign, createUser } from '../../support/world.ts'
import { login, signUp } from './support/account.ts'
import { createTestApi } from './support/api.ts'

test('ends sessions, tokens, API keys, codes and claim links that are older than the confirmation of a restore', async () => {
  const api = await createTestApi()
  const { userId, token, refreshToken, email } = await signUp(api, 'ada')
  const body = { name: 'server', scopes: ['read'] }
  const { key } = (await api.ask('POST', '/api/keys', { token, body })).body.key as { key: string }
  await api.ask('POST', '/api/auth/reset-password', { body: { email } })
  const openCodes = () => api.ctx.sql`select from email_code where used_at is null`
  expect(await openCodes()).toHaveLength(1)
  const account = address('campaign')
  const campaignId = await createTestCampaign(api.ctx, {
    creator: await createUser(api.ctx),
    account,
  })
  const { donation, claim } = await recordAsGuest(api.as({ kind: 'anonymous' }), {
    campaignId,
    amount: { value: '5', currency: 'USDC' },
    donor: { walletAddress: address('donor') },
  })
  const opens = () => opensDonation(api.ctx, donation.id, claim.token)
  expect(await opens()).toBe(true)
  // A session that began after the backup, so the restored database does not have it.
  const claims = { userId, sessionId: newId(), roles: ['admin'], verified: true }
  const lost = await api.tokens.issue(claims)
  const options = {
    ...{ databaseUrl: api.url, rpcUrl: 'http://127.0.0.1:9' },
    env: { PUBLIC_URL: api.ctx.settings.publicUrl },
  }
  const before = await startHalf('api', options)
  const me = (port: number, asked: Parameters<typeof call>[3]) =>
    call(port, 'GET', '/api/auth/me', asked).then(({ status }) => status)
  const byKey = { headers: { 'x-api-key': key } }
  for (const asked of [{ token }, { token: lost }, byKey]) {
    expect(await me(before.port, asked)).toBe(200)
  }

  const confirmed = await runCommand(run, ['restored', 'none'], halfEnvironment(options))
  expect(confirmed).toMatchObject({ code: 0, out: expect.stringContaining('Restart the API') })
  const { port } = await startHalf('api', options)
  for (const asked of [{ token }, { token: lost }, byKey]) {
    expect(await me(port, asked)).toBe(401)
  }
  const refreshed = await call(port, 'POST', '/api/auth/refresh', { body: { refreshToken } })
  expect(refreshed.status).toBe(401)
  expect(await opens()).toBe(false)
  expect(await openCodes()).toHaveLength(0)
  expect((await login(api, 'ada')).status).toBe(200)
})
