import { proveHeader } from '../encoding/header.ts'
import type { ProofTools } from '../encoding/tools.ts'
import { proveTransactions } from '../encoding/transactions.ts'
import { ChainError } from '../errors.ts'
import { resultOf } from '../rpc/json-rpc.ts'
import type { NodePool } from '../rpc/pool.ts'
import { readArray, readObject } from '../rpc/read.ts'
import type { Block } from '../types.ts'
import { missing } from './read-header.ts'

const TOPIC = 'agreement on transactions'

/**
 * Makes a quorum agree on the transaction hashes of blocks with the proof `receipts-root`, because
 * receipts do not prove hashes: one node could invent hashes beside real receipts. A block whose
 * node named other hashes gets the hashes of the quorum, and that node gets the fault `outvoted`.
 *
 * @param node the node that sent the blocks
 * @throws ChainError `no_agreement` if no quorum agrees
 */
export const agreeOnHashes = async (
  pool: Pick<NodePool, 'quorum' | 'agree' | 'reportFault' | 'clearFault'>,
  tools: ProofTools,
  { node, blocks }: { node: string; blocks: readonly Block[] },
): Promise<Block[]> => {
  const open = blocks.filter(({ proof }) => proof === 'receipts-root')
  if (pool.quorum === 1 || open.length === 0) return [...blocks]
  const agreed = await pool.agree(
    open.map(({ hash }) => ({ method: 'eth_getBlockByHash', params: [hash, false] })),
    (replies, from) =>
      open.map(({ hash }, index) => {
        const result = resultOf(replies[index], from)
        if (result === null) throw missing(`block ${hash}`)
        const raw = readObject(result, 'block')
        const header = proveHeader(raw, tools)
        if (header.hash !== hash) {
          throw new ChainError('header_forged', `${from} sent a block with another hash.`)
        }
        return hashesOf(proveTransactions(header, readArray(raw.transactions, 'hashes'), tools))
      }),
    (lists) => lists.join(' '),
  )
  const lists = new Map(open.map((block, index) => [block, agreed[index] ?? []]))
  const sent = blocks.map((block) => {
    const list = lists.get(block)
    if (list === undefined || list.join() === hashesOf(block).join()) return block
    const transactions = list.map((hash) => ({ hash, to: null, value: 0n, raw: null }))
    return { ...block, transactions }
  })
  if (sent.every((block, index) => block === blocks[index])) pool.clearFault(node, TOPIC)
  else pool.reportFault(node, TOPIC, 'outvoted')
  return sent
}

const hashesOf = ({ transactions }: Block): string[] => transactions.map(({ hash }) => hash)
