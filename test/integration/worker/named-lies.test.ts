import { expect, test } from 'vitest'
import { recordDonation } from '../../../src/domain/donation/index.ts'
import { checkLedger } from '../../../src/domain/ledger/index.ts'
import { address } from '../../support/chain-facts.ts'
import { startFaultProxy } from '../../support/fault-proxy.ts'
import { NAMED_LIES } from '../../support/faults/named-lies.ts'
import { startHalf } from '../../support/halves.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { waitFor } from '../../support/wait-for.ts'
import {
  createTestCampaign,
  createUser,
  createWorld,
  TEST_CHAIN,
  TOKEN,
} from '../../support/world.ts'

/** A chain on which the newest block is never final. */
const GNOSIS = 100
const ACCOUNT = address('campaign')
const HOUR_MS = 3_600_000

const setUp = async () => {
  const chain = await startTestChain({ chainId: GNOSIS })
  const liar = await startFaultProxy(chain.url)
  const nodes = [liar, await startFaultProxy(chain.url), await startFaultProxy(chain.url)]
  const world = await createWorld({ chains: [{ ...TEST_CHAIN, id: GNOSIS }] })
  const donor = await createUser(world.ctx)
  const creator = await createUser(world.ctx)
  const campaignId = await createTestCampaign(world.ctx, { creator, account: ACCOUNT })
  const CHAINS = JSON.stringify([
    {
      ...{ ...TEST_CHAIN, id: GNOSIS, name: 'test', rpc: nodes.map(({ url }) => url) },
      ...{ startBlock: 0, pollIntervalMs: 100, maxLagSeconds: 5 },
    },
  ])
  const start = async () => {
    await world.ctx.sql`update chain_state set lease_until = now()`
    return startHalf('worker', { databaseUrl: world.url, rpcUrl: '', env: { CHAINS } }, () => {})
  }
  const pay = async () => {
    const paid = await chain.send(await chain.signToken(1, ACCOUNT, 5_000_000n))
    await recordDonation(world.as(donor), {
      campaignId,
      amount: { value: '5', currency: 'USDC' },
      transaction: { txHash: paid.hash, ledgerAddress: paid.from },
    })
    return paid
  }
  /** Blocks of five seconds, so that the time of the chain goes on. */
  const mine = (blocks: number) => chain.call('anvil_mine', [`0x${blocks.toString(16)}`, '0x5'])
  const state = async () => {
    const [row] = await world.ctx.sql<{ raised: string; open: number; seen: number }[]>`
      select raised, (select count(*)::int from donation where status <> 'completed') as open,
             (select count(*)::int from chain_transfer) as seen
      from campaign_total`
    return row
  }
  return { chain, liar, nodes, world, start, pay, mine, state }
}

test.skipIf(!hasAnvil)(
  'each lie of one node of three, through a worker that is killed meanwhile, credits each donation once and names the node',
  async () => {
    const { chain, liar, nodes, world, start, pay, mine, state } = await setUp()
    const unnamed: string[] = []
    let paid = 0n
    let worker = await start()
    for (const { about, named, faults } of NAMED_LIES) {
      const { hash } = await pay()
      const payment = { hash, to: ACCOUNT, token: TOKEN, head: (await chain.head()) + 1 }
      for (const fault of faults(payment)) liar.set(fault)
      await mine(1)
      worker.kill('SIGKILL')
      await worker.exited
      worker = await start()
      const { lines } = worker
      await mine(3)
      const complaintsOf = ({ url }: { url: string }) =>
        lines.filter((line) => line.includes(`"node":"${url.slice(7)}"`))
      const step = async () => {
        await mine(1)
        return { ...(await state()), named: !named || complaintsOf(liar).length > 0 }
      }
      paid += 5_000_000n
      const end = { raised: String(paid), open: 0, seen: Number(paid / 5_000_000n) }
      const ended = await waitFor(
        about,
        step,
        (now) => now.raised === end.raised && now.open === 0 && now.named,
      ).catch((error: unknown) => {
        throw new Error(`${about}: ${error}\n${lines.slice(-5).join('\n')}`)
      })
      expect({ about, ...ended }).toEqual({ about, ...end, named: true })
      if (complaintsOf(liar).length === 0) unnamed.push(about)
      expect([about, ...nodes.slice(1).flatMap(complaintsOf)]).toEqual([about])
      liar.heal()
    }
    worker.kill('SIGKILL')
    await worker.exited
    expect(NAMED_LIES.length).toBeGreaterThanOrEqual(45)
    expect(unnamed).toEqual(NAMED_LIES.filter(({ named }) => !named).map(({ about }) => about))
    expect((await checkLedger(world.ctx.pool)).differences).toEqual([])
  },
  HOUR_MS,
)
