import { randomBytes } from 'node:crypto'
import { encodeAddressAmount, selectors } from '../../contracts-abi/index.ts'
import { callNode } from '../local/rpc.ts'
import { poll } from './client.ts'

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
    const { blockNumber } = await poll('The development chain mined no transaction', () =>
      call<{ blockNumber: string } | null>('eth_getTransactionReceipt', [hash]),
    )
    return { paid: { txHash: hash, ledgerAddress: from }, block: Number(blockNumber) }
  }
  return {
    newAddress: () => `0x${randomBytes(20).toString('hex')}`,
    knows: async (txHash: string): Promise<boolean> =>
      (await call('eth_getTransactionByHash', [txHash])) !== null,
    async sendToken(index: number, to: string, units: bigint) {
      const mint = encodeAddressAmount(selectors.mint, addressOf(index), units)
      await send(index, { to: tokenAddress, data: mint })
      const transfer = encodeAddressAmount(selectors.transfer, to, units)
      return send(index, { to: tokenAddress, data: transfer })
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
