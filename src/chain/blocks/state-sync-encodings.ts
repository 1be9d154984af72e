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
 * Encodings of state-sync transactions. Since the Madhugiri fork a Polygon block may end with such
 * a transaction. Blocks show only its hash, but the block's proof needs its encoding.
 */
export type Encodings = ReadonlyMap<Hash, string>

const NO_ENCODINGS: Encodings = new Map()

/**
 * Whether a node's blocks lack encodings. If so, the encodings are fetched and the blocks read
 * again.
 */
type Lacks = (raws: readonly unknown[], node: string) => boolean

/**
 * Reads blocks. If they lack encodings, fetches those in one batch and reads the blocks again, at
 * most once per node, so a node that invents transactions cannot block the others. Encodings that
 * no node has stay missing.
 *
 * @param read passes the node's raw blocks to `lacks`; its result is dropped if `lacks` is true
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

/** The block, with its last transaction's encoding if that is known. */
export const withKnownEncoding = (block: RpcObject, known: Encodings): RpcObject => {
  const last = known.size === 0 ? undefined : lastTransaction(block)
  const encoding = last && known.get(readHash(last.hash, 'transaction hash'))
  if (encoding === undefined) return block
  const transactions = readArray(block.transactions, 'transactions')
  return { ...block, transactions: transactions.with(-1, withEncoding(last ?? {}, encoding)) }
}

/** The state-sync transactions of a node's block whose encoding is missing. */
const lackingIn = (block: unknown): Hash[] => {
  const last = block === null ? undefined : lastTransaction(readObject(block, 'block'))
  if (!last || transactionType(last) !== POLYGON_STATE_SYNC || isEncodable(last)) return []
  return [readHash(last.hash, 'transaction hash')]
}

/** Undefined if the block has none, or gives only its hash. */
const lastTransaction = (block: RpcObject): RpcObject | undefined => {
  const last = readArray(block.transactions, 'transactions').at(-1)
  return last === undefined || typeof last === 'string'
    ? undefined
    : readObject(last, 'transaction')
}

/** Each encoding must hash to its transaction's hash. */
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
          // Not a state sync: the node that sent the block lies, not this one.
          return bytes[0] === POLYGON_STATE_SYNC ? [[hash, toHex(bytes)]] : []
        }),
      ),
  )
