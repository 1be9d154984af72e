import { expect, test } from 'vitest'
import { createAccessTokens } from '../../../src/auth/access-tokens.ts'
import { run } from '../../../src/commands/admin.ts'
import { loadSigningKeys } from '../../../src/domain/account/index.ts'
import { runCommand } from '../../support/command.ts'
import { startProgram } from '../../support/program.ts'
import { codeFor, login, register, tokensOf, verify } from './support/account.ts'
import { createApiWithUser, createTestApi, refusal, type TestApi } from './support/api.ts'

const change = (api: TestApi, token: string, userId: string, body: Record<string, unknown>) =>
  api.ask('POST', `/api/users/${userId}/roles`, { token, body })
const rolesOf = async (api: TestApi, userId: string) => {
  const [row] = await api.ctx.sql<{ roles: string[] }[]>`
    select roles from app_user where id = ${userId}`
  return row?.roles
}

test('lets an administrator grant and revoke roles, and ends the sessions of who loses one', async () => {
  const api = await createTestApi()
  const admin = await api.signIn({ roles: ['admin'] })
  const { body } = await register(api, 'ada')
  const userId = String(body.userId)
  await verify(api, 'ada@example.org', await codeFor(api, 'ada@example.org'))
  expect(await change(api, admin.token, userId, { grant: ['verifier'] })).toMatchObject({
    status: 200,
    body: { user: { id: userId, roles: ['verifier'] } },
  })
  await change(api, admin.token, userId, { grant: ['verifier'] })
  expect(await rolesOf(api, userId)).toEqual(['verifier'])

  const { accessToken } = tokensOf((await login(api, 'ada')).body)
  const me = async () => (await api.ask('GET', '/api/auth/me', { token: accessToken })).status
  expect(await me()).toBe(200)
  await change(api, admin.token, userId, { revoke: ['verifier'] })
  expect(await rolesOf(api, userId)).toEqual([])
  expect(await me()).toBe(401)
})

test('refuses roles to everybody else, in every way of asking for one', async () => {
  const api = await createTestApi()
  const [user, verifier] = [await api.signIn(), await api.signIn({ roles: ['verifier'] })]
  for (const { token, userId } of [user, verifier]) {
    const answer = await change(api, token, userId, { grant: ['admin'] })
    expect(answer).toMatchObject(refusal(403, 'forbidden'))
  }
  const anonymous = await api.ask('POST', `/api/users/${user.userId}/roles`, {
    body: { grant: ['admin'] },
  })
  expect(anonymous.status).toBe(401)
  const escalations = [
    { roles: ['admin'] },
    { role: 'admin' },
    { isAdmin: true, email_verified_at: '2020-01-01', emailVerified: true },
    { profile: { roles: ['admin'] } },
  ]
  for (const [index, changes] of escalations.entries()) {
    const { status, body } = await register(api, `eve${index}`, changes)
    if (!('profile' in changes)) {
      expect(body.code).toBe('unknown_parameter')
      continue
    }
    expect(status).toBe(201)
    const [row] = await api.ctx.sql`
      select roles, email_verified_at from app_user where id = ${String(body.userId)}`
    expect(row).toEqual({ roles: [], emailVerifiedAt: null })
  }
})

test('refuses unknown roles and users, an unverified user, and the last administrator’s fall', async () => {
  const api = await createTestApi()
  const admin = await api.signIn({ roles: ['admin'] })
  const unverified = await api.signIn({ verified: false })
  const user = await api.signIn()
  const bad = [{}, { grant: [] }, { grant: ['root'] }, { grant: ['admin'], revoke: ['admin'] }]
  for (const body of bad) {
    const answer = await change(api, admin.token, user.userId, body)
    expect(answer).toMatchObject(refusal(400, 'invalid_input'))
  }
  const grant = { grant: ['admin'] }
  expect((await change(api, admin.token, crypto.randomUUID(), grant)).status).toBe(404)
  expect((await change(api, admin.token, 'ada', grant)).status).toBe(404)
  expect(await change(api, admin.token, unverified.userId, grant)).toMatchObject(
    refusal(409, 'conflict'),
  )
  expect((await change(api, admin.token, admin.userId, { revoke: ['admin'] })).status).toBe(409)
  expect((await change(api, admin.token, user.userId, grant)).status).toBe(200)
  expect((await change(api, admin.token, admin.userId, { revoke: ['admin'] })).status).toBe(200)
})

const environmentOf = ({ url }: TestApi) => ({
  DATABASE_URL: url,
  SECRET: 'a secret that only tests know, long enough',
  CHAINS: JSON.stringify([
    {
      ...{ id: 31337, name: 'test', rpc: ['http://127.0.0.1:9'] },
      tokens: [{ symbol: 'USDC', address: `0x${'11'.repeat(20)}`, decimals: 6 }],
    },
  ]),
})

/** Runs `npm run admin` on the database of an API. */
const runAdmin = (api: TestApi, ...words: string[]) => runCommand(run, words, environmentOf(api))

test('makes the first administrator from the command line', async () => {
  const api = await createTestApi()
  const { body } = await register(api, 'ada')
  await verify(api, 'ada@example.org', await codeFor(api, 'ada@example.org'))
  const words = ['grant', 'Ada@example.org']
  const granted = await startProgram('src/commands/admin.ts', environmentOf(api), words).ended
  expect(granted.out).toBe('ada@example.org is now: admin.\n')
  expect(await rolesOf(api, String(body.userId))).toEqual(['admin'])
  expect(await runAdmin(api, 'grant', 'unknown@example.org')).toMatchObject({
    code: 1,
    errors: 'There is no such user.\n',
  })
  for (const wrong of [[], ['grant'], ['grant', 'ada@example.org', 'root'], ['make', 'x']]) {
    expect(await runAdmin(api, ...wrong)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/^Usage: npm run admin -- grant\|revoke/),
    })
  }
})

test('signs with a new key from the command line, and accepts the tokens of the old one', async () => {
  const { api, token } = await createApiWithUser()
  const [old] = await loadSigningKeys(api.ctx)
  const { out } = await runAdmin(api, 'rotate-signing-key')
  const [key] = await loadSigningKeys(api.ctx)
  expect(key?.kid).not.toBe(old?.kid)
  expect(out).toContain(`New access tokens are signed with key ${key?.kid}.`)
  expect((await api.ask('GET', '/api/auth/me', { token })).status).toBe(200)
})

test('ends the tokens of a key that is known to others, but no session', async () => {
  const { api, token } = await createApiWithUser()
  const { out } = await runAdmin(api, 'rotate-signing-key', 'leaked')
  expect(out).toContain('restart the API processes now')
  expect(await loadSigningKeys(api.ctx)).toHaveLength(1)
  const restarted = createAccessTokens({
    ...{ issuer: api.ctx.settings.publicUrl, audience: 'sandbox', clock: api.ctx.clock },
    loadKeys: () => loadSigningKeys(api.ctx),
  })
  await expect(restarted.verify(token)).rejects.toThrow('The access token has an unknown key.')
  expect(await api.ctx.sql`select from session where revoked_at is null`).toHaveLength(1)
})
