import { expect, test, vi } from 'vitest'
import {
  encodeAddress,
  encodeAddressAmount,
  escrowFactory,
  selectors,
} from '../../../contracts-abi/index.ts'
import { type DevChain, type DevChainOptions, startDevChain } from '../../../src/local/dev-chain.ts'
import { isAlive } from '../../../src/local/processes.ts'
import { callNode } from '../../../src/local/rpc.ts'
import { blockAt, log, stopAfterTest, tempFolder } from './support/helpers.ts'

const SOON = { timeout: 15_000, interval: 100 }
const RECIPIENT = '0x00000000000000000000000000000000000000ff'

const start = async (dataDir: string, options: Partial<DevChainOptions> = {}) =>
  stopAfterTest(await startDevChain({ dataDir, log, ...options }))

const sendToken = async (chain: DevChain, units: bigint): Promise<string> => {
  const data = encodeAddressAmount(selectors.transfer, RECIPIENT, units)
  const transaction = { from: chain.accounts[1], to: chain.token.address, data }
  return (await callNode(chain.url, 'eth_sendTransaction', [transaction])) as string
}

const balanceOf = async (chain: DevChain, account: string): Promise<bigint> => {
  const call = { to: chain.token.address, data: encodeAddress(selectors.balanceOf, account) }
  return BigInt((await callNode(chain.url, 'eth_call', [call, 'latest'])) as string)
}

const receiptOf = async (chain: DevChain, hash: string) => {
  const receipt = await callNode(chain.url, 'eth_getTransactionReceipt', [hash])
  return receipt as { blockHash: string; blockNumber: string; status: string } | null
}

/** Waits until a block contains the transaction. */
const mined = (chain: DevChain, hash: string) =>
  vi.waitFor(async () => {
    const receipt = await receiptOf(chain, hash)
    if (!receipt) throw new Error('not mined yet')
    return receipt
  }, SOON)

test('mines each second, is final two blocks later, and gives each account a billion ether and a million tokens', async () => {
  const chain = await start(tempFolder())
  const ether = (await callNode(chain.url, 'eth_getBalance', [
    chain.accounts[8],
    'latest',
  ])) as string
  expect(BigInt(ether)).toBe(10n ** 27n)
  expect(await balanceOf(chain, chain.accounts[3] ?? '')).toBe(1_000_000_000_000n)
  const receipt = await mined(chain, await sendToken(chain, 5n))
  expect(receipt.status).toBe('0x1')
  await vi.waitFor(async () => {
    const final = await blockAt(chain.url, 'finalized')
    expect(Number(final.number)).toBeGreaterThanOrEqual(Number(receipt.blockNumber))
  }, SOON)
})

test('has the escrow factory, also after a restart', async () => {
  const dataDir = tempFolder()
  const { address, deployedBytecode } = escrowFactory
  const codeOn = (chain: DevChain) => callNode(chain.url, 'eth_getCode', [address, 'latest'])
  const first = await start(dataDir)
  expect(await codeOn(first)).toBe(deployedBytecode)
  await first.stop()
  expect(await codeOn(await start(dataDir))).toBe(deployedBytecode)
})

test('keeps blocks, receipts, hashes and balances over a restart, and goes on from there', async () => {
  const dataDir = tempFolder()
  const first = await start(dataDir)
  const hash = await sendToken(first, 5n)
  const { blockHash } = await mined(first, hash)
  const read = async (chain: DevChain) => ({
    block: await callNode(chain.url, 'eth_getBlockByHash', [blockHash, true]),
    receipts: await callNode(chain.url, 'eth_getBlockReceipts', [blockHash]),
    receipt: await receiptOf(chain, hash),
    balance: await balanceOf(chain, RECIPIENT),
  })
  const before = await read(first)
  const head = await blockAt(first.url, 'latest')
  const startedAtMs = Date.now()
  await first.stop()
  expect(Date.now() - startedAtMs).toBeLessThan(5_000)
  expect(isAlive(first.pid)).toBe(false)

  const second = await start(dataDir)
  expect(await read(second)).toEqual(before)
  const { checkpoint, beaconNetwork } = first.committee
  expect(second.committee).toMatchObject({ checkpoint, beaconNetwork })
  expect((await blockAt(second.url, head.number)).hash).toBe(head.hash)
  const next = await vi.waitFor(async () => {
    const latest = await blockAt(second.url, 'latest')
    expect(Number(latest.number)).toBeGreaterThan(Number(head.number) + 1)
    return latest
  }, SOON)
  expect(Number(next.timestamp)).toBeLessThanOrEqual(Date.now() / 1000)
  const finalBlock = await blockAt(second.url, 'finalized')
  expect(Number(finalBlock.number)).toBeGreaterThanOrEqual(Number(head.number) - 2)
})

test('does not turn back its clock at a restart, if calls have set it ahead', async () => {
  const dataDir = tempFolder()
  const first = await start(dataDir)
  await callNode(first.url, 'evm_increaseTime', [86_400])
  await callNode(first.url, 'anvil_mine', [])
  const ahead = await blockAt(first.url, 'latest')
  await first.stop()

  const second = await start(dataDir)
  const next = await vi.waitFor(async () => {
    const latest = await blockAt(second.url, 'latest')
    expect(Number(latest.number)).toBeGreaterThan(Number(ahead.number) + 1)
    return latest
  }, SOON)
  expect(Number(next.timestamp)).toBeGreaterThan(Number(ahead.timestamp))
})

test('loses nothing that was saved to a kill -9 of the node, and reports it', async () => {
  const dataDir = tempFolder()
  const onExit = vi.fn()
  const first = await start(dataDir, { onExit })
  const { blockHash, blockNumber } = await mined(first, await sendToken(first, 5n))
  // The chain is saved every few seconds, so after four more blocks this block is saved.
  await vi.waitFor(async () => {
    const head = await blockAt(first.url, 'latest')
    expect(Number(head.number)).toBeGreaterThan(Number(blockNumber) + 4)
  }, SOON)
  process.kill(first.pid, 'SIGKILL')
  await vi.waitFor(() => expect(onExit).toHaveBeenCalledOnce(), SOON)

  const second = await start(dataDir)
  expect((await blockAt(second.url, blockNumber)).hash).toBe(blockHash)
  expect(await balanceOf(second, RECIPIENT)).toBe(5n)
})

test('mines slowly while it is not used, and a transaction wakes it up', async () => {
  const chain = await start(tempFolder(), { idleAfterMs: 500 })
  const paceS = () => callNode(chain.url, 'anvil_getIntervalMining')
  await vi.waitFor(async () => expect(await paceS()).toBe(15), SOON)
  const hash = await sendToken(chain, 5n)
  await vi.waitFor(async () => expect(await receiptOf(chain, hash)).not.toBeNull(), {
    timeout: 5_000,
    interval: 50,
  })
})

test('is back at the time of day after a reorganisation', async () => {
  const chain = await start(tempFolder())
  await vi.waitFor(async () => {
    expect(Number((await blockAt(chain.url, 'latest')).number)).toBeGreaterThanOrEqual(8)
  }, SOON)
  await callNode(chain.url, 'anvil_reorg', [6, []])
  await vi.waitFor(async () => {
    const { timestamp } = await blockAt(chain.url, 'latest')
    expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(2)
  }, SOON)
})

test('refuses a second start on the same chain while the first one lives', async () => {
  const dataDir = tempFolder()
  await start(dataDir)
  await expect(start(dataDir)).rejects.toThrow(`Another Fundproof (pid ${process.pid})`)
})
