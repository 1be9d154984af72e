import { Wallet } from 'ethers'
import { describe, expect, test } from 'vitest'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { newId } from '../../../src/kernel/formats/ids.ts'
import {
  address,
  applyBlock,
  CHAIN_ID,
  minedAt,
  type Payment,
  startChain,
  txHash,
  USDC_ASSET,
} from '../../support/chain-facts.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { finalise } from '../../support/finalise.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { deployWallet, planWallet, signTogether } from '../../support/test-wallets.ts'
import { createTestCampaign, type WorldOptions } from '../../support/world.ts'
import { type Caller, createTestApi, refusal } from './support/api.ts'

const ACCOUNT = address('campaign')
type Body = Record<string, unknown>

const setUp = async (options: WorldOptions = {}) => {
  const api = await createTestApi(options)
  const { ctx } = api
  const creator = await api.signIn()
  const newCampaign = (createdAt = new Date(0)) =>
    createTestCampaign(ctx, { creator, account: ACCOUNT, createdAt })
  const campaignId = await newCampaign()
  await startChain(ctx)
  let blocks = 0
  const idOf = async (tx = 'gift', position?: number) => {
    const [row] = await ctx.sql<{ id: string }[]>`
      select id from chain_transfer where tx_hash = ${txHash(tx)}
        and (${position ?? null}::int is null or position = ${position ?? null})`
    return row?.id ?? ''
  }
  const listed = (body: Body) => body.deposits as Body[]
  return {
    ...{ api, ctx, creator, campaignId, newCampaign, idOf },
    key: Wallet.createRandom(),
    mine: async (payments: (Partial<Payment> & { from: string })[]) => {
      blocks++
      const whole = payments.map((one) => ({
        ...{ tx: 'gift', to: ACCOUNT, claimed: false },
        ...(one.wei === undefined ? { usdc: 10_000_000n } : {}),
        ...one,
        from: one.from.toLowerCase(),
      }))
      await applyBlock(ctx, blocks, whole)
    },
    finalise: () => finalise(ctx, blocks),
    link: (caller: Caller, wallet: string, method = 'ecdsa', chainId = CHAIN_ID) =>
      linkWallet(api, caller.userId, wallet, { method, chainId }),
    deposits: async (query = '', by: Caller = creator) =>
      listed(
        (await api.ask('GET', `/api/campaigns/${campaignId}/deposits${query}`, { token: by.token }))
          .body,
      ),
    own: async (by: Caller, query = '') =>
      listed((await api.ask('GET', `/api/deposits${query}`, { token: by.token })).body),
    challenge: async (by: Caller, id: string) => {
      const answer = await api.ask('POST', `/api/deposits/${id}/challenge`, { token: by.token })
      expect(answer.status).toBe(201)
      return answer.body.challenge as { message: string; nonce: string; address: string }
    },
    claim: (by: Caller, id: string, signature?: string) =>
      api.ask('POST', `/api/deposits/${id}/claim`, {
        token: by.token,
        body: signature === undefined ? {} : { signature },
      }),
    raised: async () =>
      (await ctx.sql<{ raised: string; donations: number }[]>`select * from campaign_total`)[0],
    balanced: async () => expect((await checkLedger(ctx.pool)).differences).toEqual([]),
  }
}

test('lists every transfer to the account for the creator, newest first, with who claimed it', async () => {
  const { api, creator, campaignId, key, mine, finalise, deposits, link, claim, idOf } =
    await setUp()
  const donor = await api.signIn()
  await mine([{ tx: 'first', from: key.address }])
  await finalise()
  await mine([
    { tx: 'batch', from: key.address, position: 4, usdc: 1n },
    { tx: 'batch', from: key.address, wei: 1n },
    { tx: 'batch', from: key.address, wei: 2n, position: -3 },
  ])
  await link(donor, key.address)
  const { body } = await claim(donor, await idOf('first'))
  const donationId = (body.donation as { id: string }).id
  const all = await deposits()
  expect(all).toHaveLength(4)
  expect(all[3]).toEqual({
    id: await idOf('first'),
    campaignId,
    chainId: CHAIN_ID,
    txHash: txHash('first'),
    logPosition: 0,
    sender: key.address,
    account: expect.stringMatching(new RegExp(`^${ACCOUNT}$`, 'i')),
    amount: { value: 10, currency: 'USDC' },
    asset: USDC_ASSET,
    blockNumber: 1,
    minedAt: minedAt(1).toISOString(),
    final: true,
    claimedBy: donationId,
    beforeCampaign: false,
  })
  expect(all.slice(0, 3).map((one) => one.logPosition)).toEqual(
    expect.arrayContaining([4, 'native', 'internal']),
  )
  expect(all.slice(0, 3).map((one) => one.final)).toEqual([false, false, false])
  expect(await deposits('?status=unclaimed')).toEqual(all.slice(0, 3))
  expect(await deposits('?status=claimed')).toEqual([all[3]])
  const pages = [await deposits('?limit=3'), await deposits('?limit=3&page=2')]
  expect(pages.flat()).toEqual(all)
  const first = await api.ask('GET', `/api/campaigns/${campaignId}/deposits?limit=3`, {
    token: creator.token,
  })
  const { nextCursor } = first.body.pagination as { nextCursor: string }
  expect(await deposits(`?limit=3&cursor=${nextCursor}`)).toEqual(all.slice(3))
})

test('shows deposits to the creator and administrators only, and none of another campaign', async () => {
  const { api, ctx, campaignId, creator, newCampaign, key, mine, deposits } = await setUp()
  const path = `/api/campaigns/${campaignId}/deposits`
  await mine([{ tx: 'early', from: key.address }])
  await ctx.sql`update campaign set status = 'completed' where id = ${campaignId}`
  const next = await newCampaign(new Date(minedAt(1).getTime() + 1_000))
  await mine([{ tx: 'late', from: key.address }])
  expect((await deposits()).map((one) => one.txHash)).toEqual([txHash('early')])
  const later = await api.ask('GET', `/api/campaigns/${next}/deposits`, { token: creator.token })
  expect(later.body.deposits).toMatchObject([{ txHash: txHash('late'), campaignId: next }])
  const [donor, admin] = [await api.signIn(), await api.signIn({ roles: ['admin'] })]
  expect((await api.ask('GET', path)).status).toBe(401)
  expect((await api.ask('GET', path, { token: donor.token })).status).toBe(403)
  expect((await api.ask('GET', path, { token: admin.token })).status).toBe(200)
  const nowhere = `/api/campaigns/${newId()}/deposits`
  expect((await api.ask('GET', nowhere, { token: admin.token })).status).toBe(404)
})

test('lists to a user the unclaimed deposits that their linked wallets have sent', async () => {
  const { api, key, mine, own, link, claim, idOf } = await setUp()
  const [donor, other] = [await api.signIn(), await api.signIn()]
  const second = Wallet.createRandom()
  await mine([
    { tx: 'a', from: key.address },
    { tx: 'b', from: second.address, usdc: 2n },
    { tx: 'c', from: address('another account') },
  ])
  expect(await own(donor)).toEqual([])
  await link(donor, key.address)
  await link(donor, second.address)
  expect((await own(donor)).map((one) => one.txHash).toSorted()).toEqual(
    [txHash('a'), txHash('b')].toSorted(),
  )
  expect(await own(donor, `?wallet=${second.address}`)).toMatchObject([{ txHash: txHash('b') }])
  await claim(donor, await idOf('a'))
  expect(await own(donor)).toMatchObject([{ txHash: txHash('b') }])
  expect(await own(donor, '?status=claimed')).toMatchObject([{ txHash: txHash('a') }])
  expect(await own(other)).toEqual([])
  const theirs = await api.ask('GET', `/api/deposits?wallet=${key.address}`, { token: other.token })
  expect(theirs).toMatchObject(refusal(403, 'forbidden'))
  expect((await api.ask('GET', '/api/deposits')).status).toBe(401)
})

test('takes the sending wallet’s signature as proof, and credits the deposit once it is final', async () => {
  const { api, campaignId, key, mine, finalise, challenge, claim, idOf, raised, balanced } =
    await setUp()
  const donor = await api.signIn()
  await mine([{ from: key.address, usdc: 12_500_000n }])
  const id = await idOf()
  const { message, nonce, address: signer } = await challenge(donor, id)
  expect(signer).toBe(key.address)
  for (const named of [id, campaignId, donor.userId, nonce, '12.5 USDC', txHash('gift')]) {
    expect(message).toContain(named)
  }
  expect(message.toLowerCase()).toContain(`eip155:${CHAIN_ID}:${ACCOUNT}`)
  const claimed = await claim(donor, id, await key.signMessage(message))
  expect(claimed).toMatchObject({
    status: 201,
    body: {
      donation: {
        userId: donor.userId,
        campaignId,
        status: 'confirming',
        confirmation: { reason: 'waiting_for_finality' },
        amount: { value: 12.5, currency: 'USDC' },
        transaction: { txHash: txHash('gift'), logPosition: 0 },
      },
    },
  })
  expect(claimed.headers.get('location')).toMatch(/^\/api\/donations\//)
  await finalise()
  expect(await raised()).toMatchObject({ raised: '12500000', donations: 1 })
  await balanced()
})

test('credits a deposit that was booked as unclaimed long before', async () => {
  const { api, key, mine, finalise, link, claim, idOf, raised, balanced, ctx } = await setUp()
  await mine([{ from: key.address }])
  await finalise()
  expect(await raised()).toMatchObject({ raised: '0' })
  await balanced()
  const donor = await api.signIn()
  await link(donor, key.address)
  expect((await claim(donor, await idOf())).status).toBe(201)
  await finalise()
  expect(await raised()).toMatchObject({ raised: '10000000', donations: 1 })
  const [custody] = await ctx.sql<{ amount: string }[]>`
    select sum(case when debit.kind = 'custody' then entry.amount else 0 end)
         - sum(case when credit.kind = 'custody' then entry.amount else 0 end) as amount
    from ledger_entry entry
    join ledger_account debit on debit.id = entry.debit_account
    join ledger_account credit on credit.id = entry.credit_account`
  expect(custody?.amount).toBe('10000000')
  await balanced()
})

test('refuses what is no proof of the sending wallet', async () => {
  const clock = createFakeClock()
  const { api, key, mine, challenge, claim, idOf, link } = await setUp({ clock })
  const [donor, other, holder] = [await api.signIn(), await api.signIn(), await api.signIn()]
  await mine([{ from: key.address }])
  const id = await idOf()
  const refused = async (by: Caller, signature?: string, deposit = id) => {
    const { status, body } = await claim(by, deposit, signature)
    return [status, body.code]
  }
  expect(await refused(donor)).toEqual([400, 'invalid_signature'])
  const some = await key.signMessage('hello')
  expect(await refused(donor, some)).toEqual([400, 'invalid_challenge'])
  const { message } = await challenge(donor, id)
  const good = await key.signMessage(message)
  expect(await refused(donor, some)).toEqual([400, 'invalid_signature'])
  const foreign = await Wallet.createRandom().signMessage(message)
  expect(await refused(donor, foreign)).toEqual([400, 'invalid_signature'])
  // Another user who has seen the signature cannot claim with it, not even with a challenge for
  // that user.
  await challenge(other, id)
  expect(await refused(other, good)).toEqual([400, 'invalid_signature'])
  const newer = await challenge(donor, id)
  expect(await refused(donor, good)).toEqual([400, 'invalid_signature'])
  clock.advance(10 * 60_000)
  expect(await refused(donor, await key.signMessage(newer.message))).toEqual([
    400,
    'invalid_challenge',
  ])
  const newest = await challenge(donor, id)
  await link(holder, key.address)
  expect(await refused(donor, await key.signMessage(newest.message))).toEqual([409, 'wallet_taken'])
  expect(await refused(donor, good, newId())).toEqual([404, 'not_found'])
  expect(await refused(holder)).toEqual([201, undefined])
  expect((await api.ask('POST', `/api/deposits/${id}/claim`, { body: {} })).status).toBe(401)
  const unverified = await api.signIn({ verified: false })
  expect(await refused(unverified)).toEqual([403, 'email_unverified'])
})

test('gives an internal payment to its sender, and not to a user who only names the transaction', async () => {
  const { api, key, mine, link, claim, idOf } = await setUp()
  const donor = await api.signIn()
  await mine([
    { from: key.address, wei: 5n, position: -2 },
    { from: key.address, wei: 7n, position: -3 },
  ])
  await link(donor, key.address)
  const { body } = await claim(donor, await idOf('gift', -3))
  expect(body.donation).toMatchObject({ transaction: { logPosition: 'internal' } })
  expect((await claim(donor, await idOf('gift', -2))).status).toBe(201)
})

test('moves a deposit from a stranger to the wallet that signs, and never again', async () => {
  const { api, campaignId, key, mine, finalise, challenge, claim, idOf, link, raised, balanced } =
    await setUp()
  const [stranger, owner, buyer] = [await api.signIn(), await api.signIn(), await api.signIn()]
  await mine([{ from: key.address }])
  const posted = await api.ask('POST', '/api/donations', {
    token: stranger.token,
    body: {
      campaignId,
      amount: { value: 10, currency: 'USDC' },
      transaction: { txHash: txHash('gift'), ledgerAddress: ACCOUNT },
    },
  })
  const first = (posted.body.donation as { id: string }).id
  await api.ctx.sql`update donation set next_check_at = now() - interval '1 second'`
  const { matchLateDonations } = await import('../../../src/domain/blocks/index.ts')
  await matchLateDonations(api.ctx, CHAIN_ID)
  await finalise()
  const id = await idOf()
  const { message } = await challenge(owner, id)
  const moved = await claim(owner, id, await key.signMessage(message))
  expect(moved).toMatchObject({ status: 201, body: { donation: { status: 'completed' } } })
  const before = await api.ask('GET', `/api/donations/${first}`, { token: stranger.token })
  expect(before.body).toMatchObject({ status: 'failed', reason: 'moved_to_wallet_owner' })
  await link(buyer, key.address)
  const late = await claim(buyer, id)
  expect(late).toMatchObject(refusal(409, 'transfer_already_claimed'))
  expect(late.text).not.toContain(owner.userId)
  expect(await raised()).toMatchObject({ raised: '10000000', donations: 1 })
  await balanced()
})

test('makes one donation of fifty claims at once, signed or linked', async () => {
  const { api, key, mine, finalise, challenge, claim, idOf, link, raised, balanced } = await setUp()
  const [signer, linker] = [await api.signIn(), await api.signIn()]
  const second = Wallet.createRandom()
  await mine([
    { tx: 'signed', from: key.address },
    { tx: 'linked', from: second.address },
  ])
  const [signed, linked] = [await idOf('signed'), await idOf('linked')]
  const signature = await key.signMessage((await challenge(signer, signed)).message)
  await link(linker, second.address)
  const answers = await Promise.all(
    Array.from({ length: 25 }, () => [
      claim(signer, signed, signature),
      claim(linker, linked),
    ]).flat(),
  )
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(48)
  expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(2)
  await finalise()
  expect(await raised()).toMatchObject({ raised: '20000000', donations: 2 })
  await balanced()
})

test('of fifty users who all sign for one wallet at once, one has the deposit', async () => {
  const { api, key, mine, challenge, claim, idOf, ctx } = await setUp()
  await mine([{ from: key.address }])
  const id = await idOf()
  const claims = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const user = await api.signIn()
      const { message } = await challenge(user, id)
      return { user, signature: await key.signMessage(message) }
    }),
  )
  const answers = await Promise.all(claims.map(({ user, signature }) => claim(user, id, signature)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  const others = answers.filter(({ status }) => status !== 201)
  expect(new Set(others.map(({ body }) => body.code))).toEqual(
    new Set(['transfer_already_claimed']),
  )
  expect(await ctx.sql`select from donation`).toHaveLength(1)
})

test('a repeated request with its Idempotency-Key gets the stored answer', async () => {
  const { api, key, mine, challenge, idOf } = await setUp()
  const donor = await api.signIn()
  await mine([{ from: key.address }])
  const id = await idOf()
  const signature = await key.signMessage((await challenge(donor, id)).message)
  const ask = () =>
    api.ask('POST', `/api/deposits/${id}/claim`, {
      ...{ token: donor.token, key: 'one', body: { signature } },
    })
  const [first, again] = [await ask(), await ask()]
  expect([first.status, again.status]).toEqual([201, 201])
  expect(again.text).toBe(first.text)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
})

describe.runIf(hasAnvil)('a contract wallet', () => {
  test('claims what it has sent by EIP-1271, and before it exists by EIP-6492', async () => {
    const chain = await startTestChain()
    const { api, mine, challenge, claim, idOf } = await setUp({ rpcUrl: chain.url })
    const donor = await api.signIn()
    const deployed = await deployWallet(chain, [1, 2, 3], 2)
    const planned = await planWallet(chain, [1, 2], 2)
    await mine([
      { tx: 'deployed', from: deployed },
      { tx: 'planned', from: planned.address },
    ])
    const sign = (message: string, owners: number[]) =>
      signTogether(owners, (key) => key.signMessage(message))
    const first = await idOf('deployed')
    const { message } = await challenge(donor, first)
    expect(await claim(donor, first, await sign(message, [1]))).toMatchObject(
      refusal(400, 'invalid_signature'),
    )
    expect((await claim(donor, first, await sign(message, [1, 3]))).status).toBe(201)
    const second = await idOf('planned')
    const other = await challenge(donor, second)
    const wrapped = planned.wrap(await sign(other.message, [1, 2]))
    expect((await claim(donor, second, wrapped)).status).toBe(201)
  })
})
