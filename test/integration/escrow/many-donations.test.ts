import { expect, test } from 'vitest'
import { approveCall, donateCall } from '../../../src/escrow/calls.ts'
import { recordDonation } from '../../support/donate.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { keyOf } from '../../support/test-wallets.ts'
import { TOKEN } from '../../support/world.ts'
import { deploy } from '../chain/support/payments.ts'
import { createFollowedWorld, type FollowedWorld } from './support/followed-world.ts'

const DONATIONS = 500
const TIMEOUT_MS = 180_000
/** The number of `donate` calls that fit into one transaction. */
const AT_ONCE = 100
const DONOR = keyOf(1).address.toLowerCase()

/** The amounts differ, so that the contract rounds each share differently. */
const unitsOf = (index: number): bigint => 1_000n + BigInt(index)

test.skipIf(!hasAnvil)(
  'one refund pays back 500 recorded donations to the unit, and a reorg reverses it exactly',
  async () => {
    const world = await createFollowedWorld()
    await world.mine(world.deploy())
    await donateOften(world)
    await world.settle(world.record(await world.donate(2, 70_000_000n), '70'))
    const before = await snapshot(world)
    expect(before.donations).toEqual(Array.from({ length: DONATIONS + 1 }, () => 'completed'))
    const head = await world.chain.head()
    await world.mine(world.release(0))
    await world.mine(world.cancel())
    await world.settle(world.refund(DONOR))

    const paid = await world.world.ctx.sql<{ amount: string }[]>`
      select fields ->> 'amount' as amount from escrow_event where kind = 'Refunded'`
    expect(paid).toHaveLength(1)
    const rows = await world.world.ctx.sql<{ id: string; credited: string; refunded: string }[]>`
      select id, credited_amount as credited, refunded_amount as refunded from donation
      where status = 'partly_refunded'`
    expect(rows).toHaveLength(DONATIONS)
    expect(rows.reduce((sum, { refunded }) => sum + BigInt(refunded), 0n)).toBe(
      BigInt(paid[0]?.amount ?? 0),
    )
    // The running sums are rounded, so each part differs from its exact share by less than one
    // unit.
    const gifts = rows.reduce((sum, { credited }) => sum + BigInt(credited), 0n)
    for (const { credited, refunded } of rows) {
      const exact = (Number(credited) * Number(paid[0]?.amount)) / Number(gifts)
      expect(Math.abs(Number(refunded) - exact)).toBeLessThan(1)
    }
    const events = (await world.events()).filter(({ type }) => type === 'donation.refunded')
    expect(events.map(({ data }) => data.donationId).sort()).toEqual(
      rows.map(({ id }) => id).sort(),
    )

    const depth = (await world.chain.head()) - head
    await world.chain.reorg(depth)
    await world.mineAndFollow(depth + 2)
    await world.agree()
    expect(await snapshot(world)).toEqual(before)
    const reverted = (await world.eventTypes()).filter((type) => type.endsWith('refund.reverted'))
    expect(reverted).toHaveLength(DONATIONS)
  },
  TIMEOUT_MS,
)

/**
 * Makes the donations of one donor by a contract that calls `donate` many times in a transaction.
 */
const donateOften = async (world: FollowedWorld): Promise<void> => {
  const { chain, account, campaignId } = world
  const { address: payer } = await deploy(chain, 'multicall')
  await chain.send(await chain.signToken(1, payer, unitsOf(DONATIONS) * BigInt(DONATIONS)))
  for (let first = 0; first < DONATIONS; first += AT_ONCE) {
    const amounts = Array.from({ length: AT_ONCE }, (_, index) => unitsOf(first + index))
    const sum = amounts.reduce((total, units) => total + units, 0n)
    const { hash: txHash } = await world.batch(1, payer, [
      approveCall(TOKEN, account, sum),
      ...amounts.map((amount) => donateCall(account, { amount, refundTo: DONOR })),
    ])
    await chain.mine()
    await Promise.all(
      amounts.map((units, index) =>
        recordDonation(world.world.as(world.donor), {
          campaignId,
          amount: { value: `0.00${units}`, currency: 'USDC' },
          // Log 0 is the approval. Each donation then has two logs: Transfer and Donated.
          transaction: { txHash, ledgerAddress: payer, logPosition: 1 + 2 * index },
        }),
      ),
    )
  }
}

/**
 * The state that a reversal must restore. Its new entries and events are not part of this state.
 */
const snapshot = async (world: FollowedWorld) => {
  const balances = Object.entries(await world.balances()).filter(([, units]) => units !== 0n)
  return { ...(await world.state()), balances: Object.fromEntries(balances) }
}
