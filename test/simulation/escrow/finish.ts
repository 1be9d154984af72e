import { expect } from 'vitest'
import type { RefundLeaf } from '../../../src/db/schema/escrow.ts'
import { createRandom } from '../../support/random.ts'
import { mine } from '../act.ts'
import { DONORS } from '../script.ts'
import type { Simulation } from '../world.ts'
import { callEscrow } from './act-escrow.ts'
import { readView, type SimulatedEscrow } from './escrows.ts'
import { claimsOf, readFacts, shareOf, sumOf } from './facts.ts'
import { CHALLENGE_S, type EscrowStep, VERIFIERS } from './plan.ts'

const MOST_BLOCKS = 20
const ALL_SIGN = 2 ** VERIFIERS - 1

/**
 * Ends every escrow: what is left goes to the recipient, or by both kinds of refund to the donors.
 * `settle` lets the service see it all. Afterwards an escrow holds nothing but what rounding left,
 * and every donor has the share.
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
          const action = {
            kind: 'escrow',
            escrow,
            step,
            milestone: 0,
            signers: ALL_SIGN,
            donor,
          } as const
          await callEscrow(simulation, action)
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
  await settle()
  for (const escrow of escrows) await expectRoot(simulation, escrow)
  await all(['root'])
  clock.advance((CHALLENGE_S + 1) * 1_000)
  await mine(simulation, 1)
  await all(['refund', 'claim'], DONORS)
  await settle()
  for (const escrow of escrows) await expectFinished(simulation, escrow)
}

/** The service's refund root to sign has the leaves that the chain alone gives at its block. */
const expectRoot = async (simulation: Simulation, escrow: SimulatedEscrow): Promise<void> => {
  const { chain, world, script } = simulation
  const [proposed] = (await readView(chain, escrow.account, 'rootIndex')) ?? []
  const [root] = await world.ctx.sql<{ blockNumber: number; leaves: RefundLeaf[] }[]>`
    select block_number, leaves from refund_root
    where campaign_id = ${escrow.campaignId} and index = ${Number(proposed)}
    order by created_at desc limit 1`
  const final = root?.blockNumber ?? (await chain.head()) - 2 * script.slotsInEpoch
  const claims = claimsOf(await readFacts(chain, escrow, final))
  // The actors may have proposed the same root, so no new one is to sign.
  if (!root && proposed !== 0n) return
  const leaves = (root?.leaves ?? []).filter(({ asset }) => asset === escrow.terms.asset)
  expect(new Map(leaves.map(({ donor, amount }) => [donor, BigInt(amount)]))).toEqual(claims)
}

/** Anvil drops transactions whose nonce is too high after a reorg, so they are sent again. */
const mineAll = async (simulation: Simulation): Promise<void> => {
  const { donors, script } = simulation
  for (let block = 0; block < MOST_BLOCKS; block++) {
    await mine(simulation, 1)
    if ((await donors.resend(createRandom(script.seed), 0)) === 0) return
  }
  throw new Error('Some transactions get into no block.')
}

const expectFinished = async (
  { chain, script }: Simulation,
  escrow: SimulatedEscrow,
): Promise<void> => {
  const final = (await chain.head()) - 2 * script.slotsInEpoch
  const facts = await readFacts(chain, escrow, final)
  const { failed, received, released, refunded, paid } = facts
  const held = received - released - refunded
  if (!failed) {
    // All milestones are released, so the recipient has everything.
    expect({ account: escrow.account, held }).toEqual({ account: escrow.account, held: 0n })
    return
  }
  for (const [donor, amount] of facts.recorded) {
    const share = shareOf(facts, amount)
    // Two gifts that are refunded one by one may lose a unit each time.
    expect(paid.recorded.get(donor) ?? 0n).toBeLessThanOrEqual(share)
    expect(share - (paid.recorded.get(donor) ?? 0n)).toBeLessThan(BigInt(DONORS))
  }
  const claims = claimsOf(facts)
  const [rootIndex] = (await readView(chain, escrow.account, 'rootIndex')) ?? []
  // A root that a reorganisation made wrong may have paid one donor another one's share.
  const isFair = [...paid.byRoot].every(([donor, amount]) => amount <= (claims.get(donor) ?? 0n))
  if (!isFair) return
  expect(rootIndex === 0n ? new Map() : claims).toEqual(paid.byRoot)
  expect(held - sumOf(claims) + sumOf(paid.byRoot)).toBeLessThan(BigInt(2 * DONORS))
}
