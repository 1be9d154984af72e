import { describe, expect, test } from 'vitest'
import { createCheckBalancesJob } from '../../../worker/jobs/check-balances.ts'
import { address } from '../../support/chain-facts.ts'
import { RpcFault } from '../../support/rpc-server.ts'
import { hasAnvil } from '../../support/test-chain.ts'
import { createPaymentsWorld, deploy, ETHER } from '../chain/support/payments.ts'

const CAMPAIGN = address('campaign')
const QUIET = address('quiet campaign')

/** Two accounts with known balances. A call that no donation claims then pays one of them. */
const setUp = async () => {
  const payments = await createPaymentsWorld('traces', { accounts: [CAMPAIGN, QUIET] })
  const { chain, node, world } = payments
  const job = createCheckBalancesJob(payments.sync)
  const safe = await deploy(chain, 'safe', [chain.addressOf(1)], ETHER)
  const pay = (amount: bigint) => safe.call(1, 'execTransaction', [CAMPAIGN, amount, '0x'])
  const check = async () => {
    await payments.follow()
    await job.run()
  }
  const start = (await chain.mine(3)) - 2
  await check()
  await pay(7n)
  const final = (await chain.mine(30)) - 2
  return {
    ...{ ...payments, start, final, pay, check },
    /** Removes the states of all earlier blocks from the node, except of these blocks. */
    async keepStates(numbers: number[]) {
      const head = await chain.head()
      const lost = new Set<unknown>()
      for (let number = 0; number < head; number++) {
        if (numbers.includes(number)) continue
        const tag = `0x${number.toString(16)}`
        const block = await chain.call<{ hash: string }>('eth_getBlockByNumber', [tag, false])
        lost.add(block.hash)
      }
      node.alter = (method, params, result) => {
        const [, , at] = params as [unknown, unknown, { blockHash: string }?]
        if (method === 'eth_getProof' && lost.has(at?.blockHash)) {
          throw new RpcFault(-32000, 'missing trie node')
        }
        return result
      }
    },
    known: async () =>
      (
        await world.ctx.sql<{ account: string; blockNumber: number; balance: string }[]>`
          select account, block_number, balance::text from account_balance`
      ).map((row) => [row.account, row.blockNumber, row.balance]),
    differences: async () => [
      ...(await world.ctx.sql`
        select kind, account, first_block, block_number, expected::text, actual::text, note
        from ledger_difference where resolved_at is null`),
    ],
  }
}

describe.skipIf(!hasAnvil)('balances after an outage', () => {
  test('are taken up again where no node has the old states, and what went on meanwhile is a difference', async () => {
    const { chain, start, final, pay, check, keepStates, known, differences, transfers } =
      await setUp()
    await keepStates([final, final + 1])
    await check()
    expect(new Map((await known()).map(([account, ...rest]) => [account, rest]))).toEqual(
      new Map([
        [CAMPAIGN, [final, '7']],
        [QUIET, [final, '0']],
      ]),
    )
    const difference = {
      ...{ kind: 'balance', account: CAMPAIGN, expected: '0', actual: '7' },
      ...{ firstBlock: start + 1, blockNumber: final },
      note: expect.stringMatching(/no node has the states/),
    }
    expect(await differences()).toEqual([difference])
    // Later payments are found as before, and the difference stays open.
    const paid = await pay(5n)
    await chain.mine(3)
    await check()
    expect(await transfers()).toMatchObject([{ txHash: paid.hash, amount: '5' }])
    expect(await differences()).toEqual([difference])
  })

  test('miss nothing in blocks whose states are still there', async () => {
    const { chain, start, pay, check, keepStates, differences, transfers } = await setUp()
    const kept = await chain.head()
    await chain.mine(4)
    const paid = await pay(5n)
    const head = await chain.mine(20)
    await keepStates(Array.from({ length: head - kept }, (_, index) => kept + index))
    await check()
    expect(await transfers()).toMatchObject([{ txHash: paid.hash, amount: '5' }])
    expect(await differences()).toMatchObject([
      { firstBlock: start + 1, blockNumber: kept, expected: '0', actual: '7' },
    ])
  })

  test('wait where a node still has the state that they are known from', async () => {
    const { start, final, check, node, keepStates, known, differences, transfers, chain } =
      await setUp()
    await keepStates([start, final])
    await check()
    expect(await known()).toContainEqual([CAMPAIGN, start, '0'])
    expect(await differences()).toEqual([])
    node.alter = undefined
    await chain.mine()
    await check()
    expect((await transfers()).map((one) => one.amount)).toEqual(['7'])
    expect(await differences()).toEqual([])
  })
})
