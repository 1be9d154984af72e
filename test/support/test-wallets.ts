import { AbiCoder, concat, HDNodeWallet, Interface, Mnemonic, toBeHex } from 'ethers'
import { testWallet, testWalletFactory } from '../../contracts-abi/test-contracts.ts'
import type { TestChain } from './test-chain.ts'

const MNEMONIC = 'test test test test test test test test test test test junk'
const GAS = 3_000_000n
const factoryInterface = new Interface(testWalletFactory.abi)

const keys = new Map<number, HDNodeWallet>()

/**
 * The key of a development account. Each key is derived once in a process, which takes some
 * milliseconds.
 */
export const keyOf = (index: number): HDNodeWallet => {
  const mnemonic = Mnemonic.fromPhrase(MNEMONIC)
  const key = keys.get(index) ?? HDNodeWallet.fromMnemonic(mnemonic, `m/44'/60'/0'/0/${index}`)
  keys.set(index, key)
  return key
}

/** Deploys code from account 0, and mines a block. Returns the address in lower case. */
export const deploy = async (chain: TestChain, data: string): Promise<string> => {
  const { hash } = await chain.send(await chain.sign(0, { data, gasLimit: GAS }))
  await chain.mine()
  const receipt = await chain.call<{ contractAddress: string }>('eth_getTransactionReceipt', [hash])
  return receipt.contractAddress.toLowerCase()
}

/** Deploys an m-of-n wallet of some development accounts. */
export const deployWallet = (
  chain: TestChain,
  owners: readonly number[],
  threshold: number,
): Promise<string> => deploy(chain, testWallet.bytecode + argumentsOf(owners, threshold).slice(2))

/** Joins signatures of several keys in the order of the keys' addresses, as the wallet requires. */
export const signTogether = async (
  owners: readonly number[],
  sign: (key: HDNodeWallet) => Promise<string>,
): Promise<string> => {
  const keys = owners.map(keyOf).sort((a, b) => (BigInt(a.address) < BigInt(b.address) ? -1 : 1))
  return concat(await Promise.all(keys.map(sign)))
}

/** A wallet that is not deployed: its address, and a function that wraps signatures (ERC-6492). */
export const planWallet = async (
  chain: TestChain,
  owners: readonly number[],
  threshold: number,
): Promise<{
  address: string
  wrap: (signature: string) => string
  deployNow: () => Promise<void>
}> => {
  const factory = await deploy(chain, testWalletFactory.bytecode)
  const addresses = owners.map((index) => keyOf(index).address)
  const values = [addresses, threshold, toBeHex(7, 32)]
  const result = await chain.call<string>('eth_call', [
    { to: factory, data: factoryInterface.encodeFunctionData('addressOf', values) },
    'latest',
  ])
  const create = factoryInterface.encodeFunctionData('create', values)
  return {
    address: `0x${result.slice(-40)}`,
    wrap: (signature) =>
      AbiCoder.defaultAbiCoder().encode(
        ['address', 'bytes', 'bytes'],
        [factory, create, signature],
      ) + '6492'.repeat(16),
    async deployNow() {
      await chain.send(await chain.sign(0, { to: factory, data: create, gasLimit: GAS }))
      await chain.mine()
    },
  }
}

const argumentsOf = (owners: readonly number[], threshold: number): string =>
  AbiCoder.defaultAbiCoder().encode(testWallet.constructorTypes, [
    owners.map((index) => keyOf(index).address),
    threshold,
  ])
