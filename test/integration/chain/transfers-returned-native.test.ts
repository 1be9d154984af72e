import { describe, expect, test } from 'vitest'
import { testContracts } from '../../../contracts-abi/test-contracts.ts'
import { checkLedger } from '../../../src/domain/books/index.ts'
import { createCheckBalancesJob } from '../../../worker/jobs/check-balances.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { type Call, createLoops } from './support/loops.ts'
import {
  createPaymentsWorld,
  deploy,
  ETHER,
  encode,
  NODES,
  type NodeKind,
} from './support/payments.ts'

const NATIVE_LOG = '0xfffffffffffffffffffffffffffffffffffffffe'
const give = (to: string, wei: bigint): Call => [to, wei, '0x']

const setUp = async (kind: NodeKind, config: object = {}) => {
  const chain = await startTestChain()
  await chain.call('anvil_setCode', [NATIVE_LOG, testContracts.nativeLog.deployedBytecode])
  const loops = await createLoops(chain)
  const accounts = [loops.account.address, chain.addressOf(6)]
  const payments = await createPaymentsWorld(kind, { chain, accounts, config })
  return {
    ...payments,
    ...loops,
    counted: async () => (await payments.transfers()).map((one) => [one.position, one.amount]),
    ends: async () => (await payments.donations()).map(({ reason, amount }) => [reason, amount]),
  }
}

const RETURNED = ['returned_in_transaction', null]

describe.skipIf(!hasAnvil).each(NODES)(
  'native money that leaves at once, from a node with %s',
  (kind) => {
    test('counts where calls brought it and the account kept it', async () => {
      const { account, lender, lend, asAccount, ...world } = await setUp(kind)
      const calls = [give(account.address, 9n), give(account.address, 4n)]
      const paid = await lend([...calls, asAccount(give(lender.address, 6n))], 13n)
      await world.claim(paid, account.address)
      await world.mineAndFollow(3)
      await createCheckBalancesJob(world.sync).run()
      // The proven balance gives the total. Only traces show the single payments.
      expect(await world.counted()).toEqual([[-2, '7']])
      expect(await world.ends()).toEqual([['completed', '7']])
      expect((await checkLedger(world.world.ctx.pool)).differences).toEqual([])
    })

    test('counts for nothing where the account kept nothing', async () => {
      const { account, lender, lend, asAccount, ...world } = await setUp(kind)
      const loan = [give(account.address, ETHER), asAccount(give(lender.address, ETHER))]
      await world.claim(await lend(loan, ETHER), account.address)
      await world.mineAndFollow(3)
      await createCheckBalancesJob(world.sync).run()
      expect(await world.counted()).toEqual([])
      // Without traces, no data of the node shows that the account received the money for a moment.
      const [end] = await world.ends()
      expect(end).toEqual(kind === 'no traces' ? ['wrong_recipient', null] : RETURNED)
    })

    test('is no gift where the account itself sent it, to get it back from a contract', async () => {
      const { chain, lender, ...world } = await setUp(kind)
      const own = chain.addressOf(6)
      const router = await deploy(chain, 'router')
      await world.claim(await router.call(6, 'forward', [own], ETHER), own)
      await world.mineAndFollow(3)
      await createCheckBalancesJob(world.sync).run()
      expect(await world.counted()).toEqual([])
      expect(await world.ends()).toEqual([RETURNED])
    })
  },
)

describe.skipIf(!hasAnvil)(
  'native money that leaves at once, where the chain logs it (EIP-7708)',
  () => {
    test('counts by what the account kept, the transaction’s own value first', async () => {
      const { chain, account, lender, lend, asAccount, ...world } = await setUp('no traces', {
        nativeLogs: { fromBlock: 0 },
      })
      const logged = (from: string, to: string, wei: bigint): Call => [
        NATIVE_LOG,
        0n,
        encode('nativeLog', 'moved', [from, to, wei]),
      ]
      const back = (wei: bigint): Call[] => [
        logged(account.address, lender.address, wei),
        give(lender.address, wei),
      ]
      const bring = (wei: bigint): Call[] => [
        logged(lender.address, account.address, wei),
        give(account.address, wei),
      ]
      const loop = await lend([...bring(9n), asAccount(...back(9n))], 9n)
      await world.claim(loop, account.address)
      await chain.mine()
      await lend([...bring(9n), ...bring(4n), asAccount(...back(6n))], 13n)
      await chain.mine()
      // This call brings 8 wei to the account, and the account sends 2 back.
      const own = await account.call(3, 'run', [back(2n)], 8n)
      await world.claim(own, account.address)
      await world.mineAndFollow(3)
      await createCheckBalancesJob(world.sync).run()
      expect(await world.counted()).toEqual([
        [-2, '7'],
        [-1, '6'],
      ])
      expect(await world.ends()).toEqual([RETURNED, ['completed', '6']])
      expect((await checkLedger(world.world.ctx.pool)).differences).toEqual([])
    })
  },
)
