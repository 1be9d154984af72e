import { expect } from 'vitest'
import { applyBlocks, revertBlocks } from '../../../src/domain/blocks/index.ts'
import type { Actor } from '../../../src/kernel/actor.ts'
import { DomainError } from '../../../src/kernel/errors.ts'
import { ACCOUNT, createSettledWorld } from '../../integration/donations/support/settled-world.ts'
import { blockHash, CHAIN_ID, observed, txHash } from '../../support/chain-facts.ts'
import { recordAsGuest, recordDonation, recordIntent } from '../../support/donate.ts'
import { holdTransitions } from '../../support/hold-transitions.ts'
import { createUser } from '../../support/world.ts'

export type User = Actor & { kind: 'user' }
/** An account, or a person without one. */
export type Person = User | { kind: 'anonymous' }
/** A payment. Everyone can see it as soon as it is sent. */
export type Payment = { tx: string; from: string; units: bigint }
/** A recorded donation. `token` is part of a guest's claim link. */
export type Recorded = { id: string; units: bigint; token: string | undefined; by: Person }

/** A campaign, its chain with forks, and functions that send requests as people do. */
export const createTheftWorld = async () => {
  const world = await createSettledWorld()
  const { ctx, campaignId, clock } = world
  await holdTransitions(world.world.url)
  const pool: Payment[] = []
  const sent: Payment[] = []
  const blocks: { branch: string; payments: Payment[] }[] = []
  const hashOf = (number: number) => blockHash(number, blocks[number - 1]?.branch ?? 'main')
  let forks = 0

  const record = async (
    by: Person,
    wallet: string,
    value: string,
    paid?: Payment,
    log?: number,
  ) => {
    clock.advance(1)
    const transaction = paid && {
      txHash: txHash(paid.tx),
      ledgerAddress: ACCOUNT,
      ...(log === undefined ? {} : { logPosition: log }),
    }
    const input = {
      campaignId,
      amount: { value, currency: 'USDC' },
      donor: { walletAddress: wallet },
    }
    const as = world.world.as(by)
    if (by.kind === 'anonymous') {
      const { donation, claim } = await recordAsGuest(as, { ...input, transaction })
      return recorded(donation, by, claim.token)
    }
    if (!transaction) return recorded(await recordIntent(as, input), by)
    return recorded((await recordDonation(as, { ...input, transaction })).donation, by)
  }

  return {
    ...{ ctx, world: world.world, sent, record, differences: world.differences },
    user: (): Promise<User> => createUser(ctx),
    send(payment: Payment): void {
      pool.push(payment)
      sent.push(payment)
    },
    /** Mines the chosen payments of the pool. */
    async mine(isChosen: (payment: Payment) => boolean): Promise<void> {
      const payments = pool.filter(isChosen)
      for (const one of payments) pool.splice(pool.indexOf(one), 1)
      const number = blocks.length + 1
      const branch = `fork ${forks}`
      // The new block has the current time, also on a fork.
      clock.advance(1_000)
      const minedAt = new Date(Math.floor(clock.now().getTime() / 1_000) * 1_000)
      const claimed = await ctx.sql<{ txHash: string }[]>`select tx_hash from donation`
      const hashes = new Set(claimed.map((row) => row.txHash))
      const facts = payments.map(({ tx, from, units }, position) => ({
        ...{ tx, from, to: ACCOUNT, usdc: units, position, claimed: hashes.has(txHash(tx)) },
      }))
      const { transfers, transactions } = observed(number, facts, branch)
      const applied = await applyBlocks(ctx, {
        ...{ chainId: CHAIN_ID, headNumber: number },
        after: { number: number - 1, hash: hashOf(number - 1) },
        blocks: [
          {
            ...{ number, hash: blockHash(number, branch), minedAt },
            parentHash: hashOf(number - 1),
          },
        ],
        observed: {
          transfers: transfers.map((one) => ({ ...one, minedAt })),
          transactions: transactions.map((one) => ({ ...one, minedAt })),
        },
      })
      expect(applied).toBeTruthy()
      blocks.push({ branch, payments })
    },
    /** Removes blocks. Their payments are pending again. */
    async fork(depth: number): Promise<void> {
      const ancestor = Math.max(0, blocks.length - depth)
      await revertBlocks(ctx, {
        chainId: CHAIN_ID,
        from: { number: blocks.length, hash: hashOf(blocks.length) },
        ancestor: { number: ancestor, hash: hashOf(ancestor) },
      })
      for (const { payments } of blocks.splice(ancestor)) pool.push(...payments)
      forks++
    },
    finalise: (behind = 0) => world.finalise(Math.max(0, blocks.length - behind)),
    /** The donation that each payment was assigned to, and its user. */
    holders: async (): Promise<Map<string, { id: string; userId: string | null }>> => {
      const rows = await ctx.sql<{ txHash: string; id: string; userId: string | null }[]>`
        select transfer.tx_hash, donation.id, donation.user_id
        from chain_transfer transfer join donation on donation.transfer_id = transfer.id
        where donation.status = 'completed'`
      return new Map(rows.map(({ txHash, ...holder }) => [txHash, holder]))
    },
  }
}

export type TheftWorld = Awaited<ReturnType<typeof createTheftWorld>>

const recorded = (
  { id, payment }: { id: string; payment: { units: string } | null },
  by: Person,
  token?: string,
): Recorded => ({ id, units: BigInt(payment?.units ?? 0), token, by })

/** Sends a request that the service may refuse. Returns undefined if the request is refused. */
export const unlessRefused = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof DomainError && error.code !== 'internal') return undefined
    throw error
  }
}
