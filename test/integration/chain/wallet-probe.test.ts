import { keccak256, zeroPadValue } from 'ethers'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { encodeAddressAmount, selectors } from '../../../contracts-abi/index.ts'
import { testContracts } from '../../../contracts-abi/test-contracts.ts'
import { createContractReader, createStateReader } from '../../../src/chain/index.ts'
import { ChainConfig } from '../../../src/config/config.ts'
import { startFaultProxy } from '../../support/fault-proxy.ts'
import { hasAnvil, startTestChain, type TestChain } from '../../support/test-chain.ts'
import { deployWallet, keyOf } from '../../support/test-wallets.ts'
import { createTestReaders, TEST_CHAIN, TOKEN } from '../../support/world.ts'
import {
  create,
  deployAccount,
  deploySafe,
  type RealWallet,
  send,
  walletCodes,
} from './support/real-wallets.ts'

const OWNER = 3
const RECEIVER = `0x${'ab'.repeat(20)}`
const SAFE_111 = walletCodes['@gnosis.pm/safe-contracts@1.1.1'].contracts
const SAFE_130 = walletCodes['@gnosis.pm/safe-contracts@1.3.0'].contracts
const SAFE_141 = walletCodes['@safe-global/safe-contracts@1.4.1'].contracts
const ERC4337 = {
  '0.6': walletCodes['@account-abstraction/contracts@0.6.0'].contracts,
  '0.7': walletCodes['@account-abstraction/contracts@0.7.0'].contracts,
}

const setUp = async () => {
  const chain = await startTestChain()
  const { contracts } = createTestReaders(chain.url)
  const isWallet = (address: string) => contracts.isWallet({ chainId: TEST_CHAIN.id, address })
  return { chain, isWallet }
}

/**
 * Lets the wallet pay, in a transaction that a stranger sends. Returns whether it counts as a
 * wallet.
 */
const isWalletThatPaid = async (
  { chain, isWallet }: Awaited<ReturnType<typeof setUp>>,
  { address, execute }: RealWallet,
) => {
  await send(chain, { to: TOKEN, data: encodeAddressAmount(selectors.mint, address, 9n) })
  await execute(TOKEN, encodeAddressAmount(selectors.transfer, RECEIVER, 4n))
  const [log] = await chain.call<{ topics: string[] }[]>('eth_getLogs', [
    { address: TOKEN, topics: [null, null, zeroPadValue(RECEIVER, 32)] },
  ])
  expect(log?.topics[1]).toBe(zeroPadValue(address.toLowerCase(), 32))
  return isWallet(address)
}

/** Deploys runtime code of at most 255 bytes. */
const createRaw = (chain: TestChain, runtime: string) => {
  const size = (runtime.length / 2).toString(16).padStart(2, '0')
  return create(chain, { bytecode: `0x60${size}600c60003960${size}6000f3${runtime}` })
}

describe.skipIf(!hasAnvil)('the sender of a transfer is a wallet', () => {
  test.each<[string, Parameters<typeof deploySafe>[2]]>([
    ['1.1.1', SAFE_111],
    ['1.3.0 without a handler', SAFE_130],
    ['1.4.1 without a handler', { ...SAFE_141, Handler: undefined }],
    ['1.4.1', SAFE_141],
  ])('if it is a Safe %s', async (_, codes) => {
    const world = await setUp()
    const safe = await deploySafe(world.chain, OWNER, codes)
    expect(await isWalletThatPaid(world, safe)).toBe(true)
  })

  test.each(['0.6', '0.7'] as const)(
    'if it is an ERC-4337 account of version %s',
    async (version) => {
      const world = await setUp()
      const { EntryPoint, AccountFactory } = ERC4337[version]
      const entryPoint = await create(world.chain, EntryPoint)
      const codes = { entryPoint, AccountFactory }
      const account = await deployAccount(world.chain, OWNER, version, codes)
      expect(await isWalletThatPaid(world, account)).toBe(true)
    },
  )

  test('if it answers EIP-1271', async () => {
    const { chain, isWallet } = await setUp()
    expect(await isWallet(await deployWallet(chain, [1, 2], 2))).toBe(true)
  })

  test('if it has a key, also with a delegation to a contract that is no wallet', async () => {
    const { chain, isWallet } = await setUp()
    expect(await isWallet(keyOf(OWNER).address)).toBe(true)
    const address = await createRaw(chain, REVERTS)
    const authorization = await keyOf(OWNER).authorize({
      ...{ address, nonce: 0, chainId: TEST_CHAIN.id },
    })
    const raw = await keyOf(5).signTransaction({
      ...{ type: 4, chainId: TEST_CHAIN.id, nonce: 0, to: RECEIVER, gasLimit: 200_000 },
      ...{ maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 1n },
      authorizationList: [authorization],
    })
    await chain.send({ raw, hash: keccak256(raw), from: keyOf(5).address })
    await chain.mine()
    const code = await chain.call<string>('eth_getCode', [keyOf(OWNER).address, 'latest'])
    expect(code).toBe(`0xef0100${address.slice(2)}`)
    expect(await isWallet(keyOf(OWNER).address)).toBe(true)
    expect(await isWallet(address)).toBe(false)
  })
})

const REVERTS = '60006000fd'
const ONE_TO_EVERY_CALL = '600160005260206000f3'
const RAW = {
  'reverts on every call': REVERTS,
  'burns all gas': 'fe',
  'runs for ever': '5b600056',
  'returns nothing': '00',
  'returns 1 to every call': ONE_TO_EVERY_CALL,
  'returns the data of every call': '366000600037366000f3',
  'returns 100 kB to every call': '620186a06000f3',
  'has a threshold and no owners, as a bridge of validators can have':
    '60003560e01c63e75235b81460145760006000fd5b600160005260206000f3',
  'names the function that it lacks in its error':
    '635416eb9860e01b60005260003560e01c60e01b60045260246000fd',
}

describe.skipIf(!hasAnvil)('the sender of a transfer is no wallet', () => {
  test.each(Object.entries(RAW))('if it %s', async (_, runtime) => {
    const { chain, isWallet } = await setUp()
    expect(await isWallet(await createRaw(chain, runtime))).toBe(false)
  })

  test.each(['router', 'multicall', 'wrapped', 'nft', 'feeToken'] as const)(
    'if it is a %s',
    async (name) => {
      const { chain, isWallet } = await setUp()
      expect(await isWallet(await create(chain, testContracts[name]))).toBe(false)
    },
  )

  test('if it is a token', async () => {
    const { isWallet } = await setUp()
    expect(await isWallet(TOKEN)).toBe(false)
  })

  test.each(['0.6', '0.7'] as const)(
    'if it is an entry point, a paymaster or a factory of ERC-4337 version %s',
    async (version) => {
      const { chain, isWallet } = await setUp()
      const { EntryPoint, Paymaster, AccountFactory } = ERC4337[version]
      const entryPoint = await create(chain, EntryPoint)
      const signer = keyOf(OWNER).address
      const types = ['address', 'address']
      const paymaster = await create(chain, Paymaster, types, [entryPoint, signer])
      const factory = await create(chain, AccountFactory, ['address'], [entryPoint])
      for (const one of [entryPoint, paymaster, factory]) expect(await isWallet(one)).toBe(false)
    },
  )
})

describe.skipIf(!hasAnvil)('the sender of a transfer stays unknown', () => {
  test('if it answers each node in another way, and other senders do not', async () => {
    const { isWallet } = await askStrange(['0x01', '0x00', '0x'])
    expect(await Promise.all([STRANGE, keyOf(OWNER).address, TOKEN].map(isWallet))).toEqual([
      ...[null, true, false],
    ])
  })

  test('by no node that such a sender answers in another way than a quorum: no node is at fault', async () => {
    const { isWallet, logged } = await askStrange(['0x01', '0x00', '0x01'])
    for (let round = 0; round < 3; round++) expect(await isWallet(STRANGE)).toBe(true)
    expect(logged).toEqual([])
  })

  test('if no node answers', async () => {
    expect(await walletReader(['http://127.0.0.1:9']).isWallet(TOKEN)).toBe(null)
  })
})

const STRANGE = `0x${'5a'.repeat(20)}`

/** Three nodes that give these answers when the strange sender is probed. */
const askStrange = async (answers: readonly string[]) => {
  const { chain } = await setUp()
  const urls: string[] = []
  for (const answer of answers) {
    const proxy = await startFaultProxy(chain.url)
    proxy.set({
      kind: 'custom',
      layer: async (method, params, ask) => {
        const isAsked = method === 'eth_call' && JSON.stringify(params).includes(STRANGE.slice(2))
        return isAsked ? answer : ask(method, params)
      },
    })
    urls.push(proxy.url)
  }
  return walletReader(urls)
}

const walletReader = (rpc: readonly string[]) => {
  const logged: string[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => logged.push(line) })
  const config = ChainConfig.parse({ id: TEST_CHAIN.id, name: 'test', rpc })
  const reader = createStateReader({ chain: config, log })
  onTestFinished(() => reader.close())
  const contracts = createContractReader({ readers: [reader], log })
  return {
    isWallet: (address: string) => contracts.isWallet({ chainId: TEST_CHAIN.id, address }),
    /** The logged warnings, for example about a faulty node. */
    logged,
  }
}
