import { expect } from 'vitest'
import { MAX_ATTEMPTS } from '../../../../src/domain/events/delivery/record-attempts.ts'
import { notify, queueMail } from '../../../../src/domain/people/index.ts'
import { newId } from '../../../../src/kernel/formats/ids.ts'
import { emit } from '../../../../src/outbox/emit.ts'
import { EVENT_TYPES } from '../../../../src/outbox/events.ts'
import { address, CHAIN_ID, startChain, USDC_ASSET } from '../../../support/chain-facts.ts'
import { linkWallet } from '../../../support/linked-wallet.ts'
import { waitFor } from '../../../support/wait-for.ts'
import { createTestCampaign, TOKEN } from '../../../support/world.ts'
import { SMALL_TERMS } from '../../escrow/support/small-terms.ts'
import { type Caller, campaignBody, refusal, type TestApi } from './api.ts'

const ITEMS = 100
const PAGE = `limit=${ITEMS}`
/** The longest text in JSON, because each character becomes an escape of six bytes. */
const longText = (characters: number) => '\u0001'.repeat(characters)
/** The largest amount of which a hundred still add up without overflow. */
const LARGEST = (2n ** 256n - 1n) / 1_000n
const HASH = `0x${'ab'.repeat(32)}`

/**
 * Makes the largest items of a list. Returns the path of the list, the caller's token and the
 * number of items.
 */
type Filled = { path: string; token?: string; items: number }
type Fill = (api: TestApi, creator: Caller) => Promise<Filled>

const hundred = async (make: (index: number) => Promise<unknown>): Promise<void> => {
  for (let index = 0; index < ITEMS; index++) await make(index)
}

const post = async (api: TestApi, path: string, token: string, body: unknown) => {
  const answer = await api.ask('POST', path, { token, body })
  expect(answer.status, answer.text.slice(0, 500)).toBe(201)
  return answer.body
}

const campaignOf = (api: TestApi, { userId }: Caller): Promise<string> =>
  createTestCampaign(api.ctx, {
    creator: { userId },
    account: address('campaign'),
    target: '1000',
    milestones: ['1000'],
  })

const fillCampaigns =
  (path: string): Fill =>
  async (api, { token }) => {
    await hundred((index) =>
      post(
        api,
        '/api/campaigns',
        token,
        campaignBody({
          title: longText(200),
          slug: `${index}`.padStart(80, 'x'),
          creator_name: '\u{fffd}'.repeat(80),
          ends_at: '2099-12-31T23:59:59Z',
          description: longText(20_000),
          target_amount: LARGEST.toString().slice(0, -6),
          ledger_account: `0x${(index + 1).toString().padStart(40, '0')}`,
          milestones: Array(50).fill({
            title: longText(200),
            description: longText(20),
            amount: 1,
            verification_docs: [`https://example.org/${'x'.repeat(900)}`],
          }),
          category: longText(60),
          location: { country: longText(100), region: longText(100), coordinates: [-0.1, 0.2] },
        }),
      ),
    )
    await api.ctx.sql`
      update campaign_total set raised = ${LARGEST.toString()}, donations = 2147483647`
    await api.ctx.sql`
      insert into campaign_cover (campaign_id, type, width, height, tag, bytes)
      select id, 'image/webp', 9999, 2500, '', '' from campaign`
    return { path: `${path}?${PAGE}`, token, items: ITEMS }
  }

const fillUpdates: Fill = async (api, creator) => {
  const campaignId = await campaignOf(api, creator)
  await hundred(() =>
    post(api, '/api/updates', creator.token, {
      campaignId,
      type: longText(40),
      title: longText(200),
      content: longText(30_000),
      media: Array(20).fill({
        type: longText(60),
        url: `https://example.org/${'ä'.repeat(990)}`,
        caption: longText(50),
      }),
    }),
  )
  return { path: `/api/updates?${PAGE}`, items: ITEMS }
}

const fillImpact: Fill = async (api, creator) => {
  const campaignId = await campaignOf(api, creator)
  const metric = { name: 'x', current: 1 }
  const body = {
    campaignId,
    category: longText(60),
    beneficiaries: { direct: Number.MAX_SAFE_INTEGER, indirect: Number.MAX_SAFE_INTEGER },
  }
  const longest = [...Array(49).fill(metric), { ...metric, verificationMethod: longText(440) }]
  await hundred(() => post(api, '/api/impactmetrics', creator.token, { ...body, metrics: longest }))
  const longer = [...longest.slice(1), { ...metric, verificationMethod: longText(30) }]
  const refused = await api.ask('POST', '/api/impactmetrics', {
    token: creator.token,
    body: { ...body, metrics: longer },
  })
  expect(refused).toMatchObject(refusal(400, 'invalid_input'))
  return { path: `/api/impactmetrics/${campaignId}?${PAGE}`, items: ITEMS }
}

const fillDonations: Fill = async (api, creator) => {
  const campaignId = await campaignOf(api, creator)
  await hundred(() =>
    post(api, '/v1/donations', creator.token, {
      campaignId,
      amount: { value: LARGEST.toString().slice(0, -18), currency: 'ETH' },
      type: '\u{fffd}'.repeat(40),
      donor: {
        walletAddress: address('donor'),
        name: '\u{fffd}'.repeat(80),
        message: '\u{fffd}'.repeat(280),
      },
    }),
  )
  const step = {
    pair: 'ABCDEFGHIJKLMNOP/ABCDEFGHIJKLMNOP',
    inverse: false,
    price: '1'.repeat(80),
    method: 'block',
    feed: address('feed'),
    roundId: '9'.repeat(40),
    answer: '9'.repeat(78),
    decimals: 18,
    updatedAt: '2026-03-01T00:00:00.000Z',
  }
  const { sql } = api.ctx
  await sql`
    update donation set status = 'failed', reason = 'transfer_already_claimed', tx_hash = ${HASH},
      original_tx_hash = ${HASH}, replaced_by = ${HASH}, block_number = 99999999,
      confirmed_asset_id = declared_asset_id, confirmed_amount = declared_amount,
      credited_amount = declared_amount, price = ${'1'.repeat(160)}, completed_at = now(),
      price_source = ${sql.json([step, step, step, step])}, discrepancy = true`
  const path = `/api/donations?campaignId=${campaignId}&status=failed&${PAGE}`
  return { path, token: creator.token, items: ITEMS }
}

const fillV1Donations: Fill = async (api, creator) => {
  const filled = await fillDonations(api, creator)
  return { ...filled, path: filled.path.replace('/api/', '/v1/') }
}

/** Stores a hundred transfers of the largest amount, from a wallet of the creator. */
const fillTransfers = async (api: TestApi, creator: Caller): Promise<string> => {
  const campaignId = await campaignOf(api, creator)
  const { sql } = api.ctx
  await startChain(api.ctx)
  await linkWallet(api, creator.userId, address('donor'))
  await sql`
    insert into chain_transfer (id, chain_id, tx_hash, position, asset_id, sender, recipient,
                                amount, block_number, block_hash, mined_at, seen_at)
    select gen_random_uuid(), ${CHAIN_ID}, ${HASH}, n, ${USDC_ASSET}, ${address('donor')},
           ${address('campaign')}, ${LARGEST.toString()}, 7, ${HASH}, now(), now()
    from generate_series(1, ${ITEMS}) n`
  return campaignId
}

const fillDeposits: Fill = async (api, creator) => {
  const campaignId = await fillTransfers(api, creator)
  const path = `/api/campaigns/${campaignId}/deposits?${PAGE}`
  return { path, token: creator.token, items: ITEMS }
}

const fillOwnDeposits: Fill = async (api, creator) => {
  await fillTransfers(api, creator)
  return { path: `/api/deposits?${PAGE}`, token: creator.token, items: ITEMS }
}

const fillLedger: Fill = async (api, creator) => {
  const campaignId = await fillTransfers(api, creator)
  const { sql } = api.ctx
  await sql`
    insert into ledger_account (kind, campaign_id, asset_id)
    select kind, ${campaignId}, ${USDC_ASSET} from unnest(array['custody', 'unclaimed']) kind`
  await sql`
    insert into ledger_entry (kind, debit_account, credit_account, asset_id, amount, campaign_id,
                              transfer_id, generation, block_number, block_hash, created_at)
    select 'deposit', debit.id, credit.id, ${USDC_ASSET}, ${LARGEST.toString()}, ${campaignId},
           transfer.id, 0, 99999999, ${HASH}, now()
    from chain_transfer transfer, ledger_account debit, ledger_account credit
    where debit.kind = 'custody' and credit.kind = 'unclaimed'`
  return { path: `/api/campaigns/${campaignId}/ledger?${PAGE}`, items: ITEMS }
}

const fillReconciliation: Fill = async (api, creator) => {
  const { sql } = api.ctx
  await hundred((index) =>
    createTestCampaign(api.ctx, {
      creator,
      account: `0x${(index + 1).toString().padStart(40, '0')}`,
      target: '1000',
    }),
  )
  await startChain(api.ctx)
  await sql`update campaign set title = ${longText(200)}`
  await sql`update campaign_total set raised = ${LARGEST.toString()}`
  await sql`
    insert into chain_transfer (id, chain_id, tx_hash, position, asset_id, sender, recipient,
                                amount, block_number, block_hash, mined_at, seen_at)
    select gen_random_uuid(), ${CHAIN_ID}, ${HASH}, 1, asset.id, ${address('donor')},
           campaign.account, ${LARGEST.toString()}, 0, ${HASH}, now(), now()
    from campaign, asset where asset.chain_id = ${CHAIN_ID} and asset.kind = 'token'`
  return { path: `/api/reconciliation?${PAGE}`, token: creator.token, items: ITEMS }
}

const fillDifferences: Fill = async (api, creator) => {
  const campaignId = await campaignOf(api, creator)
  await api.ctx.sql`
    insert into ledger_difference (id, kind, chain_id, campaign_id, account, asset_id, block_number,
      first_block, block_hash, tx_hash, expected, actual, note, opened_at, resolved_at, resolution)
    select gen_random_uuid(), 'transfer_differs', ${CHAIN_ID}, ${campaignId}, ${address('campaign')},
           ${USDC_ASSET}, n, n, ${HASH}, ${HASH}, ${LARGEST.toString()}, ${LARGEST.toString()},
           ${'n'.repeat(1_000)}, now(), now(), ${'r'.repeat(200)}
    from generate_series(1, ${ITEMS}) n`
  const path = `/api/reconciliation/differences?status=all&${PAGE}`
  return { path, token: creator.token, items: ITEMS }
}

const fillNotifications: Fill = async (api, { userId, token }) => {
  await notify(
    api.ctx,
    Array(ITEMS).fill({
      userId,
      type: 'milestone_rejected',
      values: { campaign: longText(200), milestone: longText(200) },
      data: { campaignId: newId(), milestoneId: newId() },
    }),
  )
  return { path: `/api/notifications?${PAGE}`, token, items: ITEMS }
}

const fillKeys: Fill = async (api, { token }) => {
  const scopes = ['read', 'donations:write', 'campaigns:write']
  for (let made = 0; made < ITEMS; made++) {
    await post(api, '/api/keys', token, { name: longText(100), scopes })
    await api.ctx.sql`update api_key set revoked_at = now(), last_used_at = now()`
  }
  return { path: `/api/keys?${PAGE}`, token, items: ITEMS }
}

const MOST_WALLETS = 50
const fillWallets: Fill = async (api, { userId, token }) => {
  await api.ctx.sql`
    insert into wallet (id, user_id, address, chain_id, method, created_at)
    select gen_random_uuid(), ${userId}, bytes_of('0x' || lpad(n::text, 40, '0')), ${CHAIN_ID}, 'eip1271', now()
    from generate_series(1, ${MOST_WALLETS}) n`
  return { path: '/api/auth/wallets', token, items: MOST_WALLETS }
}

const MOST_ENDPOINTS = 20
const fillWebhooks: Fill = async (api, { token }) => {
  const headers = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => [`x-${index}`.padEnd(64, 'x'), 'value']),
  )
  for (let made = 0; made < MOST_ENDPOINTS; made++) {
    await post(api, '/api/webhooks', token, {
      url: `https://example.com/${'ä'.repeat(2_000)}`,
      events: EVENT_TYPES.filter((type) => type !== 'reconciliation.difference'),
      description: longText(200),
      headers,
      signing: 'ed25519',
    })
  }
  return { path: `/api/webhooks?${PAGE}`, token, items: MOST_ENDPOINTS }
}

const fillDeliveries: Fill = async (api, creator) => {
  const { sql } = api.ctx
  const endpointId = newId()
  const campaignId = await campaignOf(api, creator)
  await sql`
    insert into webhook_endpoint (id, user_id, url, events, secret_sealed, created_at)
    values (${endpointId}, ${creator.userId}, 'http://127.0.0.1/', '{user.verified}', 'none', now())`
  await sql`
    with made as (
      insert into event (id, type, campaign_id, audience, packed, created_at)
      select gen_random_uuid(), 'campaign.threshold.reverted', ${campaignId}, '{}', '{}', now()
      from generate_series(1, ${ITEMS}) returning id)
    insert into webhook_delivery (id, event_id, endpoint_id, event_type, event_seq, status, created_at)
    select gen_random_uuid(), id, ${endpointId}, 'campaign.threshold.reverted', 0, 'delivered', now()
    from made`
  return {
    path: `/api/webhooks/${endpointId}/deliveries?${PAGE}`,
    token: creator.token,
    items: ITEMS,
  }
}

const evidence = (bytes: number) => [
  ...Array(15).fill({
    type: 'document',
    url: `https://example.org/${'x'.repeat(1_900)}`,
    timestamp: '2026-03-01T10:00:00+02:00',
  }),
  { type: 'x', url: `https://example.org/${'x'.repeat(bytes)}`, timestamp: '2026-03-01T10:00:00Z' },
]

const fillEvents: Fill = async (api, { userId, token }) => {
  const campaignId = newId()
  await emit(
    api.ctx,
    Array(ITEMS).fill({
      type: 'impact.verified',
      campaignId: null,
      audience: [userId],
      data: {
        campaignId,
        verifiers: [userId, userId],
        evidence: [...evidence(1_000), ...evidence(1_000)],
        verifiedAt: new Date().toISOString(),
      },
    }),
  )
  await waitFor(
    'the feed to tell them',
    () => api.ask('GET', '/api/events', { token }),
    ({ body }) => (body.events as unknown[]).length > 0,
  )
  // The other events are on the next page.
  return { path: `/api/events?${PAGE}`, token, items: 1 }
}

const fillVerifications: Fill = async (api, creator) => {
  const campaignId = await campaignOf(api, creator)
  const { sql } = api.ctx
  const [milestone] = await sql<{ id: string }[]>`
    select id from milestone where campaign_id = ${campaignId}`
  const id = milestone?.id ?? ''
  await sql`
    insert into milestone_verification (id, milestone_id, round, decision, evidence, evidence_hash,
                                        verifier_id, signer, signature, method, created_at)
    select gen_random_uuid(), ${id}, n, 'rejected', ${sql.json(evidence(500))}, ${HASH},
           ${creator.userId}, ${address('signer')}, ${`0x${'1b'.repeat(8_192)}`}, 'eip1271', now()
    from generate_series(1, ${ITEMS}) n`
  return { path: `/api/milestones/${id}/verification`, items: 1 }
}

const fillAttempts: Fill = async (api, creator) => {
  const { path } = await fillDeliveries(api, creator)
  const { sql } = api.ctx
  const [delivery] = await sql<{ id: string }[]>`select id from webhook_delivery limit 1`
  const attempt = {
    startedAt: new Date().toISOString(),
    durationMs: 15_000,
    statusCode: 500,
    errorKind: 'http',
    responseBody: longText(20_000),
  }
  await sql`
    update webhook_delivery
    set attempts = ${MAX_ATTEMPTS},
        attempt_log = ${sql.json(Array.from({ length: MAX_ATTEMPTS }, () => attempt))}
    where id = ${delivery?.id ?? ''}`
  const at = path.replace(`?${PAGE}`, `/${delivery?.id}`)
  return { path: at, token: creator.token, items: MAX_ATTEMPTS }
}

const MOST_MAILS = 20
const fillMail: Fill = async (api) => {
  const to = 'ada@example.org'
  for (let made = 0; made < MOST_MAILS; made++) {
    const values = { url: `https://example.com/${'x'.repeat(12_000)}`, reason: 'failing' } as const
    await queueMail(api.ctx, { to, lang: 'en', template: 'endpoint_disabled', values })
  }
  return { path: `/api/sandbox/mail?to=${to}`, items: MOST_MAILS }
}

const fillSessions: Fill = async ({ ctx }, { userId, token }) => {
  await ctx.sql`
    insert into session (id, user_id, created_at, expires_at, user_agent)
    select gen_random_uuid(), ${userId}, now(), now() + interval '1 day', ${longText(200)}
    from generate_series(1, ${ITEMS}::int)`
  return { path: `/api/auth/sessions?${PAGE}`, token, items: ITEMS }
}

/** The list contains the configured chains. */
const fillChains: Fill = async () => ({ path: '/api/chains', items: 1 })

const fillReturns: Fill = async (api, creator) => {
  const campaignId = await fillTransfers(api, creator)
  const { sql } = api.ctx
  await sql`
    insert into campaign_escrow (campaign_id, terms) values (${campaignId}, ${SMALL_TERMS})`
  await sql`update chain_state set finalized_number = 99999999, cursor_number = 99999999`
  return { path: `/api/campaigns/${campaignId}/returns?${PAGE}`, items: ITEMS }
}

/** One refund. A list of refunds is short: one by the contract, and one for each transfer. */
const fillAccountRefunds: Fill = async (api, creator) => {
  const { sql } = api.ctx
  const campaignId = await campaignOf(api, creator)
  await sql`
    insert into campaign_escrow (campaign_id, terms) values (${campaignId}, ${SMALL_TERMS})`
  const donor = address('donor')
  const gift = { donor, payer: donor, asset: TOKEN, amount: LARGEST.toString(), recorded: true }
  const failure = { reason: 'closed', pool: '1', total: '1', recorded: '1', reasonHash: HASH }
  await sql`
    insert into escrow_event
      (id, chain_id, account, campaign_id, tx_hash, position, kind, fields, block_number,
       block_hash, mined_at, settled_at)
    select gen_random_uuid(), ${CHAIN_ID}, ${address('campaign')}, ${campaignId}, ${HASH}, number,
           case number when 1 then 'Failed' when 2 then 'Donated' else 'Refunded' end,
           case number when 1 then ${sql.json(failure)}::jsonb else ${sql.json(gift)}::jsonb end,
           1, '0x', now(), now()
    from generate_series(1, ${ITEMS}::int) number`
  return { path: `/api/campaigns/${campaignId}/refunds/${donor}`, items: 1 }
}

/** The items by the operation that lists them. */
export const LARGEST_ITEMS: Readonly<Record<string, Fill>> = {
  listCampaigns: fillCampaigns('/api/campaigns'),
  v1ListCampaigns: fillCampaigns('/v1/campaigns'),
  listUpdates: fillUpdates,
  listImpact: fillImpact,
  listDonations: fillDonations,
  v1ListDonations: fillV1Donations,
  listDeposits: fillDeposits,
  listOwnDeposits: fillOwnDeposits,
  listLedgerEntries: fillLedger,
  getReconciliation: fillReconciliation,
  listDifferences: fillDifferences,
  listReturns: fillReturns,
  listNotifications: fillNotifications,
  listKeys: fillKeys,
  listSessions: fillSessions,
  listChains: fillChains,
  listWallets: fillWallets,
  listWebhooks: fillWebhooks,
  listWebhookDeliveries: fillDeliveries,
  listEvents: fillEvents,
  listSandboxMail: fillMail,
  listAccountRefunds: fillAccountRefunds,
  getMilestoneVerification: fillVerifications,
  getWebhookDelivery: fillAttempts,
}
