import { describe, expect, test } from 'vitest'
import { createDatabase } from '../../../src/db/client.ts'
import { compareBooks, readChain } from '../../../src/domain/blocks/index.ts'
import { syncChain } from '../../../worker/chain/sync-chain.ts'
import { createCheckBalancesJob } from '../../../worker/jobs/check-balances.ts'
import { address, startChain } from '../../support/chain-facts.ts'
import { startHalf } from '../../support/halves.ts'
import { createTestMetrics } from '../../support/metrics.ts'
import { RpcFault } from '../../support/rpc-server.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { atLeast, waitFor, waitForLock } from '../../support/wait-for.ts'
import { createWorld, TEST_CHAIN } from '../../support/world.ts'
import { createPaymentsWorld, deploy, ETHER, nodeBefore } from '../chain/support/payments.ts'

const CAMPAIGN = address('campaign')
const NEVER = new AbortController().signal

describe.skipIf(!hasAnvil)('the balances of very many campaigns', () => {
  test('cost one batch of a hundred proofs each time, and every account has its turn', async () => {
    const accounts = Array.from({ length: 130 }, (_, index) => address(`campaign ${index}`))
    const { chain, node, follow, sync, world, transfers } = await createPaymentsWorld('traces', {
      accounts,
    })
    const job = createCheckBalancesJob(sync)
    const known = async () => {
      const rows = await world.ctx.sql<{ blockNumber: number; count: number }[]>`
        select block_number, count(*)::int as count from account_balance group by 1 order by 1`
      return rows.map((row) => [row.blockNumber, row.count])
    }
    const proofsOfPass = async () => {
      const before = node.calls.length
      await job.run()
      return node.calls.slice(before).filter(({ method }) => method === 'eth_getProof').length
    }
    const first = (await chain.mine(5)) - 2
    await follow()
    expect([await proofsOfPass(), await known()]).toEqual([100, [[first, 100]]])
    expect([await proofsOfPass(), await known()]).toEqual([30, [[first, 130]]])
    expect(await proofsOfPass()).toBe(0)
    // A new final block comes before all accounts were checked. The waiting accounts keep their
    // turn.
    const second = (await chain.mine(5)) - 2
    await follow()
    expect(await proofsOfPass()).toBe(100)
    const safe = await deploy(chain, 'safe', [chain.addressOf(1)], ETHER)
    const [last] = await world.ctx.sql<{ account: string }[]>`
      select account from account_balance where block_number = ${first} order by account desc`
    await safe.call(1, 'execTransaction', [last?.account, 7n, '0x'])
    const third = (await chain.mine(5)) - 2
    await follow()
    await job.run()
    expect(await known()).toEqual([
      [second, 30],
      [third, 100],
    ])
    expect(await transfers()).toMatchObject([{ recipient: last?.account, amount: '7' }])
  })

  test('are compared all the same where one account’s cannot be', async () => {
    const accounts = Array.from({ length: 3 }, (_, index) => address(`campaign ${index}`)).sort()
    const { chain, node, follow, sync, world, mineAndFollow } = await createPaymentsWorld(
      'traces',
      {
        accounts,
      },
    )
    const job = createCheckBalancesJob(sync)
    const [poor] = accounts
    const safe = await deploy(chain, 'safe', [chain.addressOf(1)], ETHER)
    await mineAndFollow(3)
    await job.run()
    await safe.call(1, 'execTransaction', [poor, 7n, '0x'])
    const final = (await chain.mine(9)) - 2
    await follow()
    // Without the blocks in between, the service cannot find the block of the payment.
    node.alter = (method, params, result) => {
      const number = Number((params as [unknown])[0])
      if (method === 'eth_getBlockByNumber' && number < final && number > 0) {
        throw new RpcFault(-32000, 'no such block any more')
      }
      return result
    }
    await job.run()
    await job.run()
    const reached = await world.ctx.sql<{ account: string }[]>`
      select account from account_balance where block_number = ${final} order by account`
    expect(reached.map((row) => row.account)).toEqual(accounts.slice(1))
  })
})

describe.skipIf(!hasAnvil)('a worker', () => {
  test('says how far a chain is read and final', async () => {
    const { chain, sync } = await createPaymentsWorld()
    const metrics = createTestMetrics()
    const head = await chain.mine(7)
    await syncChain({ ...sync, ctx: { ...sync.ctx, metrics } }, NEVER)
    const labels = { chain: TEST_CHAIN.id }
    expect(metrics.value('fundproof_chain_cursor', labels)).toBe(head)
    expect(metrics.value('fundproof_chain_finalized', labels)).toBe(head - 2)
    await chain.mine(1)
    await syncChain({ ...sync, ctx: { ...sync.ctx, metrics } }, NEVER)
    expect(metrics.value('fundproof_chain_finalized', labels)).toBe(head - 1)
  })

  test('ends at once while its node hangs, and logs no fault', async () => {
    const { chain, world, claim } = await createPaymentsWorld()
    const node = await nodeBefore(chain, 'traces')
    const worker = await startHalf('worker', { databaseUrl: world.url, rpcUrl: node.url })
    const signed = await chain.signEther(1, CAMPAIGN, '1')
    const head = await chain.mine(3)
    await waitFor(
      'the worker to catch up',
      () => readChain(world.ctx, TEST_CHAIN.id),
      (state) => state?.cursor.number === head,
    )
    let hanging = 0
    node.intercept = () => {
      hanging += 1
      return true
    }
    const id = await claim(signed, CAMPAIGN)
    const before = await world.ctx.sql`select reason, status from donation where id = ${id}`
    await waitFor('requests that hang', async () => hanging, atLeast(2))
    const asked = performance.now()
    worker.kill('SIGTERM')
    expect(await worker.exited).toBe(0)
    expect(performance.now() - asked).toBeLessThan(1_500)
    expect(worker.lines.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([])
    const [state] = await world.ctx.sql`select problem, lease_owner from chain_state`
    expect(state).toEqual({ problem: null, leaseOwner: null })
    expect(await world.ctx.sql`select reason, status from donation where id = ${id}`).toEqual(
      before,
    )
  })
})

describe('the comparison of the books', () => {
  test('sums up a large ledger without holding up what the chain does to it', async () => {
    const { ctx, url } = await createWorld()
    await startChain(ctx)
    const owner = createDatabase({ url, max: 1, asAppRole: false })
    const held = Promise.withResolvers<void>()
    const slow = Promise.withResolvers<void>()
    const locking = owner.begin(async (sql) => {
      await sql`lock table ledger_entry in access exclusive mode`
      held.resolve()
      await slow.promise
    })
    await held.promise
    const comparing = compareBooks(ctx, TEST_CHAIN.id, null)
    await waitForLock(ctx.sql)
    const free = ctx.sql`select from chain_state for update nowait`.then((rows) => rows.length)
    await expect(free).resolves.toBe(1)
    slow.resolve()
    await locking
    expect(await comparing).toBe(0)
    await owner.end({ timeout: 1 })
  })
})
