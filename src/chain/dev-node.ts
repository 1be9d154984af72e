import { encodeAddressAmount, selectors } from '../../contracts-abi/index.ts'
import type { ChainConfig } from '../config/config.ts'
import type { DevChain, TestTransfer } from '../kernel/dev-chain.ts'
import { DomainError, messageOf } from '../kernel/errors.ts'
import type { Log } from '../kernel/ports/log.ts'
import { ChainError } from './errors.ts'
import { createEndpoint, type Endpoint } from './rpc/endpoint.ts'
import { resultOf } from './rpc/json-rpc.ts'
import {
  type RpcObject,
  readAddress,
  readArray,
  readHash,
  readNumber,
  readObject,
} from './rpc/read.ts'

export type DevNode = DevChain & { close(): Promise<void> }

const TIMEOUT_MS = 4_000
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024
/** `drop` replaces the transaction's block and all later blocks, at most this number of blocks. */
const MAX_DROP_DEPTH = 100
const GAS = '0x30d40'

/**
 * Connects to the first configured node of a chain. Returns null if this node does not answer or is
 * not Anvil. Calls are never retried, because a retry could send a transaction twice.
 */
export const connectDevNode = async (chain: ChainConfig, log: Log): Promise<DevNode | null> => {
  const [url = ''] = chain.rpc
  const endpoint = createEndpoint(url, {
    timeoutMs: TIMEOUT_MS,
    maxResponseBytes: MAX_RESPONSE_BYTES,
  })
  try {
    const version = await call(endpoint, 'web3_clientVersion', [])
    if (typeof version === 'string' && /anvil/i.test(version)) return devNode(chain.id, endpoint)
  } catch (error) {
    log.info({ chain: chain.id, reason: messageOf(error) }, 'the development node does not answer')
  }
  await endpoint.close()
  return null
}

const devNode = (chainId: number, endpoint: Endpoint): DevNode => {
  const ask = (method: string, params: readonly unknown[] = []) =>
    translatingErrors(() => call(endpoint, method, params))
  const send = async (transaction: Record<string, string>): Promise<string> =>
    readHash(await ask('eth_sendTransaction', [{ gas: GAS, ...transaction }]), 'hash')

  /**
   * Returns the account that pays: the node's second-to-last account, because people and tests use
   * the first accounts and the seeded campaign uses the last account. Its balance is never set by a
   * command, because then a block's header would no longer prove the block's state.
   */
  const sender = async (): Promise<string> => {
    const accounts = readArray(await ask('eth_accounts'), 'accounts')
    return readAddress(accounts.at(-2) ?? accounts.at(-1), 'account')
  }
  const mint = (from: string, token: string, to: string, units: bigint) =>
    send({ from, to: token, data: encodeAddressAmount(selectors.mint, to, units) })

  const fundOne = (from: string, { to, token, units }: TestTransfer): Promise<string> =>
    token === null ? send({ from, to, value: hex(units) }) : mint(from, token, to, units)

  return {
    chainId,
    async fund(transfers) {
      const from = await sender()
      const hashes: string[] = []
      for (const transfer of transfers) hashes.push(await fundOne(from, transfer))
      return hashes
    },
    async transfer({ to, token, units }) {
      const from = await sender()
      if (token === null) return { from, txHash: await send({ from, to, value: hex(units) }) }
      await mint(from, token, from, units)
      const data = encodeAddressAmount(selectors.transfer, to, units)
      return { from, txHash: await send({ from, to: token, data }) }
    },
    async reorg(depth) {
      await ask('anvil_reorg', [depth, []])
    },
    async drop(txHash) {
      if ((await ask('anvil_dropTransaction', [txHash])) !== null) return 0
      const found = await ask('eth_getTransactionByHash', [txHash])
      if (found === null) return null
      const dropped = readObject(found, 'transaction')
      const from = readNumber(dropped.blockNumber, 'block number')
      const head = readNumber(await ask('eth_blockNumber'), 'block number')
      const depth = head - from + 1
      if (depth > MAX_DROP_DEPTH) {
        throw new DomainError(
          'conflict',
          `The transaction is more than ${MAX_DROP_DEPTH} blocks deep.`,
        )
      }
      const kept: [string, number][] = []
      for (let number = from; number <= head; number += 1) {
        const block = readObject(await ask('eth_getBlockByNumber', [hex(number), true]), 'block')
        for (const entry of readArray(block.transactions, 'transactions')) {
          const transaction = readObject(entry, 'transaction')
          // Also drops the sender's later transactions, because a lower nonce is then missing.
          if (transaction.from === dropped.from && !hasLowerNonce(transaction, dropped)) continue
          const raw = await ask('eth_getRawTransactionByHash', [transaction.hash])
          if (typeof raw === 'string') kept.push([raw, number - from])
        }
      }
      await ask('anvil_reorg', [depth, kept])
      return depth
    },
    close: () => endpoint.close(),
  }
}

const hasLowerNonce = (transaction: RpcObject, other: RpcObject): boolean =>
  readNumber(transaction.nonce, 'nonce') < readNumber(other.nonce, 'nonce')

const call = async (
  endpoint: Endpoint,
  method: string,
  params: readonly unknown[],
): Promise<unknown> => {
  const [reply] = await endpoint.exchange([{ method, params }])
  return resultOf(reply, endpoint.name)
}

/** Throws DomainError: `conflict` if the node refuses a call, `unavailable` if the call fails. */
const translatingErrors = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    if (error.code === 'rpc_error') {
      throw new DomainError('conflict', 'The development chain refuses this in its present state.')
    }
    throw new DomainError('unavailable', 'The development chain does not answer.')
  }
}

const hex = (value: bigint | number): string => `0x${value.toString(16)}`
