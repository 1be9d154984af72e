import { expect, test } from 'vitest'
import { parseSignedHead } from '../../../src/domain/books/index.ts'
import { isSigned } from '../../../src/verifier/index.ts'
import { createSealLedgerJob } from '../../../worker/jobs/seal-ledger.ts'
import { USDC_ASSET } from '../../support/chain-facts.ts'
import { newFolder } from '../../support/new-folder.ts'
import { createTestCampaign } from '../../support/world.ts'
import { createTestApi, type TestApi } from './support/api.ts'

const campaignWith = async (api: TestApi, entries: number): Promise<string> => {
  const { userId } = await api.signIn()
  const campaignId = await createTestCampaign(api.ctx, {
    creator: { userId },
    account: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    target: '1000',
  })
  await api.ctx.sql`
    with account as (
      insert into ledger_account (kind, campaign_id, asset_id)
      values ('custody', ${campaignId}, ${USDC_ASSET}), ('held', ${campaignId}, ${USDC_ASSET})
      returning id)
    select from account`
  await api.ctx.sql`
    insert into ledger_entry
      (kind, debit_account, credit_account, asset_id, amount, campaign_id, created_at)
    select 'donation', min(id), max(id), ${USDC_ASSET}, nr, ${campaignId}, now()
    from generate_series(1, ${entries}) nr, ledger_account where campaign_id = ${campaignId}
    group by nr`
  return campaignId
}

test('gives the newest signed head of a campaign, to keep', async () => {
  const api = await createTestApi()
  const campaignId = await campaignWith(api, 3)
  const ask = () => api.ask('GET', `/api/campaigns/${campaignId}/ledger/head`)
  expect((await ask()).status).toBe(404)
  await createSealLedgerJob(api.ctx, newFolder()).run()
  const { status, body } = await ask()
  expect(status).toBe(200)
  expect(body).toEqual({
    campaignId,
    seq: 1,
    head: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    entries: 3,
    globalHead: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    signature: expect.any(String),
    keyId: expect.any(String),
    sealedAt: expect.any(String),
  })
  expect(parseSignedHead(JSON.stringify(body))).toEqual(body)
  const { body: published } = await api.ask('GET', '/.well-known/jwks.json')
  const keys = published.keys as { kid: string; x: string }[]
  const key = keys.find((one) => one.kid === body.keyId)
  const head = body as unknown as Parameters<typeof isSigned>[0]
  expect(await isSigned(head, campaignId, key ?? { x: '' })).toBe(true)
  expect(await isSigned({ ...head, seq: 2 }, campaignId, key ?? { x: '' })).toBe(false)
})

test('shows the head of a draft only to its creator', async () => {
  const api = await createTestApi()
  const campaignId = await campaignWith(api, 1)
  await createSealLedgerJob(api.ctx, newFolder()).run()
  await api.ctx.sql`update campaign set status = 'draft'`
  const { status } = await api.ask('GET', `/api/campaigns/${campaignId}/ledger/head`)
  expect(status).toBe(404)
})
