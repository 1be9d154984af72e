import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { recordDonation } from '../../src/domain/donation/index.ts'
import { address } from '../support/chain-facts.ts'
import { startHalf } from '../support/halves.ts'
import { hasAnvil, startTestChain } from '../support/test-chain.ts'
import { waitFor } from '../support/wait-for.ts'
import { createTestCampaign, createUser, createWorld } from '../support/world.ts'

const ACCOUNT = address('campaign')
const AHEAD = {
  NODE_OPTIONS: `--import=${join(import.meta.dirname, '../support/clock-ahead.ts')}`,
  CLOCK_AHEAD_MS: String(80 * 3_600_000),
}
/** The longest of the worker's leases here, and time to start a process on a busy machine. */
const SOON_MS = 25_000

describe.skipIf(!hasAnvil)('a worker whose clock is 80 hours ahead', () => {
  test('and that is killed keeps the chain no longer than any other that is killed', async () => {
    const chain = await startTestChain()
    const world = await createWorld()
    const campaignId = await createTestCampaign(world.ctx, {
      creator: await createUser(world.ctx),
      account: ACCOUNT,
      target: '20',
    })
    const start = (env: Record<string, string> = {}) =>
      startHalf('worker', { databaseUrl: world.url, rpcUrl: chain.url, env })
    const ahead = await start(AHEAD)
    await waitFor(
      'it to take the lease',
      () => world.ctx.sql<{ owner: string }[]>`select lease_owner as owner from chain_state`,
      ([row]) => Boolean(row?.owner),
    )
    ahead.kill('SIGKILL')
    await ahead.exited
    const signed = await chain.send(await chain.signToken(1, ACCOUNT, 5_000_000n))
    await recordDonation(world.as(await createUser(world.ctx)), {
      campaignId,
      amount: { value: '5', currency: 'USDC' },
      transaction: { txHash: signed.hash, ledgerAddress: signed.from },
    })
    await chain.mine(3)
    await start()
    const [donation] = await waitFor(
      'the next worker to credit a donation',
      () => world.ctx.sql<{ status: string }[]>`select status from donation`,
      ([row]) => row?.status === 'completed',
      SOON_MS,
    )
    expect(donation?.status).toBe('completed')
  })
})
