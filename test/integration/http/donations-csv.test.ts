import { expect, test } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import {
  address,
  applyBlock,
  CHAIN_ID,
  startChain,
  txHash,
  USDC_ASSET,
} from '../../support/chain-facts.ts'
import { parseCsv } from '../../support/csv.ts'
import { createTestCampaign } from '../../support/world.ts'
import {
  type Caller,
  createTestApi,
  donationBody,
  refusal,
  requestOf,
  type TestApi,
} from './support/api.ts'
import { twoUsersAndAdmin } from './support/callers.ts'

const campaignOf = (api: TestApi, { userId }: Caller): Promise<string> =>
  createTestCampaign(api.ctx, { creator: { userId }, account: address('campaign') })

/** Inserts donations. Some have the same millisecond, so that their ids must decide the order. */
const fill = (api: TestApi, campaignId: string, count: number) => api.ctx.sql`
  insert into donation (id, campaign_id, chain_id, tx_hash, ledger_address, declared_asset_id,
                        declared_amount, status, expires_at, created_at)
  select gen_random_uuid(), ${campaignId}, ${CHAIN_ID}, bytes_of('0x' || md5(i::text) || md5(i::text)),
         ${address('campaign')}, ${USDC_ASSET}, i, 'reversed', now(),
         timestamptz '2026-01-01' + (i / 3) * interval '1 ms'
  from generate_series(1, ${count}::int) i`

const ask = (api: TestApi, campaignId: string, token?: string) =>
  api.ask('GET', `/api/campaigns/${campaignId}/donations.csv`, { token })

const rowsOf = (text: string): Record<string, string>[] => {
  const [head = [], ...rows] = parseCsv(text)
  for (const row of rows) expect(row).toHaveLength(head.length)
  return rows.map((row) => Object.fromEntries(row.map((cell, at) => [head[at] ?? '', cell])))
}

test('gives all donations of a campaign that a block held as a table, with every digit', async () => {
  const api = await createTestApi()
  const creator = await api.signIn()
  const donor = await api.signIn()
  const campaignId = await campaignOf(api, creator)
  await fill(api, campaignId, 250)
  const formula = '=HYPERLINK("https://example.org", 1)'
  const body = donationBody(campaignId, { type: formula, donor: { name: formula } })
  const recorded = await api.ask('POST', '/api/donations', { token: donor.token, body })
  const { donation } = recorded.body as { donation: { id: string; createdAt: string } }
  await api.ask('POST', '/api/donations', {
    token: donor.token,
    body: donationBody(campaignId, {
      transaction: { ...body.transaction, txHash: txHash('unpaid') },
    }),
  })
  await api.ctx.sql`update donation set status = 'reversed' where id = ${donation.id}`
  const { headers, status, text } = await ask(api, campaignId, creator.token)
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
  expect(headers.get('content-disposition')).toBe('attachment; filename="donations.csv"')
  const rows = rowsOf(text)
  const ids = await api.ctx.sql<{ id: string }[]>`
    select id from donation where status = 'reversed' order by created_at desc, id desc`
  expect(rows.map(({ id }) => id)).toEqual(ids.map(({ id }) => id))
  expect(rows[0]).toEqual({
    ...{ id: donation.id, status: 'reversed', reason: '', type: `'${formula}` },
    ...{ donorName: `'${formula}`, donorMessage: '' },
    ...{ userId: donor.userId, amount: '12.5', currency: 'USDC' },
    ...{ declaredAmount: '12.5', declaredCurrency: 'USDC' },
    ...{ confirmedAmount: '', confirmedCurrency: '', creditedAmount: '', creditedCurrency: '' },
    ...{ refundedAmount: '', refundedCurrency: '' },
    ...{ discrepancy: 'false', price: '', chainId: String(CHAIN_ID) },
    ...{ txHash: body.transaction.txHash, originalTxHash: '', replacedBy: '' },
    ...{ ledgerAddress: body.transaction.ledgerAddress, blockNumber: '', logPosition: '' },
    ...{ createdAt: donation.createdAt, completedAt: '' },
  })
  expect(rows.slice(1).map(({ amount }) => amount)).toContain('0.00025')
  await startChain(api.ctx)
  await applyBlock(api.ctx, 1, [{ tx: 'a gift', to: address('campaign'), usdc: 250n }])
  await api.ctx.sql`
    update donation set status = 'partly_refunded', credited_amount = 250, refunded_amount = 101,
                        transfer_id = (select id from chain_transfer)
    where declared_amount = 250`
  const refunded = rowsOf((await ask(api, campaignId)).text).filter((row) => row.refundedAmount)
  expect(refunded).toMatchObject([
    { creditedAmount: '0.00025', refundedAmount: '0.000101', refundedCurrency: 'USDC' },
  ])
  await api.ctx.sql`delete from donation`
  expect(rowsOf((await ask(api, campaignId)).text)).toEqual([])
})

test('shows in the table no donor that the list does not show, and no draft', async () => {
  const api = await createTestApi()
  const creator = await api.signIn()
  const [donor, other, admin] = await twoUsersAndAdmin(api)
  const campaignId = await campaignOf(api, creator)
  const body = donationBody(campaignId)
  await api.ask('POST', '/api/donations', { token: donor.token, body })
  await api.ctx.sql`update donation set status = 'reversed'`
  const donorFor = async (token?: string) =>
    rowsOf((await ask(api, campaignId, token)).text).map(({ userId }) => userId)
  expect(await donorFor()).toEqual([''])
  expect(await donorFor(other.token)).toEqual([''])
  for (const { token } of [donor, creator, admin]) {
    expect(await donorFor(token)).toEqual([donor.userId])
  }
  await api.ctx.sql`update campaign set status = 'draft'`
  expect((await ask(api, campaignId)).status).toBe(404)
  expect((await ask(api, campaignId, other.token)).status).toBe(404)
  expect((await ask(api, campaignId, creator.token)).status).toBe(200)
  expect((await ask(api, newId())).status).toBe(404)
})

test('reads the rows of a table while it goes out', async () => {
  const api = await createTestApi()
  const creator = await api.signIn()
  const campaignId = await campaignOf(api, creator)
  await fill(api, campaignId, 1_000)
  const answer = await api.app.request(
    `/api/campaigns/${campaignId}/donations.csv`,
    requestOf('GET', { token: creator.token }),
  )
  const decoder = new TextDecoder()
  const chunks: string[] = []
  for await (const chunk of answer.body ?? []) {
    chunks.push(decoder.decode(chunk))
    // The later rows are not read yet, so this change appears in them.
    if (chunks.length === 2) await api.ctx.sql`update donation set type = 'late'`
  }
  expect(chunks.length).toBeGreaterThan(5)
  const types = rowsOf(chunks.join('')).map(({ type }) => type)
  expect(types).toHaveLength(1_000)
  expect(types[0]).toBe('')
  expect(types.filter((type) => type === 'late').length).toBeGreaterThan(500)
})

test('cuts the connection of a table that cannot be read to its end', async () => {
  const api = await createTestApi()
  const campaignId = await campaignOf(api, await api.signIn())
  await fill(api, campaignId, 300)
  // No chain in the configuration has the asset of this donation.
  const owner = createDatabase({ url: api.url, max: 1, asAppRole: false })
  await owner`insert into asset values ('gone', ${CHAIN_ID}, 'erc20', null, 'GONE', 6)`
  await owner`update donation set declared_asset_id = 'gone' where declared_amount = 1`
  await owner.end()
  const url = await api.listen()
  const path = `${url}/api/campaigns/${campaignId}/donations.csv`
  for (let count = 0; count < 6; count++) {
    const answer = await fetch(path)
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow()
  }
})

test('opens so many tables for a network, and gives a place back when one ends', async () => {
  const api = await createTestApi()
  const campaignId = await campaignOf(api, await api.signIn())
  await fill(api, campaignId, 300)
  const path = `/api/campaigns/${campaignId}/donations.csv`
  const open = await Promise.all([1, 2, 3, 4].map(() => api.app.request(path)))
  const refused = await ask(api, campaignId)
  expect(refused).toMatchObject(refusal(429, 'too_many_streams'))
  expect(refused.headers.get('retry-after')).not.toBeNull()
  await open[0]?.body?.cancel()
  expect((await api.app.request(path, { method: 'HEAD' })).status).toBe(200)
  expect((await ask(api, campaignId)).status).toBe(200)
  expect(rowsOf((await open[1]?.text()) ?? '')).toHaveLength(300)
  expect((await ask(api, campaignId)).status).toBe(200)
})
