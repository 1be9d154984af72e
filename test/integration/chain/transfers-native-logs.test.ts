import { describe, expect, test } from 'vitest'
import { testContracts } from '../../../contracts-abi/test-contracts.ts'
import { createCheckBalancesJob } from '../../../worker/jobs/check-balances.ts'
import { address } from '../../support/chain-facts.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { createPaymentsWorld, deploy } from './support/payments.ts'

const CAMPAIGN = address('campaign')
const OTHER = address('other campaign')
const NATIVE_LOG = '0xfffffffffffffffffffffffffffffffffffffffe'

/**
 * A chain with a contract at the EIP-7708 address. A router lets this contract log each payment
 * before it pays.
 */
const setUp = async (fromBlock: number | undefined) => {
  const chain = await startTestChain()
  await chain.call('anvil_setCode', [NATIVE_LOG, testContracts.nativeLog.deployedBytecode])
  const world = await createPaymentsWorld('no traces', {
    chain,
    accounts: [CAMPAIGN, OTHER],
    config: fromBlock === undefined ? {} : { nativeLogs: { fromBlock } },
  })
  const router = await deploy(chain, 'router')
  const pay = () =>
    router.call(1, 'splitLogged', [NATIVE_LOG, [CAMPAIGN, OTHER, CAMPAIGN], [3n, 4n, 5n]], 12n)
  return { ...world, router, pay }
}

describe.skipIf(!hasAnvil)('logs of native payments (EIP-7708)', () => {
  test('tell of every payment by calls, unclaimed and without a trace, each once', async () => {
    const { chain, transfers, router, pay, node, sync, mineAndFollow } = await setUp(0)
    const paid = await pay()
    const direct = await chain.send(await chain.sign(2, { to: CAMPAIGN, value: 8n }))
    await mineAndFollow(3)
    await createCheckBalancesJob(sync).run()
    const stored = { txHash: paid.hash, sender: router.address, source: 'log' }
    const all = await transfers()
    expect(all).toHaveLength(4)
    expect(all).toEqual(
      expect.arrayContaining([
        { ...stored, position: -2, recipient: CAMPAIGN, amount: '3' },
        { ...stored, position: -3, recipient: CAMPAIGN, amount: '5' },
        { ...stored, position: -2, recipient: OTHER, amount: '4' },
        expect.objectContaining({ txHash: direct.hash, position: -1, source: 'value' }),
      ]),
    )
    expect(node.calls.filter(({ method }) => method.startsWith('debug_'))).toEqual([])
  })

  test('are the word of a stranger until the chain has them: off by default, and before their block', async () => {
    for (const fromBlock of [undefined, 1_000]) {
      const { transfers, pay, mineAndFollow } = await setUp(fromBlock)
      await pay()
      await mineAndFollow(3)
      expect(await transfers()).toEqual([])
    }
  })
})
