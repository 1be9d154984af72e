import { toHex } from '../encoding/keccak.ts'
import { POLYGON_STATE_SYNC, withEncoding } from '../encoding/rollup-types.ts'
import type { ProofTools } from '../encoding/tools.ts'
import { isEncodable, transactionType } from '../encoding/transaction.ts'
import { ChainError } from '../errors.ts'
import { resultOf } from '../rpc/json-rpc.ts'
import type { NodePool } from '../rpc/pool.ts'
import { isAbsence } from '../rpc/quorum.ts'
import { type RpcObject, readArray, readData, readHash, readObject } from '../rpc/read.ts'
import type { Hash } from '../types.ts'
import { missing } from './read-header.ts'

/**
 * Encodings of state-sync transactions, by hash. Since the Madhugiri fork, the last transaction of
 * a Polygon block may be a state sync (a message from Ethereum). Blocks do not show the encoding.
 */
export type Encodings = ReadonlyMap<Hash, string>

const NO_ENCODINGS: Encodings = new Map()

/** Whether a node's blocks lack encodings. If so, the blocks are read again with encodings. */
type Lacks = (raws: readonly unknown[], node: string) => boolean

/**
 * Reads blocks. If encodings are missing, fetches the encodings in one batch and reads the blocks
 * again. Does this at most once per node, so a node that invents transactions cannot cause an
 * endless loop. An encoding that no node has stays missing.
 *
 * @param read passes the node's raw blocks to `lacks`; the result of `read` is dropped if `lacks`
 *   returns true
 */
export const readWithEncodings = async <T>(
  pool: Pick<NodePool, 'ask'>,
  tools: ProofTools,
  read: (encodings: Encodings, lacks: Lacks) => Promise<T>,
): Promise<T> => {
  const known = new Map<Hash, string>()
  const helped = new Set<string>()
  for (;;) {
    let lacking: { hashes: Hash[]; node: string } | undefined
    const found = await read(known, (raws, node) => {
      const hashes = helped.has(node) ? [] : raws.flatMap(lackingIn)
      lacking = hashes.length === 0 ? undefined : { hashes, node }
      return lacking !== undefined
    })
    if (!lacking) return found
    helped.add(lacking.node)
    const encodings = await askEncodings(pool, lacking.hashes, tools).catch((error: unknown) => {
      if (error instanceof ChainError && isAbsence(error)) return NO_ENCODINGS
      throw error
    })
    for (const [hash, encoding] of encodings) known.set(hash, encoding)
  }
}

/** Adds the encoding of the block's last transaction, if the encoding is known. */
export const withKnownEncoding = (block: RpcObject, known: Encodings): RpcObject => {
  const last = known.size === 0 ? undefined : lastTransaction(block)
  const encoding = last && known.get(readHash(last.hash, 'transaction hash'))
  if (encoding === undefined) return block
  const transactions = readArray(block.transactions, 'transactions')
  return { ...block, transactions: transactions.with(-1, withEncoding(last ?? {}, encoding)) }
}

/** Returns the hash of a block's state-sync transaction if the transaction lacks its encoding. */
const lackingIn = (block: unknown): Hash[] => {
  const last = block === null ? undefined : lastTransaction(readObject(block, 'block'))
  if (!last || transactionType(last) !== POLYGON_STATE_SYNC || isEncodable(last)) return []
  return [readHash(last.hash, 'transaction hash')]
}

/** The block's last transaction; undefined if the block is empty or shows only hashes. */
const lastTransaction = (block: RpcObject): RpcObject | undefined => {
  const last = readArray(block.transactions, 'transactions').at(-1)
  return last === undefined || typeof last === 'string'
    ? undefined
    : readObject(last, 'transaction')
}

/** Fetches encodings. Throws ChainError `transactions_forged` if an encoding has another hash. */
const askEncodings = (
  pool: Pick<NodePool, 'ask'>,
  hashes: readonly Hash[],
  { keccak }: ProofTools,
): Promise<Encodings> =>
  pool.ask(
    hashes.map((hash) => ({ method: 'eth_getRawTransactionByHash', params: [hash] })),
    (replies, node) =>
      new Map(
        hashes.flatMap((hash, index): [Hash, string][] => {
          const encoding = resultOf(replies[index], node)
          if (encoding === null) throw missing(`transaction ${hash}`)
          const bytes = readData(encoding, 'encoded transaction')
          if (toHex(keccak(bytes)) !== hash) {
            throw new ChainError(
              'transactions_forged',
              `The node's encoding of ${hash} has another hash.`,
            )
          }
          // Another type is a fault of the node that sent the block, and not of this node.
          return bytes[0] === POLYGON_STATE_SYNC ? [[hash, toHex(bytes)]] : []
        }),
      ),
  )
