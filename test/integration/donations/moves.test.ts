import { expect, test } from 'vitest'
import { deleteAccount, ownAccount } from '../../../src/domain/account/index.ts'
import { getDonation } from '../../../src/domain/donations/index.ts'
import { unlinkWallet } from '../../../src/domain/people/index.ts'
import type { Actor } from '../../../src/kernel/actor.ts'
import { address, CHAIN_ID, type Payment, txHash } from '../../support/chain-facts.ts'
import { recordDonation, recordIntent } from '../../support/donate.ts'
import { linkWallet } from '../../support/linked-wallet.ts'
import { createContext, createUser } from '../../support/world.ts'
import { ACCOUNT, createSettledWorld, DONOR as WALLET } from './support/settled-world.ts'

type User = Actor & { kind: 'user' }
type Options = Parameters<typeof createSettledWorld>[0]

const setUp = async (options: Options = {}) => {
  const settled = await createSettledWorld(options)
  const { world, ctx, campaignId } = settled
  const [stranger, owner] = [await createUser(ctx), await createUser(ctx)]
  let blocks = 0
  const gift = { tx: 'gift', to: ACCOUNT, usdc: 10_000_000n }
  return {
    ...{ world, ctx, creator: settled.creator, stranger, owner, campaignId },
    record: async (user: User, changes: { value?: string; logPosition?: number } = {}) =>
      recordDonation(world.as(user), {
        campaignId,
        amount: { value: changes.value ?? '10', currency: 'USDC' },
        transaction: {
          txHash: txHash('gift'),
          ledgerAddress: ACCOUNT,
          ...(changes.logPosition === undefined ? {} : { logPosition: changes.logPosition }),
        },
      }),
    link: (user: User, wallet = WALLET, chainId = CHAIN_ID, method = 'ecdsa') =>
      linkWallet(world, user.userId, wallet, { chainId, method }),
    unlink: (user: User) => ctx.sql`delete from wallet where user_id = ${user.userId}`,
    mine: (payments: Partial<Payment>[] = [{}]) =>
      settled.block(
        ++blocks,
        payments.map((payment) => ({ ...gift, ...payment })),
      ),
    mineEther: () => settled.block(++blocks, [{ tx: 'gift', to: ACCOUNT, wei: 10n ** 18n }]),
    finalise: () => settled.finalise(blocks),
    reorg: (branch = 'main') => settled.undo(blocks, blocks - 1, branch),
    mineAgain: (branch: string) => settled.block(blocks, [gift], branch, 'main'),
    read: (user: User, id: string) => getDonation(world.as(user), id),
    raised: async () =>
      (await ctx.sql<{ raised: string; donations: number }[]>`select * from campaign_total`)[0],
    events: () => ctx.sql<{ type: string; audience: string[]; data: Record<string, unknown> }[]>`
      select type, audience, event.body::jsonb -> 'data' as data from event order by seq`,
    balanced: async () => expect(await settled.differences()).toEqual([]),
  }
}
const refusal = { code: 'transfer_already_claimed' }

test('a transaction that no block has shown stays with the user who recorded it first', async () => {
  const { record, stranger, owner, link } = await setUp()
  await record(stranger)
  await link(owner)
  await expect(record(owner)).rejects.toMatchObject({
    ...refusal,
    message: expect.stringMatching(/link the sending wallet.*again when a block holds it/),
  })
})

test('moves a claim that is not final to the one who has linked the sending wallet', async () => {
  const { record, stranger, owner, link, mine, finalise, read, events, balanced, ...rest } =
    await setUp()
  const first = await record(stranger)
  await mine()
  await expect(record(owner)).rejects.toMatchObject(refusal)
  await link(owner)
  const second = await record(owner)
  expect(second.created).toBe(true)
  expect(second.donation).toMatchObject({
    userId: owner.userId,
    status: 'confirming',
    confirmation: { reason: 'waiting_for_finality' },
    confirmedAmount: { value: '10' },
  })
  expect(await read(stranger, first.donation.id)).toMatchObject({
    status: 'failed',
    reason: 'moved_to_wallet_owner',
    confirmedAmount: null,
  })
  await finalise()
  expect(await read(owner, second.donation.id)).toMatchObject({ status: 'completed' })
  expect(await rest.raised()).toMatchObject({ raised: '10000000', donations: 1 })
  const happened = await events()
  expect(happened.map((event) => event.type)).toEqual(['donation.failed', 'donation.completed'])
  expect(happened[0]?.audience).toContain(stranger.userId)
  expect(happened[0]?.data).toMatchObject({ reason: 'moved_to_wallet_owner' })
  await balanced()
})

test('moves a credit in one transaction: the total and the thresholds stand still', async () => {
  const { record, stranger, owner, link, mine, finalise, read, events, balanced, ...rest } =
    await setUp({ target: '10', milestones: ['10'] })
  const first = await record(stranger)
  await mine()
  await finalise()
  const before = await rest.raised()
  await link(owner)
  const second = await record(owner, { value: '12' })
  expect(await rest.raised()).toEqual(before)
  await balanced()
  expect(await read(stranger, first.donation.id)).toMatchObject({
    status: 'failed',
    reason: 'moved_to_wallet_owner',
    creditedAmount: null,
  })
  expect(await read(owner, second.donation.id)).toMatchObject({
    status: 'completed',
    creditedAmount: { value: '10' },
    discrepancy: true,
  })
  const happened = await events()
  expect(happened.map((event) => event.type)).toEqual([
    'donation.completed',
    'campaign.milestone.reached',
    'campaign.funded',
    'donation.reversed',
    'donation.completed',
  ])
  expect(happened[3]).toMatchObject({
    audience: [stranger.userId, rest.creator.userId],
    data: {
      donationId: first.donation.id,
      reason: 'moved_to_wallet_owner',
      amount: { value: '10', currency: 'USDC' },
      currentAmount: { value: '10' },
    },
  })
  expect(happened[4]).toMatchObject({
    audience: [owner.userId, rest.creator.userId],
    data: { donationId: second.donation.id, confirmedAmount: { value: '10' } },
  })
  const notices = await rest.ctx.sql<{ type: string; message: string }[]>`
    select type, message from notification where user_id in (${stranger.userId}, ${owner.userId})
    order by created_at, id`
  expect(notices.map((notice) => notice.type)).toEqual([
    'donation_completed',
    'donation_reversed',
    'donation_completed',
  ])
  expect(notices[1]?.message).toMatch(/holder of the wallet that sent it/)
  const [entries] = await rest.ctx.sql<{ donations: number; taken: number }[]>`
    select count(*) filter (where kind = 'donation')::int as donations,
           count(*) filter (where kind = 'reversal')::int as taken from ledger_entry`
  expect(entries).toEqual({ donations: 2, taken: 1 })
  await finalise()
  expect(await rest.raised()).toEqual(before)
})

test('keeps the value that a credit had, also if the price has changed', async () => {
  const { ctx, stranger, owner, campaignId, link, balanced, raised, ...rest } = await setUp()
  const later = await createContext(ctx.pool, { prices: { 'ETH/USDC': '3000' } })
  const ether = (user: User, context = ctx) =>
    recordDonation(
      { ...context, actor: user },
      {
        campaignId,
        amount: { value: '1', currency: 'ETH' },
        transaction: { txHash: txHash('gift'), ledgerAddress: WALLET },
      },
    )
  await ether(stranger)
  await rest.mineEther()
  await rest.finalise()
  expect(await raised()).toMatchObject({ raised: '2500000000' })
  await link(owner)
  const { donation } = await ether(owner, later.ctx)
  expect(donation).toMatchObject({ status: 'completed', creditedAmount: { value: '2500' } })
  expect(await ctx.sql`select price from donation where id = ${donation.id}`).toMatchObject([
    { price: '2500' },
  ])
  expect(await raised()).toMatchObject({ raised: '2500000000', donations: 1 })
  await balanced()
})

test('moves once: not from who has linked the wallet, nor back after an unlink', async () => {
  const { record, stranger, owner, link, unlink, mine, finalise } = await setUp()
  const third = owner
  await link(stranger)
  await record(stranger)
  await mine()
  await expect(record(third)).rejects.toMatchObject(refusal)
  await unlink(stranger)
  await link(third)
  expect((await record(third)).created).toBe(true)
  await finalise()
  await unlink(third)
  await link(stranger)
  await expect(record(stranger)).rejects.toMatchObject(refusal)
})

test('takes the very transfer that is named, and every claim that stands in its way', async () => {
  const { record, stranger, owner, link, mine, read, ctx, balanced } = await setUp()
  const any = await record(stranger)
  const named = await record(await createUser(ctx), { logPosition: 3 })
  await mine([{ position: 3 }])
  expect((await read(stranger, any.donation.id)).confirmation?.reason).toBe('waiting_for_finality')
  await link(owner)
  const { donation } = await record(owner, { logPosition: 3 })
  expect(donation).toMatchObject({ status: 'confirming', transaction: { logPosition: 3 } })
  for (const { id } of [any.donation, named.donation]) {
    expect(await read(stranger, id)).toMatchObject({ status: 'failed' })
  }
  await balanced()
})

test('leaves the gifts of others in a batch alone', async () => {
  const { record, stranger, owner, link, mine, read } = await setUp()
  const theirs = await record(stranger, { logPosition: 1 })
  await mine([{ position: 1, from: address('their wallet') }, { position: 2 }])
  await link(owner)
  await expect(record(owner, { logPosition: 1 })).rejects.toMatchObject(refusal)
  expect((await record(owner)).created).toBe(true)
  expect((await read(stranger, theirs.donation.id)).status).toBe('confirming')
})

test('refuses a second claim on a transfer that is taken, at once and under any position', async () => {
  const { record, stranger, owner, mine } = await setUp()
  const first = await record(stranger)
  await mine([{ position: 2 }])
  await expect(record(owner, { logPosition: 2 })).rejects.toMatchObject(refusal)
  expect(await record(stranger, { logPosition: 2 })).toMatchObject({
    created: false,
    donation: { id: first.donation.id },
  })
})

test('moves the payment of an intent whose donor only named the wallet', async () => {
  const { ctx, campaignId, stranger, owner, link, record, mine, finalise, read, raised, ...rest } =
    await setUp()
  const intent = await recordIntent(
    { ...ctx, actor: stranger },
    {
      campaignId,
      amount: { value: '10', currency: 'USDC' },
      donor: { walletAddress: WALLET },
    },
  )
  await mine()
  expect((await read(stranger, intent.id)).status).toBe('confirming')
  await expect(record(owner)).rejects.toMatchObject(refusal)
  await finalise()
  await link(owner)
  const { donation } = await record(owner)
  expect(donation.status).toBe('completed')
  expect(await read(stranger, intent.id)).toMatchObject({
    status: 'failed',
    reason: 'moved_to_wallet_owner',
  })
  expect(await raised()).toMatchObject({ raised: '10000000', donations: 1 })
  await rest.reorg()
  await rest.mineAgain('other')
  await finalise()
  expect((await read(owner, donation.id)).status).toBe('completed')
  expect((await read(stranger, intent.id)).status).toBe('failed')
  await rest.balanced()
})

test('a contract wallet is known on the chain on which it was linked only', async () => {
  const { record, stranger, owner, link, mine } = await setUp()
  await record(stranger)
  await mine()
  await link(owner, WALLET, 1, 'eip1271')
  await expect(record(owner)).rejects.toMatchObject(refusal)
})

test('after a reorganisation the moved claim stays away, and the new one behaves like any', async () => {
  const { record, stranger, owner, link, mine, finalise, read, balanced, ...rest } = await setUp()
  const first = await record(stranger)
  await mine()
  await finalise()
  await link(owner)
  const second = await record(owner)
  await rest.reorg()
  expect(await read(owner, second.donation.id)).toMatchObject({ status: 'reversed' })
  expect(await read(stranger, first.donation.id)).toMatchObject({ status: 'failed' })
  expect(await rest.raised()).toMatchObject({ raised: '0', donations: 0 })
  await balanced()
  await rest.mineAgain('other')
  await finalise()
  expect(await read(owner, second.donation.id)).toMatchObject({ status: 'completed' })
  expect(await read(stranger, first.donation.id)).toMatchObject({ status: 'failed' })
  expect(await rest.raised()).toMatchObject({ raised: '10000000', donations: 1 })
  await balanced()
})

test('gives a donation that found its transfer taken what it claims, once its donor links the wallet', async () => {
  const { record, stranger, owner, link, mine, read, finalise, raised } = await setUp()
  const first = await record(stranger)
  const own = await record(owner, { logPosition: 0 })
  await mine()
  expect((await read(owner, own.donation.id)).confirmation?.reason).toBe('transfer_already_claimed')
  await link(owner)
  expect(await record(owner, { logPosition: 0 })).toMatchObject({
    created: false,
    donation: { id: own.donation.id, status: 'confirming', confirmedAmount: { value: '10' } },
  })
  expect((await read(stranger, first.donation.id)).status).toBe('failed')
  await finalise()
  expect(await raised()).toMatchObject({ raised: '10000000', donations: 1 })
})

test('fifty posts at once of the wallet’s owner move it once, to one donation', async () => {
  const { record, stranger, owner, link, mine, finalise, raised, events, balanced } = await setUp()
  await record(stranger)
  await mine()
  await finalise()
  await link(owner)
  const answers = await Promise.all(Array.from({ length: 50 }, () => record(owner)))
  expect(new Set(answers.map(({ donation }) => donation.id)).size).toBe(1)
  expect(answers.filter(({ created }) => created)).toHaveLength(1)
  expect(await raised()).toMatchObject({ raised: '10000000', donations: 1 })
  expect((await events()).filter((event) => event.type === 'donation.reversed')).toHaveLength(1)
  await balanced()
})

test('an unlink or the end of the account takes no donation that the linked wallet had paid', async () => {
  for (const end of ['unlink', 'delete'] as const) {
    const { world, ctx, record, stranger, owner, link, mine, finalise } = await setUp()
    const wallets = () => ctx.sql<{ id: string }[]>`
      select id from wallet where user_id = ${stranger.userId}`
    await record(stranger)
    await link(stranger)
    await mine()
    await finalise()
    const as = world.as(stranger)
    if (end === 'delete') await deleteAccount(as, await ownAccount(as))
    else await unlinkWallet(as, (await wallets())[0]?.id ?? '')
    expect(await wallets()).toEqual([])
    await link(owner)
    await expect(record(owner), end).rejects.toMatchObject(refusal)
  }
})
