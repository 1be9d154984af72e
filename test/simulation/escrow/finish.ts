import { expect } from 'vitest'
import { encodeAddress, selectors } from '../../../contracts-abi/index.ts'
import { listReturns, prepareReturns } from '../../../src/domain/campaigns/index.ts'
import { createRandom } from '../../support/random.ts'
import { createTestReaders, TOKEN } from '../../support/world.ts'
import { act, mine } from '../act.ts'
import { EURC } from '../chain.ts'
import { DONORS } from '../script.ts'
import type { Simulation } from '../world.ts'
import { callEscrow, give, MOST_RETURNS, RELAYER } from './act-escrow.ts'
import type { SimulatedEscrow } from './escrows.ts'
import { dueOf, type EscrowFacts, nameOf, readEther, readFacts, shareOf } from './facts.ts'
import { type EscrowStep, VERIFIERS } from './plan.ts'

const MOST_BLOCKS = 20
const ALL_SIGN = 2 ** VERIFIERS - 1
const DAY_MS = 86_400_000

/**
 * Ends every escrow: the remaining money goes to the recipient, or back to the donors by refunds
 * and returns. `settle` lets the service follow. Afterwards an escrow has only rounding losses
 * left, and each donor has got the right share.
 */
export const finishEscrows = async (
  simulation: Simulation,
  settle: () => Promise<void>,
): Promise<void> => {
  const { escrows, clock, chain } = simulation
  const all = async (steps: readonly EscrowStep[], donors = 1): Promise<void> => {
    for (const escrow of escrows.keys()) {
      for (const step of steps) {
        for (let donor = 0; donor < donors; donor++) {
          const facts = { escrow, step, milestone: 0, signers: ALL_SIGN, donor }
          await callEscrow(simulation, { kind: 'escrow', ...facts })
        }
      }
    }
    await mineAll(simulation)
  }
  await mineAll(simulation)
  const latest = await chain.call<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
  const endS = Math.max(Number(latest.timestamp), ...escrows.map(({ terms }) => terms.expiry)) + 1
  clock.set(new Date(Math.max(clock.now().getTime(), endS * 1_000)))
  await mine(simulation, 1)
  await all(['deploy'])
  await all(['close', 'surplus'])
  await payLate(simulation)
  await all(['close'])
  await settle()
  for (const escrow of escrows) {
    await expectReturns(simulation, escrow)
    await returnAll(simulation, escrow)
  }
  await all(['refund'], DONORS)
  await undoReturns(simulation)
  await settle()
  for (const escrow of escrows) await expectFinished(simulation, escrow)
}

/**
 * Makes late payments: two donors in one transaction, and a donor in a token that the escrow does
 * not hold.
 */
const payLate = async (simulation: Simulation): Promise<void> => {
  for (const escrow of simulation.escrows.keys()) {
    const gift = {
      kind: 'give',
      donor: 0,
      escrow,
      amount: 700,
      refundTo: 1,
      recorded: 'no',
    } as const
    await give(simulation, { ...gift, by: 'bundle' })
    await give(simulation, { ...gift, by: 'other-token' })
  }
  await mineAll(simulation)
}

/**
 * Lets the service see refunds and returns, in some runs also as final, and removes their blocks
 * for a while by a reorg.
 */
const undoReturns = async (simulation: Simulation): Promise<void> => {
  const { seed, slotsInEpoch } = simulation.script
  const work = () => act(simulation, { kind: 'work', times: 1, worker: 0 })
  const above = seed % 2 === 0 && slotsInEpoch < 8 ? 2 * slotsInEpoch : 0
  await mine(simulation, above)
  await work()
  const depth = above + 4
  await act(simulation, { kind: 'reorganise', depth, keep: 0, replace: 0, random: seed })
  if (seed % 3 === 0) await work()
  await mineAll(simulation)
}

const final = async ({ chain, script }: Simulation): Promise<number> =>
  (await chain.head()) - 2 * script.slotsInEpoch

/** The context of a user whose request makes the service ask the chain. */
const asking = ({ world, chain }: Simulation) => ({
  ...world.ctx,
  contracts: createTestReaders(chain.url).contracts,
})

/** Reads all pages of the service's list of returns. */
const readReturns = async (simulation: Simulation, { campaignId }: SimulatedEscrow) => {
  const ctx = asking(simulation)
  const items: Awaited<ReturnType<typeof listReturns>>['items'] = []
  let cursor: string | undefined
  do {
    const page = await listReturns(ctx, campaignId, { page: 1, limit: 20, cursor })
    items.push(...page.items)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return items
}

/**
 * Expects that the service lists the same transfers as the chain, with their shares and returns.
 */
const expectReturns = async (
  simulation: Simulation,
  escrow: SimulatedEscrow,
): Promise<EscrowFacts> => {
  const block = await final(simulation)
  const facts = await readFacts(simulation.chain, escrow, block)
  const transfers = [...facts.transfers, ...(await readEther(simulation, escrow, block))]
  const listed = (await readReturns(simulation, escrow)).map((one) => ({
    ...{ name: nameOf(one), asset: one.asset.toLowerCase(), sender: one.sender.toLowerCase() },
    ...{ amount: one.amount, share: one.share, receiver: one.receiver?.toLowerCase() },
    returned: one.returned?.amount ?? null,
  }))
  const expected = transfers
    .filter(({ recorded }) => !recorded)
    .map((one) => {
      const share = dueOf(facts, one)?.toString() ?? null
      const returned = facts.returned.get(nameOf(one))?.amount ?? null
      return {
        ...{ name: nameOf(one), asset: one.asset, sender: one.sender },
        ...{ amount: one.amount.toString(), share, returned },
        receiver: share !== null && returned === null ? one.sender : undefined,
      }
    })
  const byName = (one: { name: string }, other: { name: string }) =>
    one.name < other.name ? -1 : 1
  expect(listed.sort(byName)).toEqual(expected.sort(byName))
  return facts
}

/** Signs returns of all listed transfers with the verifiers, and sends them with the relayer. */
const returnAll = async (simulation: Simulation, escrow: SimulatedEscrow): Promise<void> => {
  const { donors, world } = simulation
  const ctx = asking(simulation)
  const open = (await readReturns(simulation, escrow)).filter(
    ({ share, returned }) => share !== null && returned === null,
  )
  const [state] = await world.ctx.sql<{ at: Date }[]>`
    select max(mined_at) as at from chain_block`
  const validUntil = new Date((state?.at.getTime() ?? 0) + DAY_MS)
  for (let index = 0; index < open.length; index += MOST_RETURNS) {
    const list = open
      .slice(index, index + MOST_RETURNS)
      .map(({ transaction, position, sender }) => ({ transaction, position, receiver: sender }))
    const asked = { list, validUntil, signatures: [] }
    const { typedData } = await prepareReturns(ctx, escrow.campaignId, asked)
    const { EIP712Domain: _, ...types } = typedData.types
    const signatures = await Promise.all(
      escrow.verifiers.map(async (key) => ({
        verifier: key.address,
        signature: await key.signTypedData(typedData.domain, types, typedData.message),
      })),
    )
    const signed = await prepareReturns(ctx, escrow.campaignId, { ...asked, signatures })
    for (const call of signed.transaction?.sendCalls.calls ?? []) await donors.call(RELAYER, call)
  }
}

/**
 * Mines until all transactions are in a block. Sends again those that Anvil has dropped after a
 * reorg, because their nonce was too high.
 */
const mineAll = async (simulation: Simulation): Promise<void> => {
  const { donors, script } = simulation
  for (let block = 0; block < MOST_BLOCKS; block++) {
    await mine(simulation, 1)
    if ((await donors.resend(createRandom(script.seed), 0)) === 0) return
  }
  throw new Error('Some transactions get into no block.')
}

const expectFinished = async (simulation: Simulation, escrow: SimulatedEscrow): Promise<void> => {
  const { chain } = simulation
  const facts = await expectReturns(simulation, escrow)
  const { failed, received, released, refunded, refunds, returned } = facts
  expect(failed).toBeDefined()
  for (const [donor, amount] of facts.recorded) {
    const share = shareOf(facts, amount)
    // Rounding can lose one unit for each refund of a donor who gave several times.
    expect(refunds.get(donor) ?? 0n).toBeLessThanOrEqual(share)
    expect(share - (refunds.get(donor) ?? 0n)).toBeLessThan(BigInt(DONORS))
  }
  const ether = await readEther(simulation, escrow, await final(simulation))
  const plain = [...facts.transfers, ...ether].filter(({ recorded }) => !recorded)
  const due = new Map(plain.map((one) => [nameOf(one), dueOf(facts, one)?.toString()]))
  // After a reorg, a signed list may have paid too much, or have returned a transfer that no longer
  // exists.
  const isFair = [...returned].every(([name, { amount }]) => due.get(name) === amount)
  if (!isFair) return
  expect(new Map([...returned].map(([name, { amount }]) => [name, amount]))).toEqual(due)
  const balance = await chain.call<string>('eth_getBalance', [escrow.account, 'latest'])
  const data = encodeAddress(selectors.balanceOf, escrow.account)
  const euros = await chain.call<string>('eth_call', [{ to: EURC, data }, 'latest'])
  expect([BigInt(balance), BigInt(euros)]).toEqual([0n, 0n])
  // A transfer in the block of the failure may get less than its share.
  const near = plain.filter(
    ({ asset, blockNumber }) => asset === TOKEN && blockNumber === failed?.blockNumber,
  )
  const lost = near.reduce((sum, one) => sum + one.amount - (dueOf(facts, one) ?? 0n), 0n)
  const rounded = BigInt(plain.length + DONORS)
  expect(received - released - refunded).toBeLessThanOrEqual(lost + rounded)
}
