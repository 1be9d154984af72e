import { encodeAddressAmount, selectors } from '../../contracts-abi/index.ts'
import { DEV_TOKEN_ADDRESS, ensureToken } from '../../src/local/dev-token.ts'
import { callNode } from '../../src/local/rpc.ts'
import type { Cleanup } from '../support/cleanup.ts'
import { type Anvil, startAnvil } from './anvil.ts'

export type Paid = { txHash: string; sender: string; recipient: string; units: bigint }

/** A chain with the same number of token transfers in every block. All of them are final. */
export type PaidChain = Anvil & { paid: Paid[]; head: number }

export type PaidChainOptions = {
  blocks: number
  transfersPerBlock: number
  /** The recipients, which are paid in turn. */
  recipients: readonly string[]
  /** Keeps the state of every block. */
  archive?: boolean
}

type Call = { method: string; params: readonly unknown[] }

const GAS = '0x186a0'
const GAS_PRICE = '0x4a817c800'
const BATCH_TIMEOUT_MS = 60_000
/** The number of blocks by which `finalized` is behind the head. */
const BLOCKS_TO_FINALITY = 2

export const preparePaidChain = async (
  cleanup: Cleanup,
  options: PaidChainOptions,
): Promise<PaidChain> => {
  const anvil = await startAnvil(cleanup, ['--no-mining'], options.archive)
  const { url } = anvil
  // The unlocked accounts of the development node.
  const senders = await callNode<string[]>(url, 'eth_accounts')
  await ensureToken(url, senders)
  const nonces = await nextNonces(url, senders)
  const paid: Paid[] = []
  for (let block = 0; block < options.blocks; block++) {
    const transfers = Array.from({ length: options.transfersPerBlock }, (_, index) =>
      transferOf(block * options.transfersPerBlock + index, senders, options.recipients),
    )
    const hashes = await callBatch(
      url,
      transfers.map(({ sender, recipient, units }) => ({
        method: 'eth_sendTransaction',
        params: [
          {
            from: sender,
            to: DEV_TOKEN_ADDRESS,
            data: encodeAddressAmount(selectors.transfer, recipient, units),
            gas: GAS,
            gasPrice: GAS_PRICE,
            nonce: `0x${take(nonces, sender).toString(16)}`,
          },
        ],
      })),
    )
    await callNode(url, 'evm_mine')
    paid.push(...transfers.map((one, index) => ({ ...one, txHash: String(hashes[index]) })))
  }
  await callNode(url, 'anvil_mine', [`0x${BLOCKS_TO_FINALITY.toString(16)}`])
  const head = Number(await callNode(url, 'eth_blockNumber'))
  return { ...anvil, paid, head }
}

const transferOf = (
  index: number,
  senders: readonly string[],
  recipients: readonly string[],
): Omit<Paid, 'txHash'> => ({
  sender: (senders[index % senders.length] ?? '').toLowerCase(),
  recipient: recipients[index % recipients.length] ?? '',
  units: 1_000_000n + BigInt(index % 997) * 10_007n,
})

const nextNonces = async (
  url: string,
  accounts: readonly string[],
): Promise<Map<string, number>> => {
  const counts = await callBatch(
    url,
    accounts.map((account) => ({
      method: 'eth_getTransactionCount',
      params: [account, 'latest'],
    })),
  )
  return new Map(accounts.map((account, index) => [account.toLowerCase(), Number(counts[index])]))
}

const take = (nonces: Map<string, number>, account: string): number => {
  const nonce = nonces.get(account) ?? 0
  nonces.set(account, nonce + 1)
  return nonce
}

/** Sends a JSON-RPC batch to the development node. Throws if a call failed. */
const callBatch = async (url: string, calls: readonly Call[]): Promise<unknown[]> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))),
    signal: AbortSignal.timeout(BATCH_TIMEOUT_MS),
  })
  const replies = (await response.json()) as { id: number; result?: unknown; error?: unknown }[]
  const results: unknown[] = new Array(calls.length)
  for (const { id, result, error } of replies) {
    if (error) throw new Error(`${calls[id]?.method}: ${JSON.stringify(error)}`)
    results[id] = result
  }
  return results
}
