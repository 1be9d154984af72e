import { ChainError } from '../errors.ts'
import { readArray, readObject } from '../rpc/read.ts'
import type { ChainTransaction, Hash, Inclusion } from '../types.ts'
import { proveHeader } from './header.ts'
import { toHex } from './keccak.ts'
import { orderedTrieRoot } from './ordered-trie.ts'
import { proveReceipts, writeReceipt } from './receipts.ts'
import type { ProofTools } from './tools.ts'
import { isEncodable, isHashed, isUnsigned, writeTransaction } from './transaction.ts'
import { proveTransactions } from './transactions.ts'

/**
 * Proves a block from a node's answers. Returns the trie nodes that prove each wanted transaction
 * without the rest of the block, and the RLP of the header as hex. On mainnet, the nodes for one
 * receipt take 1 to 2.5 kB.
 *
 * @param rawBlock the result of `eth_getBlockByHash` with full transactions
 * @param rawReceipts the result of `eth_getBlockReceipts`
 * @throws ChainError if header, transactions or receipts are not proven; `receipts_forged` if a
 *   wanted transaction is not in the block
 */
export const proveInclusions = (
  rawBlock: unknown,
  rawReceipts: unknown,
  txHashes: ReadonlySet<Hash>,
  tools: ProofTools,
) => {
  const raw = readObject(rawBlock, 'block')
  const proven = proveHeader(raw, tools)
  // The writer still holds the RLP of the header, which `proveHeader` wrote.
  const header = toHex(tools.writer.view(0))
  const block = proveTransactions(proven, readArray(raw.transactions, 'transactions'), tools)
  const receipts = readArray(rawReceipts, 'receipts').map((item) => readObject(item, 'receipt'))
  proveReceipts(block, receipts, tools)

  const { writer } = tools
  const indexes = new Map(
    block.transactions.flatMap(({ hash }, index) =>
      txHashes.has(hash) ? [[hash, index] as const] : [],
    ),
  )
  const wanted = new Set(indexes.values())
  const ofReceipts = pathsOf(block.transactions.length, wanted, tools, (index) =>
    writeReceipt(writer, receipts[index] ?? {}),
  )
  const ofTransactions = block.transactions.every(({ raw }) => raw !== null && isEncodable(raw))
    ? pathsOf(block.transactions.length, wanted, tools, (index) =>
        writeTransaction(writer, block.transactions[index]?.raw ?? {}),
      )
    : null
  const inclusions = new Map<Hash, Inclusion>()
  for (const hash of txHashes) {
    const index = indexes.get(hash)
    if (index === undefined) {
      throw new ChainError('receipts_forged', `Block ${block.number} does not hold ${hash}.`)
    }
    inclusions.set(hash, {
      index,
      receipt: ofReceipts.get(index) ?? [],
      transaction: hasOwnHash(block.transactions[index])
        ? (ofTransactions?.get(index) ?? null)
        : null,
    })
  }
  return { block, header, inclusions }
}

/** The trie nodes on the path to each wanted item, from the root down. */
const pathsOf = (
  count: number,
  wanted: ReadonlySet<number>,
  { writer, keccak }: ProofTools,
  writeValue: (index: number) => void,
): Map<number, string[]> => {
  const paths = new Map([...wanted].map((index): [number, string[]] => [index, []]))
  writer.rewind(0)
  orderedTrieRoot(count, writer, keccak, writeValue, (node, items) => {
    let hex: string | undefined
    for (const item of items) {
      const path = paths.get(item)
      if (!path) continue
      hex ??= toHex(node)
      path.unshift(hex)
    }
  })
  return paths
}

/**
 * Whether a transaction's hash is the hash of its encoding. This is false for some transaction
 * types of rollups, and for impersonated senders on a development chain.
 */
const hasOwnHash = (transaction: ChainTransaction | undefined): boolean => {
  const raw = transaction?.raw ?? null
  return raw !== null && isHashed(raw) && !isUnsigned(raw)
}
