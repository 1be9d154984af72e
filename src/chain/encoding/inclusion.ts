import { ChainError } from '../errors.ts'
import { readArray, readObject } from '../rpc/read.ts'
import type { Block, ChainTransaction, Hash, Inclusion } from '../types.ts'
import { proveHeader } from './header.ts'
import { toHex } from './keccak.ts'
import { orderedTrieRoot } from './ordered-trie.ts'
import { proveReceipts, writeReceipt } from './receipts.ts'
import type { ProofTools } from './tools.ts'
import { isEncodable, isHashed, isUnsigned, writeTransaction } from './transaction.ts'
import { proveTransactions } from './transactions.ts'

export type BlockInclusions = {
  block: Block
  /** RLP, with every field that the node gave. */
  header: string
  inclusions: Map<Hash, Inclusion>
}

/**
 * Proves a block from what a node says of it, as the follower does, and keeps for some of its
 * transactions what proves each of them alone: some 1 to 2.5 kB for a receipt of mainnet.
 *
 * @param rawBlock of `eth_getBlockByHash` with full transactions
 * @param rawReceipts of `eth_getBlockReceipts`
 * @throws ChainError as the proofs of header, transactions and receipts do; `receipts_forged` for a
 *   transaction that is not in the block
 */
export const proveInclusions = (
  rawBlock: unknown,
  rawReceipts: unknown,
  txHashes: ReadonlySet<Hash>,
  tools: ProofTools,
): BlockInclusions => {
  const raw = readObject(rawBlock, 'block')
  const proven = proveHeader(raw, tools)
  // What the proof has just hashed.
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
      transaction: isNamed(block.transactions[index]) ? (ofTransactions?.get(index) ?? null) : null,
    })
  }
  return { block, header, inclusions }
}

/** The nodes that lead to each wanted item, from the root down. */
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
 * Whether the hash of a transaction is that of its encoding: not so for some that a chain makes
 * itself, nor for those of a development chain that impersonates their sender.
 */
const isNamed = (transaction: ChainTransaction | undefined): boolean => {
  const raw = transaction?.raw ?? null
  return raw !== null && isHashed(raw) && !isUnsigned(raw)
}
