import { randomBytes } from 'node:crypto'
import { encodeAddress, encodeAddressAmount, selectors } from '../../../contracts-abi/index.ts'
import { callNode } from '../../local/rpc.ts'
import { poll } from './client.ts'

export type Call = { to: string; data: string }
export type DevChain = Awaited<ReturnType<typeof connectDevChain>>

/** Sends real transactions on a development chain, whose node signs with its own accounts. */
export const connectDevChain = async (rpcUrl: string, tokenAddress: string) => {
  const call = <T>(method: string, params: readonly unknown[] = []) =>
    callNode<T>(rpcUrl, method, params)
  const version = await call<string>('web3_clientVersion')
  if (!version.toLowerCase().includes('anvil')) {
    throw new Error(`The demo needs a development chain (Anvil), and ${rpcUrl} is ${version}.`)
  }
  const accounts = await call<string[]>('eth_accounts')
  const addressOf = (index: number) => accounts[index] ?? ''
  const send = async (index: number, transaction: Record<string, string>) => {
    const from = addressOf(index)
    const hash = await call<string>('eth_sendTransaction', [{ from, ...transaction }])
    const { blockNumber, status } = await poll('The development chain mined no transaction', () =>
      call<{ blockNumber: string; status: string } | null>('eth_getTransactionReceipt', [hash]),
    )
    if (status !== '0x1') throw new Error(`Transaction ${hash} was reverted.`)
    return { paid: { txHash: hash, ledgerAddress: from }, block: Number(blockNumber) }
  }
  return {
    newAddress: () => `0x${randomBytes(20).toString('hex')}`,
    knows: async (txHash: string): Promise<boolean> =>
      (await call('eth_getTransactionByHash', [txHash])) !== null,
    async sendToken(index: number, to: string, units: bigint, { mints = true } = {}) {
      const mint = encodeAddressAmount(selectors.mint, addressOf(index), units)
      if (mints) await send(index, { to: tokenAddress, data: mint })
      const transfer = encodeAddressAmount(selectors.transfer, to, units)
      return send(index, { to: tokenAddress, data: transfer })
    },
    mint: (to: string, units: bigint) =>
      send(0, { to: tokenAddress, data: encodeAddressAmount(selectors.mint, to, units) }),
    /** Sends calls in order, each as a transaction of its own. Throws Error if one reverts. */
    async sendCalls(index: number, calls: readonly Call[]): Promise<void> {
      for (const { to, data } of calls) await send(index, { to, data })
    },
    addressOf,
    async balanceOf(account: string): Promise<bigint> {
      const data = encodeAddress(selectors.balanceOf, account)
      return BigInt(await call<string>('eth_call', [{ to: tokenAddress, data }, 'latest']))
    },
    hasCode: async (account: string): Promise<boolean> =>
      (await call<string>('eth_getCode', [account, 'latest'])) !== '0x',
    /** The time of the newest block, in Unix seconds. */
    async time(): Promise<number> {
      const block = await call<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false])
      return Number(block.timestamp)
    },
    /** Moves the chain's clock ahead. The clock cannot go back, so later blocks stay ahead. */
    passTime: async (seconds: number): Promise<void> => {
      await call('evm_increaseTime', [seconds])
    },
    sendEther: (index: number, to: string, wei: bigint) =>
      send(index, { to, value: `0x${wei.toString(16)}` }),
    /** Replaces all blocks from `block` on with empty blocks, and returns their number. */
    async takeBackFrom(block: number): Promise<number> {
      const depth = Number(await call('eth_blockNumber')) - block + 1
      await call('anvil_reorg', [depth, []])
      return depth
    },
  }
}
