import { HDNodeWallet, Interface, JsonRpcProvider, Mnemonic, parseEther, Wallet } from 'ethers'

/** Anvil's well-known accounts: test money, worth nothing anywhere. */
const MNEMONIC = 'test test test test test test test test test test test junk'
const TOKEN = new Interface([
  'function mint(address to, uint256 amount)',
  'function transfer(address to, uint256 amount)',
])

export type DevChain = Awaited<ReturnType<typeof connectDevChain>>

/** Sends real transactions on the development chain, and takes its newest blocks back on demand. */
export const connectDevChain = async (rpcUrl: string, tokenAddress: string) => {
  const provider = new JsonRpcProvider(rpcUrl, undefined, {
    batchMaxCount: 1,
    cacheTimeout: -1,
    pollingInterval: 200,
  })
  const version = (await provider.send('web3_clientVersion', [])) as string
  if (!version.toLowerCase().includes('anvil')) {
    provider.destroy()
    throw new Error(`The demo needs a development chain (Anvil), and ${rpcUrl} is ${version}.`)
  }
  const accountAt = (index: number) =>
    HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(MNEMONIC), `m/44'/60'/0'/0/${index}`).connect(
      provider,
    )
  /** Waits until a block holds the transaction, and returns its hash and that block's number. */
  const mined = async (
    sent: Promise<{ hash: string }>,
  ): Promise<{ hash: string; block: number }> => {
    const { hash } = await sent
    const receipt = await provider.waitForTransaction(hash, 1, 30_000)
    if (!receipt) throw new Error('The development chain did not mine a transaction in time.')
    return { hash, block: receipt.blockNumber }
  }
  return {
    newAddress: () => Wallet.createRandom().address,
    addressOf: (index: number) => accountAt(index).address,
    knows: async (txHash: string): Promise<boolean> =>
      (await provider.send('eth_getTransactionByHash', [txHash])) !== null,
    async sendToken(index: number, to: string, units: bigint) {
      const wallet = accountAt(index)
      await mined(
        wallet.sendTransaction({
          to: tokenAddress,
          data: TOKEN.encodeFunctionData('mint', [wallet.address, units]),
        }),
      )
      const data = TOKEN.encodeFunctionData('transfer', [to, units])
      return mined(wallet.sendTransaction({ to: tokenAddress, data }))
    },
    sendEther: (index: number, to: string, ether: string) =>
      mined(accountAt(index).sendTransaction({ to, value: parseEther(ether) })),
    /** Replaces every block from `block` on by empty ones. */
    async takeBackFrom(block: number): Promise<number> {
      const depth = (await provider.getBlockNumber()) - block + 1
      await provider.send('anvil_reorg', [depth, []])
      return depth
    },
    close: () => provider.destroy(),
  }
}
