import { expect, test } from 'vitest'
import { toChecksumAddress } from '../../../src/kernel/formats/address.ts'
import { address, applyBlock, type Payment, startChain, txHash } from '../../support/chain-facts.ts'
import { finalise } from '../../support/finalise.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { undoBlocks } from '../../support/undo-blocks.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createTestCampaign } from '../../support/world.ts'
import { type Answered, type Caller, createTestApi } from '../http/support/api.ts'

const ACCOUNT = address('campaign')
const DONOR = address('donor')
type Body = Record<string, unknown>

const usdc = (value: number | string) => ({ value, currency: 'USDC' })
const eth = (value: number | string) => ({ value, currency: 'ETH' })

/** An API with an imagined chain, and a campaign whose creator is not its donor. */
const setUp = async () => {
  const api = await createTestApi()
  const { ctx } = api
  const [creator, donor] = [await api.signIn(), await api.signIn()]
  const campaignId = await createTestCampaign(ctx, { creator, account: ACCOUNT })
  await startChain(ctx)
  return {
    api,
    ctx,
    creator,
    donor,
    campaignId,
    record: (
      amount: object,
      { by = donor, key, from = DONOR }: { by?: Caller; key?: string; from?: string } = {},
    ) =>
      api.ask('POST', '/api/donations', {
        token: by.token,
        key,
        body: {
          campaignId,
          amount,
          transaction: { txHash: txHash('gift'), ledgerAddress: from },
        },
      }),
    intend: async (amount: object): Promise<Answered> =>
      api.ask('POST', '/v1/donations', {
        token: donor.token,
        body: { campaignId, amount, donor: { walletAddress: DONOR } },
      }),
    link: (by: Caller) => linkWallet(api, by.userId, DONOR),
    mine: (payment: Partial<Payment>, branch = 'main') =>
      applyBlock(ctx, 1, [{ tx: 'gift', to: ACCOUNT, ...payment }], branch, 'main'),
    finalise: () => finalise(ctx, 1),
    undo: (branch = 'main') => undoBlocks(ctx, 1, 0, branch),
    claim: async (by: Caller) => {
      const [deposit] = await ctx.sql<{ id: string }[]>`select id from chain_transfer`
      return api.ask('POST', `/api/deposits/${deposit?.id}/claim`, { token: by.token, body: {} })
    },
    /** Reads a donation by each operation that shows it. All operations must show the same. */
    read: async (id: unknown): Promise<Body> => {
      const [one, v1] = await Promise.all([
        api.ask('GET', `/api/donations/${id}`),
        api.ask('GET', `/v1/donations/${id}`),
      ])
      expect(v1.body).toEqual(one.body)
      const filter = `campaignId=${campaignId}&status=${one.body.status}`
      const list = await api.ask('GET', `/api/donations?${filter}`)
      const listed = (list.body.donations as Body[]).find((donation) => donation.id === id)
      expect(listed).toEqual(one.body)
      return one.body
    },
    /** Waits until the feed has this number of the donor's events. Returns their types and data. */
    reported: async (count: number, by = donor): Promise<Body[]> => {
      const events = await waitFor(
        `${count} events in the feed`,
        async () =>
          (await api.ask('GET', '/api/events', { token: by.token })).body.events as Body[],
        (all) => all.length >= count,
      )
      return events.map(({ event, data }) => ({ event, ...(data as Body) }))
    },
    notices: async (by: Caller): Promise<string[]> => {
      const { body } = await api.ask('GET', '/api/notifications', { token: by.token })
      return (body.notifications as { message: string }[]).map(({ message }) => message)
    },
  }
}

const idOf = ({ body }: Answered): unknown => ((body.donation ?? body.data) as Body).id

test('shows what arrived as the amount from completed on, and what was declared beside it', async () => {
  const { record, read, mine, finalise, undo, reported, notices, ...world } = await setUp()
  const recorded = await record(usdc(1_000_000), { key: 'once' })
  const id = idOf(recorded)
  const declared = { amount: usdc(1_000_000), declaredAmount: usdc(1_000_000) }
  expect(recorded.body.donation).toMatchObject({
    ...{ ...declared, status: 'pending', confirmedAmount: null, creditedAmount: null },
    discrepancy: false,
  })
  expect(await read(id)).toMatchObject({ ...declared, status: 'pending', discrepancy: false })

  await mine({ usdc: 1n })
  expect(await read(id)).toMatchObject({
    ...{ ...declared, status: 'confirming', confirmedAmount: usdc(0.000001) },
    creditedAmount: null,
  })

  await finalise()
  const arrived = {
    amount: usdc(0.000001),
    declaredAmount: usdc(1_000_000),
    confirmedAmount: usdc(0.000001),
  }
  expect(await read(id)).toMatchObject({
    ...{ ...arrived, status: 'completed', creditedAmount: usdc(0.000001), discrepancy: true },
  })
  const inEvents = {
    donationId: id,
    amount: usdc('0.000001'),
    declaredAmount: usdc('1000000'),
    confirmedAmount: usdc('0.000001'),
    creditedAmount: usdc('0.000001'),
    discrepancy: true,
  }
  expect(await reported(1)).toMatchObject([{ event: 'donation.completed', ...inEvents }])
  for (const reader of [world.donor, world.creator]) {
    expect(await notices(reader)).toEqual([expect.stringMatching(/(^|[^\d.])0\.000001 USDC/)])
  }
  expect((await record(usdc(1_000_000), { key: 'once' })).text).toBe(recorded.text)

  await undo()
  expect(await read(id)).toMatchObject({
    ...{ ...arrived, status: 'reversed', creditedAmount: null, discrepancy: false },
  })
  expect((await reported(2))[1]).toMatchObject({
    ...{ ...inEvents, event: 'donation.reversed', reason: 'reorganised' },
  })
  expect((await notices(world.donor))[0]).toMatch(/(^|[^\d.])0\.000001 USDC/)

  await mine({ usdc: 2n }, 'other')
  expect(await read(id)).toMatchObject({ status: 'confirming', amount: usdc(0.000001) })
  await finalise()
  expect(await read(id)).toMatchObject({ status: 'completed', amount: usdc(0.000002) })
  expect((await reported(3))[2]).toMatchObject({ amount: usdc('0.000002') })
})

test('names what arrived in its own asset, and what it counts for in the campaign’s currency', async () => {
  const { record, read, mine, finalise, undo, reported, notices, donor } = await setUp()
  const id = idOf(await record(usdc(500)))
  await mine({ wei: 10n ** 16n })
  await finalise()
  const arrived = { amount: eth(0.01), declaredAmount: usdc(500), confirmedAmount: eth(0.01) }
  expect(await read(id)).toMatchObject({
    ...{ ...arrived, status: 'completed', creditedAmount: usdc(25) },
    discrepancy: true,
  })
  await undo()
  expect(await read(id)).toMatchObject({ ...arrived, status: 'reversed', discrepancy: false })
  const inEvents = {
    amount: eth('0.01'),
    declaredAmount: usdc('500'),
    confirmedAmount: eth('0.01'),
    creditedAmount: usdc('25'),
    discrepancy: true,
  }
  expect(await reported(2)).toMatchObject([
    { event: 'donation.completed', ...inEvents },
    { event: 'donation.reversed', ...inEvents, currentAmount: usdc('0') },
  ])
  for (const message of await notices(donor)) expect(message).toMatch(/(^|[^\d.])0\.01 ETH/)
})

test.each([
  ['under', { usdc: 9_999_999n }, usdc(9.999999)],
  ['over', { usdc: 10_000_001n }, usdc(10.000001)],
  ['other_asset', { wei: 10n ** 16n }, eth(0.01)],
])('an intent whose payment is %s shows what arrived as its amount', async (state, paid, sum) => {
  const { intend, read, mine, finalise, undo } = await setUp()
  const id = idOf(await intend(usdc(10)))
  expect(await read(id)).toMatchObject({ amount: usdc(10), declaredAmount: usdc(10) })
  await mine({ ...paid, claimed: false })
  expect(await read(id)).toMatchObject({ status: 'confirming', amount: usdc(10) })
  await finalise()
  const arrived = { amount: sum, declaredAmount: usdc(10), confirmedAmount: sum }
  expect(await read(id)).toMatchObject({
    ...{ ...arrived, status: 'completed', discrepancy: true },
    payment: { amount: '10', expected: usdc(10), received: sum, state },
  })
  await undo()
  expect(await read(id)).toMatchObject({
    ...{ ...arrived, status: 'reversed', discrepancy: false },
    payment: { amount: '10', expected: usdc(10), received: null, state: 'awaiting' },
  })
})

test('a credit that moves to the wallet’s owner keeps what arrived, for both of them', async () => {
  const { api, record, link, read, mine, finalise, reported } = await setUp()
  const owner = await api.signIn()
  const first = idOf(await record(usdc(1_000_000)))
  await mine({ usdc: 7_000_000n })
  await finalise()
  await link(owner)
  const moved = await record(usdc(12), { by: owner })
  expect(moved.body.donation).toMatchObject({
    ...{ status: 'completed', amount: usdc(7), declaredAmount: usdc(12) },
    ...{ confirmedAmount: usdc(7), creditedAmount: usdc(7), discrepancy: true },
  })
  expect(await read(first)).toMatchObject({
    ...{ status: 'failed', amount: usdc(7), declaredAmount: usdc(1_000_000) },
    ...{ confirmedAmount: usdc(7), creditedAmount: null, discrepancy: false },
  })
  expect((await reported(2))[1]).toMatchObject({
    ...{ event: 'donation.reversed', donationId: first },
    ...{ amount: usdc('7'), declaredAmount: usdc('1000000'), creditedAmount: usdc('7') },
  })
  expect(await reported(1, owner)).toMatchObject([
    {
      ...{ event: 'donation.completed', donationId: idOf(moved) },
      ...{ amount: usdc('7'), declaredAmount: usdc('12'), creditedAmount: usdc('7') },
    },
  ])
})

test('a claim that moves before its credit has no arrived amount, and shows the declared amount', async () => {
  const { api, record, link, read, mine } = await setUp()
  const owner = await api.signIn()
  const first = idOf(await record(usdc(1_000_000)))
  await mine({ usdc: 7_000_000n })
  await link(owner)
  await record(usdc(12), { by: owner })
  expect(await read(first)).toMatchObject({
    ...{ status: 'failed', amount: usdc(1_000_000), declaredAmount: usdc(1_000_000) },
    ...{ confirmedAmount: null, creditedAmount: null, discrepancy: false },
  })
})

test('a claimed deposit declares what arrived', async () => {
  const { link, mine, finalise, claim, donor } = await setUp()
  await mine({ usdc: 7_000_000n, claimed: false })
  await finalise()
  await link(donor)
  expect((await claim(donor)).body.donation).toMatchObject({
    ...{ amount: usdc(7), declaredAmount: usdc(7) },
  })
})

test('a donation that is given a transfer names an account of that transfer, not the one that was claimed', async () => {
  const { record, link, mine, finalise, read, claim, donor } = await setUp()
  const id = idOf(await record(usdc(7), { from: address('another account') }))
  await mine({ usdc: 7_000_000n })
  await link(donor)
  expect(await claim(donor)).toMatchObject({ status: 200, body: { donation: { id } } })
  await finalise()
  expect(await read(id)).toMatchObject({
    status: 'completed',
    transaction: { ledgerAddress: toChecksumAddress(DONOR) },
  })
})
