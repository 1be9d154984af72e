import type { ProofTools } from '../encoding/tools.ts'
import { proveTransactions } from '../encoding/transactions.ts'
import { resultOf } from '../rpc/json-rpc.ts'
import type { NodePool } from '../rpc/pool.ts'
import { readArray, readObject } from '../rpc/read.ts'
import type { Block } from '../types.ts'
import { missing } from './read-header.ts'

/**
 * Makes a quorum agree on the transaction hashes of blocks with the proof `receipts-root`, because
 * receipts do not prove hashes: one node could invent hashes beside real receipts. A block whose
 * node named other hashes gets the hashes of the quorum, and that node gets the fault `outvoted`.
 *
 * @param node the node that sent the blocks
 * @throws ChainError `no_agreement` if no quorum agrees
 */
export const agreeOnHashes = async (
  pool: Pick<NodePool, 'quorum' | 'agree' | 'reportFault'>,
  tools: ProofTools,
  { node, blocks }: { node: string; blocks: Block[] },
): Promise<Block[]> => {
  const open = blocks.filter(({ proof }) => proof === 'receipts-root')
  if (pool.quorum === 1 || open.length === 0) return blocks
  const lists = await pool.agree(
    open.map(({ hash }) => ({ method: 'eth_getBlockByHash', params: [hash, false] })),
    (replies, from) =>
      open.map((block, index) => {
        const raw = resultOf(replies[index], from)
        if (raw === null) throw missing(`block ${block.hash}`)
        const list = readArray(readObject(raw, 'block').transactions, 'transactions')
        return hashesOf(proveTransactions(block, list, tools))
      }),
    (lists) => lists.join(' '),
  )
  return blocks.map((block) => {
    const list = lists[open.indexOf(block)]
    if (list === undefined || list === hashesOf(block)) return block
    pool.reportFault(node, 'agreement on eth_getBlockByHash', 'outvoted')
    const hashes = list === '' ? [] : list.split(',')
    const transactions = hashes.map((hash) => ({ hash, to: null, value: 0n, raw: null }))
    return { ...block, transactions }
  })
}

const hashesOf = ({ transactions }: Block): string => transactions.map(({ hash }) => hash).join()
