import { expect, test } from 'vitest'
import { postCredits, reverseCredits } from '../../../src/domain/books/index.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import { createTestCampaign } from '../../support/world.ts'
import { createTestApi, type TestApi } from './support/api.ts'

const ACCOUNT = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const BLOCK_HASH = `0x${'bc'.repeat(32)}`

type Entry = { id: number; kind: string; reverses: number | null }
type Listed = { entries: Entry[]; pagination: { total: number; nextCursor: string | null } }

const createCampaign = async (api: TestApi) => {
  const { userId } = await api.signIn()
  const creator = { kind: 'user' as const, userId, roles: [] }
  const id = await createTestCampaign(api.ctx, { creator, account: ACCOUNT })
  return { id, userId }
}

let transfers = 0

/** Writes a credit as settling does, with its transfer and its donation. */
const credit = async (
  api: TestApi,
  campaign: { id: string; userId: string },
  asset: 'USDC' | 'ETH',
  amount: bigint,
  credited: bigint,
) => {
  const { sql, settings } = api.ctx
  const assetId = settings.assets.bySymbol(asset, 31337).id
  const [transferId, donationId] = [newId(), newId()]
  const txHash = `0x${(++transfers).toString(16).padStart(64, '0')}`
  await sql`
    insert into chain_transfer (id, chain_id, tx_hash, position, asset_id, sender, recipient,
                                amount, block_number, block_hash, mined_at, seen_at)
    values (${transferId}, 31337, ${txHash}, 0, ${assetId}, ${ACCOUNT}, ${ACCOUNT},
            ${amount.toString()}, 7, ${BLOCK_HASH}, now(), now())`
  await sql`
    insert into donation (id, user_id, campaign_id, chain_id, tx_hash, ledger_address,
                          declared_asset_id, declared_amount, expires_at, created_at)
    values (${donationId}, ${campaign.userId}, ${campaign.id}, 31337, ${txHash}, ${ACCOUNT},
            ${assetId}, ${amount.toString()}, now(), now())`
  await postCredits(api.ctx, [
    {
      donationId,
      campaignId: campaign.id,
      creatorId: campaign.userId,
      transferId,
      generation: 0,
      assetId,
      amount,
      currencyId: settings.assets.bySymbol('USDC', 31337).id,
      credited,
      blockNumber: 7,
      blockHash: BLOCK_HASH,
      minedAt: new Date(),
    },
  ])
  return { transferId, donationId, txHash }
}

const list = async (api: TestApi, id: string, query = '') => {
  const answer = await api.ask('GET', `/api/campaigns/${id}/ledger${query}`)
  expect(answer.status).toBe(200)
  return { ...(answer.body as unknown as Listed), text: answer.text }
}

test('shows every movement with its exact amount, its transaction and what it takes back', async () => {
  const api = await createTestApi()
  const campaign = await createCampaign(api)
  const first = await credit(api, campaign, 'USDC', 12_345_678n, 12_345_678n)
  const wei = 123_456_789_012_345_678_901_234_567n
  await credit(api, campaign, 'ETH', wei, 1n)
  await reverseCredits(api.ctx, [first.transferId])
  const { entries, pagination, text } = await list(api, campaign.id)
  expect(pagination.total).toBe(4)
  const [reversal, conversion, eth, usdc] = entries
  expect(usdc).toMatchObject({
    kind: 'donation',
    debit: 'custody',
    credit: 'held',
    amount: { value: 12.345678, currency: 'USDC' },
    donationId: first.donationId,
    txHash: first.txHash,
    blockNumber: 7,
    blockHash: BLOCK_HASH,
    reverses: null,
  })
  expect(eth).toMatchObject({ debit: 'custody', credit: 'exchange', amount: { currency: 'ETH' } })
  expect(text).toContain('"value":123456789.012345678901234567,"currency":"ETH"')
  expect(conversion).toMatchObject({ kind: 'conversion', debit: 'exchange', credit: 'held' })
  expect(text).toContain('"value":0.000001,"currency":"USDC"')
  expect(reversal).toMatchObject({
    kind: 'reversal',
    debit: 'held',
    credit: 'custody',
    reverses: usdc?.id,
    txHash: first.txHash,
  })
})

test('pages by cursor without gaps or doubles while entries are posted', async () => {
  const api = await createTestApi()
  const campaign = await createCampaign(api)
  for (let i = 0; i < 5; i++) await credit(api, campaign, 'USDC', 1n, 1n)
  const before = (await list(api, campaign.id)).entries.map(({ id }) => id)
  const seen: number[] = []
  let cursor: string | null = ''
  for (let round = 0; round < 5 && cursor !== null; round++) {
    const query = `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`
    const page: Listed = await list(api, campaign.id, query)
    seen.push(...page.entries.map(({ id }) => id))
    cursor = page.pagination.nextCursor
    await credit(api, campaign, 'USDC', 1n, 1n)
  }
  expect(seen).toEqual(before)
})

test('refuses the ledger of a draft or of nothing, and cursors that are none', async () => {
  const api = await createTestApi()
  const campaign = await createCampaign(api)
  expect((await list(api, campaign.id)).entries).toEqual([])
  const statusOf = async (path: string) => (await api.ask('GET', path)).status
  const cursor = Buffer.from('entry 99999999999999999').toString('base64url')
  for (const query of ['cursor=x', `cursor=${cursor}`, 'cursor=%00', 'limit=0']) {
    expect(await statusOf(`/api/campaigns/${campaign.id}/ledger?${query}`)).toBe(400)
  }
  expect(await statusOf(`/api/campaigns/${newId()}/ledger`)).toBe(404)
  expect(await statusOf('/api/campaigns/x/ledger')).toBe(404)
  await api.ctx.sql`update campaign set status = 'draft'`
  expect(await statusOf(`/api/campaigns/${campaign.id}/ledger`)).toBe(404)
})
