import { describe, expect, test } from 'vitest'
import { testContracts } from '../../../contracts-abi/test-contracts.ts'
import { donorProbe, isDonorAccount } from '../../../src/chain/escrow/wallet-probe.ts'
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { deploy, deployWallet } from '../../support/test-wallets.ts'
import { createRefundWorld } from './support/refund-world.ts'

const ACCOUNT = `0x${'c0'.repeat(20)}`
const word = (hex: string) => hex.padStart(64, '0')

/** Reverts with the 4 bytes 0xdeadbeef, for every call, as routers that lack a function do. */
const REVERTS_ALWAYS = '0x63deadbeef60e01b60005260046000fd'
/** Takes every call and returns nothing. */
const TAKES_ALWAYS = '0x00'
/** Reverts without data, for every call. */
const REVERTS_BARE = '0x60006000fd'
/** Returns 32 bytes for `isValidSignature`, and reverts without data otherwise. */
const ANSWERS = '0x60003560e01c631626ba7e1460145760006000fd5b63ffffffff60e01b60005260206000f3'
/** Reverts with data for `isValidSignature`, and without data otherwise. */
const REVERTS_WRONG = '0x60003560e01c631626ba7e1460145760006000fd5b63deadbeef60e01b60005260046000fd'
/** Reverts without data for `isValidSignature`, and takes all other calls. */
const TAKES_OTHERS = '0x60003560e01c631626ba7e14601057005b60006000fd'
/** Burns all gas. */
const BURNS = '0xfe'
/** Delegates to another address (EIP-7702). */
const DELEGATES = `0xef0100${'ab'.repeat(20)}`

describe.skipIf(!hasAnvil)('the donor of a payment', () => {
  const setUp = async () => {
    const chain = await startTestChain()
    const isDonor = async (account: string): Promise<boolean | null> =>
      isDonorAccount(
        await chain.call<string>('eth_call', [{ data: donorProbe(account) }, 'latest']),
      )
    return {
      chain,
      isDonor,
      isDonorWith: async (code: string): Promise<boolean | null> => {
        await chain.call('anvil_setCode', [ACCOUNT, code])
        return isDonor(ACCOUNT)
      },
    }
  }

  test('is a sender with a key, also one that delegates to code', async () => {
    const { chain, isDonor, isDonorWith } = await setUp()
    expect(await isDonor(chain.addressOf(1))).toBe(true)
    expect(await isDonor(chain.addressOf(1).toUpperCase().replace('0X', '0x'))).toBe(true)
    expect(await isDonorWith(DELEGATES)).toBe(true)
  })

  test('is a contract that answers EIP-1271, in any of the ways that wallets have', async () => {
    const { chain, isDonor, isDonorWith } = await setUp()
    expect(await isDonor(await deployWallet(chain, [1, 2], 2))).toBe(true)
    expect(await isDonorWith(ANSWERS)).toBe(true)
    expect(await isDonorWith(REVERTS_WRONG)).toBe(true)
    expect(await isDonorWith(TAKES_OTHERS)).toBe(true)
  })

  test('is no contract that lacks EIP-1271, in whatever way it refuses', async () => {
    const { chain, isDonor, isDonorWith } = await setUp()
    expect(await isDonor(await deploy(chain, testContracts.multicall.bytecode))).toBe(false)
    for (const code of [REVERTS_ALWAYS, TAKES_ALWAYS, REVERTS_BARE, BURNS]) {
      expect(await isDonorWith(code)).toBe(false)
    }
  })
})

test.skipIf(!hasAnvil)(
  'a wrong answer of a node delays the refund root, and no other work',
  async () => {
    const nodes: FaultProxy[] = []
    const world = await createRefundWorld({
      async through({ url }) {
        nodes.push(await startFaultProxy(url))
        return nodes.map((node) => node.url)
      },
    })
    await world.deploy()
    await world.pay(1, 10n)
    await world.settle()
    await world.cancel()
    nodes[0]?.set({
      kind: 'custom',
      layer: async (method, params, ask) =>
        method === 'eth_call' && !('to' in (params[0] as object)) ? '0x' : ask(method, params),
    })
    await world.settle()
    expect(await world.refunds()).toMatchObject({ state: 'failed', root: null })
    nodes[0]?.heal()
    await expect
      .poll(async () => {
        await world.job.run()
        return world.refunds()
      })
      .toMatchObject({ root: { index: 0 } })
  },
)

test('an answer of another form is no answer', () => {
  for (const result of [null, '0x', '0x01', `0x${word('2')}`]) {
    expect(isDonorAccount(result)).toBeNull()
  }
})
