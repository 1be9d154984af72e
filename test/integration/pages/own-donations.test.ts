import { expect, test } from 'vitest'
import { address } from '../../support/chain-facts.ts'
import { parseCsv } from '../../support/csv.ts'
import { openCampaign } from './support/open-campaign.ts'
import { signUpPage } from './support/page-user.ts'

/** A person with a credited donation of 10 USDC in 2025 and another in 2027, and a failed one. */
const setUp = async () => {
  const pages = await openCampaign()
  const { sql } = pages.ctx
  const cookie = await signUpPage(pages, 'ada')
  for (const tx of ['one', 'two', 'failed']) await pages.give(tx, { wallet: address(tx) })
  for (const tx of ['one', 'two']) await pages.pay(tx, address(tx))
  await pages.settle()
  await sql`
    update donation set user_id = (select id from app_user where username = 'ada'),
                        created_at = '2027-01-15T09:30:00Z'`
  await sql`update donation set status = 'failed', reason = 'unmatched' where transfer_id is null`
  // One second before midnight in UTC.
  await sql`
    update chain_transfer set mined_at = '2025-12-31T23:59:59Z'
    where sender = ${address('one')}`
  await sql`
    update donation set status = 'partly_refunded', refunded_amount = 4000000
    where transfer_id = (select id from chain_transfer where sender = ${address('two')})`
  return { ...pages, cookie }
}

const rows = (html: string) => (html.match(/<tr/g)?.length ?? 1) - 1
const sums = (html: string) =>
  [...html.matchAll(/<dd>([\d.]+) <small>(\w+)/g)].map(([, value, currency]) => [value, currency])

test('shows the donations of a year by the time of the block, with their sums', async () => {
  const { visit, cookie } = await setUp()
  const newest = await visit('/account/donations', { cookie })
  expect(newest.html).toMatch(/aria-current="page">2027</)
  expect(rows(newest.html)).toBe(2)
  expect(sums(newest.html)).toEqual([
    ['10', 'USDC'],
    ['4', 'USDC'],
    ['6', 'USDC'],
  ])
  const before = await visit('/account/donations?year=2025', { cookie })
  expect(rows(before.html)).toBe(1)
  expect(sums(before.html)).toEqual([
    ['10', 'USDC'],
    ['10', 'USDC'],
  ])
  expect(before.html).toMatch(/Dec 31, 2025, 11:59\sPM UTC/)
  const all = await visit('/account/donations?year=all', { cookie })
  expect(rows(all.html)).toBe(3)
  expect(sums(all.html)[0]).toEqual(['20', 'USDC'])
  const stranger = await signUpPage(await setUp(), 'eve')
  expect((await visit('/account/donations', { cookie: stranger })).status).toBe(303)
})

test('gives the donations of a year as a table that a spreadsheet does not run', async () => {
  const { visit, cookie, ctx } = await setUp()
  await ctx.sql`update campaign set title = '=HYPERLINK("https://evil.example")'`
  const file = await visit('/account/donations.csv?year=2025', { cookie })
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="donations-2025.csv"')
  expect(file.headers.get('cache-control')).toBe('no-store')
  const [head = [], row = [], ...more] = parseCsv(file.html)
  expect(more).toEqual([])
  expect(Object.fromEntries(head.map((name, index) => [name, row[index]]))).toMatchObject({
    paidAt: '2025-12-31T23:59:59.000Z',
    campaign: `'=HYPERLINK("https://evil.example")`,
    status: 'completed',
    amount: '10',
    currency: 'USDC',
    creditedAmount: '10',
    refundedAmount: '',
  })
  expect(parseCsv((await visit('/account/donations.csv?year=all', { cookie })).html)).toHaveLength(
    4,
  )
  expect((await visit('/account/donations.csv')).status).toBe(303)
})

test('continues a year by cursors', async () => {
  const { visit, cookie, ctx } = await setUp()
  await ctx.sql`
    insert into donation (id, user_id, campaign_id, chain_id, tx_hash, ledger_address,
                          declared_asset_id, declared_amount, status, expires_at, created_at)
    select gen_random_uuid(), user_id, campaign_id, chain_id, bytes_of('0x' || md5(i::text) || md5(i::text)),
           ledger_address, declared_asset_id, declared_amount, 'expired', now(), created_at
    from donation, generate_series(1, 30) i where status = 'failed'`
  const first = await visit('/account/donations', { cookie })
  expect(rows(first.html)).toBe(25)
  const [, next = ''] = /href="([^"]+)" rel="next"/.exec(first.html) ?? []
  expect(rows((await visit(next.replaceAll('&amp;', '&'), { cookie })).html)).toBe(7)
})
