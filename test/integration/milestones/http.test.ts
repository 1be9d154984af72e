import { expect, test } from 'vitest'
import { hashApiKey, newApiKey } from '../../../src/auth/api-keys.ts'
import { createKey } from '../../../src/domain/account/index.ts'
import { saveBalances } from '../../../src/domain/blocks/index.ts'
import type { TypedData } from '../../../src/kernel/ports/signatures.ts'
import type { ApiScope } from '../../../src/kernel/scopes.ts'
import { address, blockHash, CHAIN_ID, USDC_ASSET } from '../../support/chain-facts.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { createTestApi } from '../http/support/api.ts'
import { EVIDENCE, signWith, withMilestones } from './support/verified-world.ts'

/** An API with a reached milestone, and a signed-in verifier. */
const setUp = async (gift = 30n) => {
  const api = await withMilestones(await createTestApi())
  const verifier = await api.signIn({ roles: ['verifier'] })
  await linkWallet(api, verifier.userId, keyOf(1).address)
  if (gift > 0n) await api.give(gift)
  const milestoneId = api.milestoneIds[0] ?? ''
  const path = `/api/milestones/${milestoneId}/verification`
  const bodyOf = async (changes: Record<string, unknown> = {}) => {
    const status = changes.status === 'rejected' ? 'rejected' : 'completed'
    const verifierSignature = await signWith(keyOf(1))(await api.typedData(status))
    return {
      campaignId: api.campaignId,
      milestoneId,
      verification: { status, evidence: EVIDENCE, verifierSignature, ...changes },
    }
  }
  return { api, verifier, milestoneId, path, bodyOf }
}

test('serves the typed data to sign, by GET and by POST alike, for EIP-712 and this chain', async () => {
  const { api, path, milestoneId } = await setUp()
  const query = `?status=completed&evidence=${encodeURIComponent(JSON.stringify(EVIDENCE))}`
  const got = await api.ask('GET', path + query)
  const posted = await api.ask('POST', path, { body: { evidence: EVIDENCE } })
  expect([got.status, posted.status]).toEqual([200, 200])
  expect(got.body.typedData).toMatchObject({
    domain: { name: 'Fundproof', version: '1', chainId: 31337 },
    primaryType: 'MilestoneVerification',
    message: {
      campaignId: api.campaignId,
      milestoneId,
      round: 0,
      status: 'completed',
      evidenceHash: got.body.evidenceHash,
    },
  })
  expect(posted.body).toEqual({ success: true, ...got.body })
  expect(got.body.milestone).toMatchObject({ status: 'reached', required: 1, missing: 1 })
})

test('the order of the members of the evidence does not change what is signed', async () => {
  const { api, path } = await setUp()
  const raw = `{"evidence":[{"timestamp":"${EVIDENCE[0]?.timestamp}", "url":"${EVIDENCE[0]?.url}","type":"photo"}]}`
  expect((await api.ask('POST', path, { raw })).body.typedData).toEqual(await api.typedData())
})

test('without evidence it tells where the verification stands, and nothing to sign', async () => {
  const { api, path } = await setUp(0n)
  const { status, body } = await api.ask('GET', path)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    milestone: { status: 'pending', amount: { value: 30, currency: 'USDC' } },
    verifications: [],
    evidenceHash: null,
    typedData: null,
  })
})

test('verifies with the input of the interface under /api, and tells it to everybody', async () => {
  const { api, verifier, path, bodyOf } = await setUp()
  const { token } = verifier
  const served = await api.ask('POST', path, { body: { evidence: EVIDENCE } })
  const verifierSignature = await signWith(keyOf(1))(served.body.typedData as TypedData)
  const body = await bodyOf({ verifierSignature })
  const first = await api.ask('POST', '/api/milestones/verify', { token, body })
  expect(first.status).toBe(201)
  expect(first.headers.get('location')).toBe(path)
  expect(first.body).toMatchObject({
    success: true,
    verification: { status: 'completed', evidence: EVIDENCE, signer: keyOf(1).address },
    milestone: { status: 'released', missing: 0 },
  })
  const again = await api.ask('POST', '/api/milestones/verify', { token, body })
  expect(again.status).toBe(200)
  expect(again.body).toEqual(first.body)

  expect((await api.ask('GET', path)).body.verifications).toEqual([first.body.verification])
  const campaign = await api.ask('GET', `/api/campaigns/${api.campaignId}`)
  expect(campaign.body).toMatchObject({ current_amount: 30 })
  expect(JSON.stringify(campaign.body.milestones)).toContain('"status":"released"')
})

test('shows what the account holds before and after it is verified, and refuses nothing for it', async () => {
  const { api, verifier, path, bodyOf } = await setUp()
  const held = { account: address('campaign'), assetId: USDC_ASSET, nonce: null }
  await saveBalances(api.ctx, CHAIN_ID, [
    { ...held, balance: 4_000_000n, blockNumber: 1, blockHash: blockHash(1) },
  ])
  expect((await api.ask('GET', path)).text).toContain(
    '"symbol":"USDC","balance":4,"balanceBlock":1,"released":0,"missing":26}',
  )
  const body = await bodyOf()
  const { token } = verifier
  const verified = await api.ask('POST', '/v1/milestones/verify', { token, body })
  expect(verified.status).toBe(201)
  const assets = [{ asset: USDC_ASSET, symbol: 'USDC', balance: 4, released: 30, missing: 0 }]
  expect(verified.body).toMatchObject({ data: { milestone: { assets } } })
  const again = await api.ask('POST', '/api/milestones/verify', { token, body })
  expect(again.body).toMatchObject({ milestone: { status: 'released', assets } })
})

test('verifies under /v1 with the same input', async () => {
  const { api, verifier, milestoneId, bodyOf } = await setUp()
  const { status, body } = await api.ask('POST', '/v1/milestones/verify', {
    token: verifier.token,
    body: await bodyOf(),
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    success: true,
    data: { milestoneId, status: 'completed', milestone: { status: 'released' } },
  })
})

test('a repetition with its Idempotency-Key gets the first answer, also after later changes', async () => {
  const { api, verifier, bodyOf } = await setUp()
  const asked = { token: verifier.token, key: 'verify-1', body: await bodyOf() }
  const first = await api.ask('POST', '/api/milestones/verify', asked)
  await api.ctx.sql`delete from wallet`
  const again = await api.ask('POST', '/api/milestones/verify', asked)
  expect(again.status).toBe(201)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect(again.text).toBe(first.text)
  const withoutKey = { token: verifier.token, body: asked.body }
  expect((await api.ask('POST', '/api/milestones/verify', withoutKey)).status).toBe(403)
})

test('a refusal leaves its Idempotency-Key free', async () => {
  const { api, verifier, bodyOf } = await setUp(0n)
  const asked = { token: verifier.token, key: 'verify-1', body: await bodyOf() }
  const early = await api.ask('POST', '/api/milestones/verify', asked)
  expect([early.status, early.body.code]).toEqual([409, 'milestone_not_reached'])
  await api.give(30n)
  expect((await api.ask('POST', '/api/milestones/verify', asked)).status).toBe(201)
})

test('refuses who may not verify', async () => {
  const { api, bodyOf } = await setUp()
  const body = await bodyOf()
  const refusalFor = async (token?: string) => {
    const { status, body: answer } = await api.ask('POST', '/api/milestones/verify', {
      ...(token === undefined ? {} : { token }),
      body,
    })
    return [status, answer.code]
  }
  expect(await refusalFor()).toEqual([401, 'unauthenticated'])
  const tokenOf = async (options: { verified?: boolean; roles?: string[] }) =>
    (await api.signIn(options)).token
  expect(await refusalFor(await tokenOf({ verified: false, roles: ['verifier'] }))).toEqual([
    403,
    'email_unverified',
  ])
  expect(await refusalFor(await tokenOf({}))).toEqual([403, 'forbidden'])
  expect(await refusalFor(await tokenOf({ roles: ['verifier'] }))).toEqual([403, 'forbidden'])
  expect(await refusalFor(await tokenOf({ roles: ['admin'] }))).toEqual([403, 'forbidden'])
  expect((await api.milestone())?.status).toBe('reached')
})

test("a verifier's API key verifies within its scope, and not without it", async () => {
  const { api, verifier, bodyOf } = await setUp()
  const owner = api.as({ kind: 'user', userId: verifier.userId, roles: ['verifier'] })
  const body = await bodyOf()
  const answerFor = async (scope: ApiScope) => {
    const maker = { newKey: newApiKey, hashKey: hashApiKey }
    const { key: apiKey } = await createKey(owner, maker, { name: scope, scopes: [scope] })
    const { status, body: answer } = await api.ask('POST', '/api/milestones/verify', {
      apiKey,
      body,
    })
    return [status, answer.code]
  }
  expect(await answerFor('campaigns:write')).toEqual([403, 'forbidden'])
  expect((await api.milestone())?.status).toBe('reached')
  expect(await answerFor('milestones:verify')).toEqual([201, undefined])
})

test('refuses what does not belong together or is over', async () => {
  const { api, verifier, milestoneId, bodyOf } = await setUp()
  const { token } = verifier
  const unknown = '01890000-0000-7000-8000-000000000000'
  const refusalOf = async (body: Record<string, unknown>) => {
    const answer = await api.ask('POST', '/api/milestones/verify', { token, body })
    return [answer.status, answer.body.code]
  }
  const body = await bodyOf()
  expect(await refusalOf({ ...body, campaignId: unknown })).toEqual([404, 'not_found'])
  expect(await refusalOf({ ...body, milestoneId: unknown })).toEqual([404, 'not_found'])
  const { status } = await api.ask('GET', `/api/milestones/${unknown}/verification`)
  expect(status).toBe(404)

  await api.ctx.sql`update campaign set status = 'cancelled'`
  expect(await refusalOf(body)).toEqual([409, 'campaign_not_active'])
  await api.ctx.sql`update campaign set status = 'active'`
  expect(await refusalOf({ ...body, campaignId: api.campaignId.toUpperCase() })).toEqual([
    201,
    undefined,
  ])
  const late = await bodyOf({ status: 'rejected' })
  expect(await refusalOf(late)).toEqual([409, 'conflict'])
  expect(await refusalOf({ ...late, milestoneId })).toEqual([409, 'conflict'])
})

test("hides the milestones of another user's draft", async () => {
  const { api, path } = await setUp(0n)
  await api.ctx.sql`update campaign set status = 'draft'`
  expect((await api.ask('GET', path)).status).toBe(404)
  const { token } = await api.signIn({ roles: ['admin'] })
  expect((await api.ask('GET', path, { token })).status).toBe(200)
})

const [ITEM] = EVIDENCE

const WRONG: Record<string, Record<string, unknown>> = {
  'an unknown status': { status: 'approved' },
  'no status': { status: undefined },
  'no evidence': { evidence: [] },
  'evidence that is no list': { evidence: ITEM },
  'more evidence than anybody reads': { evidence: Array.from({ length: 21 }, () => ITEM) },
  'a member that would not be kept': { evidence: [{ ...ITEM, note: 'x' }] },
  'a blank type': { evidence: [{ ...ITEM, type: ' ' }] },
  'a javascript: URL': { evidence: [{ ...ITEM, url: 'javascript:alert(1)' }] },
  'a data: URL': { evidence: [{ ...ITEM, url: 'data:text/html,x' }] },
  'a URL with a password': { evidence: [{ ...ITEM, url: 'https://a:b@example.org/' }] },
  'a URL with spaces around it': { evidence: [{ ...ITEM, url: ' https://example.org/ ' }] },
  'a time without a zone': { evidence: [{ ...ITEM, timestamp: '2026-05-01T10:00:00' }] },
  'a time that is none': { evidence: [{ ...ITEM, timestamp: 'yesterday' }] },
  'a signature that is no hex': { verifierSignature: 'signed' },
  'half a byte of signature': { verifierSignature: '0xabc' },
  'a signature of 9 kB': { verifierSignature: `0x${'00'.repeat(9_000)}` },
  'an address that is none': { verifierAddress: '0x1' },
  'a wrong checksum': { verifierAddress: keyOf(1).address.replace('C', 'c') },
}

test('refuses every input that is not as the interface has it, and writes nothing', async () => {
  const { api, verifier, bodyOf } = await setUp()
  const refusals: Record<string, unknown> = {}
  for (const [what, changes] of Object.entries(WRONG)) {
    const { status, body } = await api.ask('POST', '/api/milestones/verify', {
      token: verifier.token,
      body: await bodyOf(changes),
    })
    refusals[what] = [status, body.code]
  }
  expect(refusals).toEqual(
    Object.fromEntries(
      Object.keys(WRONG).map((what) => [
        what,
        [400, what.startsWith('a member') ? 'unknown_parameter' : 'invalid_input'],
      ]),
    ),
  )
  expect(await api.ctx.sql`select from milestone_verification`).toHaveLength(0)
})

test('refuses what is no evidence in an address', async () => {
  const { api, path } = await setUp(0n)
  for (const text of ['not json', '{}', '[1]', '[]', '[{"type":"photo"}]']) {
    const { status } = await api.ask('GET', `${path}?evidence=${encodeURIComponent(text)}`)
    expect([text, status]).toEqual([text, 400])
  }
})
