import { describe, expect, test } from 'vitest'
import { linkWallet, ownAccount } from '../../../src/domain/account/index.ts'
import {
  challengeDeposit,
  checkDepositClaim,
  claimDeposit,
  getDonation,
} from '../../../src/domain/donations/index.ts'
import { challengeWallet, checkSigned } from '../../../src/domain/people/index.ts'
import type { Actor } from '../../../src/kernel/actor.ts'
import { recordDonation } from '../../support/donate.ts'
import { hasAnvil, type Signed, startTestChain } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { createUser } from '../../support/world.ts'
import { createChainWorld } from '../support/chain-world.ts'

type User = Actor & { kind: 'user' }

const setUp = async () => {
  const chain = await startTestChain()
  const settled = await createChainWorld({ chain, rpcUrl: chain.url })
  const { world, ctx } = settled
  const [stranger, owner] = [await createUser(ctx), await createUser(ctx)]
  await settled.follow()
  return {
    ...{ ...settled, stranger, owner },
    record: (user: User, signed: Signed) =>
      recordDonation(world.as(user), {
        campaignId: settled.campaignId,
        amount: { value: '5', currency: 'USDC' },
        transaction: { txHash: signed.hash, ledgerAddress: signed.from },
      }),
    /** Links the wallet of account 1 to the user, with a signature of its key. */
    link: async (user: User) => {
      const as = world.as(user)
      const { message, nonce } = await challengeWallet(as, { address: chain.addressOf(1) })
      const signature = await keyOf(1).signMessage(message)
      const checked = await checkSigned(as, { nonce, signature }, user.userId)
      await linkWallet(as, await ownAccount(as), checked)
    },
    claim: async (user: User) => {
      const as = world.as(user)
      const [row] = await ctx.sql<{ id: string }[]>`select id from chain_transfer`
      const id = row?.id ?? ''
      const { message } = await challengeDeposit(as, id)
      const signature = await keyOf(1).signMessage(message)
      return claimDeposit(as, id, await checkDepositClaim(as, id, { signature }))
    },
    read: (user: User, id: string) => getDonation(world.as(user), id),
    /** The raised amount, and the number of donations. */
    raised: async () => {
      const [row] = await ctx.sql<{ donations: number }[]>`select donations from campaign_total`
      return [await settled.raised(), row?.donations]
    },
  }
}

describe.skipIf(!hasAnvil)('a transaction that a stranger has recorded first', () => {
  test('is its sender’s before it is credited, once they have linked the wallet', async () => {
    const { stranger, owner, record, link, read, raised, events, mineAndFollow, pay } =
      await setUp()
    const gift = await pay(1)
    const first = await record(stranger, gift)
    await expect(record(owner, gift)).rejects.toMatchObject({ code: 'transfer_already_claimed' })
    await mineAndFollow()
    await link(owner)
    const second = await record(owner, gift)
    expect(second).toMatchObject({ created: true, donation: { status: 'confirming' } })
    await mineAndFollow(3)
    expect((await read(owner, second.donation.id)).status).toBe('completed')
    expect(await read(stranger, first.donation.id)).toMatchObject({
      status: 'failed',
      reason: 'moved_to_wallet_owner',
    })
    expect(await raised()).toEqual(['5000000', 1])
    expect(await events()).toEqual(['donation.failed', 'donation.completed'])
  })

  test('is its sender’s after it is credited, by the wallet’s signature, and stays so', async () => {
    const {
      chain,
      stranger,
      owner,
      follow,
      record,
      claim,
      read,
      raised,
      events,
      mineAndFollow,
      pay,
    } = await setUp()
    const gift = await pay(1)
    const first = await record(stranger, gift)
    await mineAndFollow(4)
    expect((await read(stranger, first.donation.id)).status).toBe('completed')
    const { donation } = await claim(owner)
    expect(donation.status).toBe('completed')
    expect(await raised()).toEqual(['5000000', 1])
    // A reorg removes the gift and brings it back. The gift still belongs to the owner of the
    // wallet.
    await chain.reorg(4, [[gift, 1]])
    await follow()
    await mineAndFollow(3)
    expect((await read(owner, donation.id)).status).toBe('completed')
    expect((await read(stranger, first.donation.id)).status).toBe('failed')
    expect(await raised()).toEqual(['5000000', 1])
    expect(await events()).toEqual([
      'donation.completed',
      'donation.reversed',
      'donation.completed',
      'donation.reversed',
      'donation.completed',
    ])
  })

  test('is credited once, whichever comes first: the move or finality', async () => {
    const { chain, stranger, owner, follow, record, link, read, raised, ctx, mineAndFollow, pay } =
      await setUp()
    await link(owner)
    const gifts = await Promise.all(Array.from({ length: 8 }, () => pay(1, 1_000_000n)))
    for (const gift of gifts) await record(stranger, gift)
    await mineAndFollow()
    await chain.mine(3)
    const [, ...moved] = await Promise.all([
      follow(),
      ...gifts.map((gift) => record(owner, gift)),
      ...gifts.map((gift) => record(owner, gift)),
    ])
    await follow()
    const ids = new Set(moved.map(({ donation }) => donation.id))
    expect(ids.size).toBe(8)
    for (const id of ids) expect((await read(owner, id)).status).toBe('completed')
    expect(await raised()).toEqual(['8000000', 8])
    expect(await ctx.sql`select from donation where status = 'failed'`).toHaveLength(8)
  })
})
