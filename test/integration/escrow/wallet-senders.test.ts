import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testContracts } from '../../../contracts-abi/test-contracts.ts'
import { hasAnvil, startTestChain } from '../../support/test-chain.ts'
import { deploy, deployWallet } from '../../support/test-wallets.ts'
import { createTestReaders, TEST_CHAIN } from '../../support/world.ts'

/**
 * Code that reverts with the 4 bytes 0xdeadbeef on every call, as a router does for a missing
 * function.
 */
const REVERTS_ALWAYS = '0x63deadbeef60e01b60005260046000fd'
/** Code that accepts every call and returns nothing. */
const TAKES_ALWAYS = '0x00'
/** Code that reverts without data on every call. */
const REVERTS_BARE = '0x60006000fd'
/** Code that returns 32 bytes for `isValidSignature`, and reverts without data on other calls. */
const ANSWERS = '0x60003560e01c631626ba7e1460145760006000fd5b63ffffffff60e01b60005260206000f3'
/** Code that reverts with data for `isValidSignature`, and without data on other calls. */
const REVERTS_WRONG = '0x60003560e01c631626ba7e1460145760006000fd5b63deadbeef60e01b60005260046000fd'
/** Code that reverts without data for `isValidSignature`, and accepts all other calls. */
const TAKES_OTHERS = '0x60003560e01c631626ba7e14601057005b60006000fd'
/** Code that uses up all gas. */
const BURNS = '0xfe'
/** Code that delegates to another address (EIP-7702). */
const DELEGATES = `0xef0100${'ab'.repeat(20)}`

const createAddress = (): string => `0x${randomBytes(20).toString('hex')}`

describe.skipIf(!hasAnvil)('the sender that gets a return', () => {
  const setUp = async () => {
    const chain = await startTestChain()
    const { contracts } = createTestReaders(chain.url)
    const isWallet = (address: string) => contracts.isWallet({ chainId: TEST_CHAIN.id, address })
    return {
      chain,
      isWallet,
      isWalletWith: async (code: string): Promise<boolean | null> => {
        const account = createAddress()
        await chain.call('anvil_setCode', [account, code])
        return isWallet(account)
      },
    }
  }

  test('is a sender with a key, also one that delegates to code', async () => {
    const { chain, isWallet, isWalletWith } = await setUp()
    expect(await isWallet(chain.addressOf(1))).toBe(true)
    expect(await isWallet(chain.addressOf(1).toUpperCase().replace('0X', '0x'))).toBe(true)
    expect(await isWalletWith(DELEGATES)).toBe(true)
  })

  test('is a contract that answers EIP-1271, in any of the ways that wallets have', async () => {
    const { chain, isWallet, isWalletWith } = await setUp()
    expect(await isWallet(await deployWallet(chain, [1, 2], 2))).toBe(true)
    expect(await isWalletWith(ANSWERS)).toBe(true)
    expect(await isWalletWith(REVERTS_WRONG)).toBe(true)
    expect(await isWalletWith(TAKES_OTHERS)).toBe(true)
  })

  test('is no contract that lacks EIP-1271, in each way to refuse', async () => {
    const { chain, isWallet, isWalletWith } = await setUp()
    expect(await isWallet(await deploy(chain, testContracts.multicall.bytecode))).toBe(false)
    for (const code of [REVERTS_ALWAYS, TAKES_ALWAYS, REVERTS_BARE, BURNS]) {
      expect(await isWalletWith(code)).toBe(false)
    }
  })

  test('is asked of nodes once in a short time, because a stranger can pay from many', async () => {
    const { chain, isWallet } = await setUp()
    const account = createAddress()
    expect(await isWallet(account)).toBe(true)
    await chain.call('anvil_setCode', [account, BURNS])
    expect(await isWallet(account)).toBe(true)
  })
})
