import { AbiCoder, Interface, type InterfaceAbi } from 'ethers'
import { testAggregator } from '../../contracts-abi/test-contracts.ts'
import type { TestChain } from './test-chain.ts'

/** The id of a round in a price feed proxy. */
export const roundId = (phase: number, round: number): bigint =>
  (BigInt(phase) << 64n) | BigInt(round)

/** A price feed, or sequencer feed, on a test's chain. */
export type TestFeed = {
  address: string
  /** Calls a setter of TestAggregator, and mines a block. Returns the block number. */
  write(method: string, ...values: unknown[]): Promise<number>
  /** Calls a setter without mining a block. */
  send(method: string, ...values: unknown[]): Promise<void>
}

const ABI = new Interface(testAggregator.abi as InterfaceAbi)
/** The development account that writes to feeds. No test pays with it. */
const OPERATOR = 9

export const deployFeed = async (
  chain: TestChain,
  description: string,
  decimals: number,
): Promise<TestFeed> => {
  const { bytecode, constructorTypes } = testAggregator
  const values = AbiCoder.defaultAbiCoder().encode(constructorTypes, [description, decimals])
  const data = bytecode + values.slice(2)
  const { hash } = await chain.send(await chain.sign(OPERATOR, { data, gasLimit: 3_000_000n }))
  await chain.mine()
  const receipt = await chain.call<{ contractAddress: string }>('eth_getTransactionReceipt', [hash])
  const address = receipt.contractAddress.toLowerCase()
  const send: TestFeed['send'] = async (method, ...args) => {
    const call = { to: address, data: ABI.encodeFunctionData(method, args) }
    await chain.send(await chain.sign(OPERATOR, call))
  }
  return {
    address,
    send,
    async write(method, ...args) {
      await send(method, ...args)
      return chain.mine()
    },
  }
}

/** A block in the form that questions about prices need. */
export const priceBlock = async (chain: TestChain, number: number) => {
  const tag = `0x${number.toString(16)}`
  const block = await chain.call<{ hash: string; timestamp: string }>('eth_getBlockByNumber', [
    tag,
    false,
  ])
  return { number, hash: block.hash, minedAt: new Date(Number(block.timestamp) * 1_000) }
}

/** The Unix time of a block. */
export const timeOf = async (chain: TestChain, number: number): Promise<number> =>
  (await priceBlock(chain, number)).minedAt.getTime() / 1_000
