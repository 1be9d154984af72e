import { toHex } from '../encoding/keccak.ts'
import { POLYGON_STATE_SYNC, withEncoding } from '../encoding/rollup-types.ts'
import type { ProofTools } from '../encoding/tools.ts'
import { isEncodable, transactionType } from '../encoding/transaction.ts'
import { ChainError } from '../errors.ts'
import { resultOf } from '../rpc/json-rpc.ts'
import type { NodePool } from '../rpc/pool.ts'
import { type RpcObject, readArray, readData, readHash, readObject } from '../rpc/read.ts'
import type { Hash } from '../types.ts'
import { missing } from './read-header.ts'

/**
 * Since Madhugiri a block of Polygon may end with a state-sync transaction. Nodes show its hash and
 * nothing of what it encodes, without which the block's transactions cannot be proven.
 */
export type Encodings = ReadonlyMap<Hash, string>

const NO_ENCODINGS: Encodings = new Map()
/** No node knows such a transaction, or the method. */
const NOT_TO_BE_HAD: ReadonlySet<string> = new Set(['rpc_error', 'block_missing'])

/** Whether a node's blocks lack encodings. If so, those are asked for, and the blocks again. */
type Lacks = (raws: readonly unknown[], node: string) => boolean

/**
 * Reads blocks; where they lack encodings, asks for those in one batch, and for the blocks again. It
 * does so once for each node, so a node that invents transactions cannot hide those of the others.
 * Where no node has an encoding, `read` does without it.
 *
 * @param read passes the node's raw blocks to `lacks`; what it returns where that is true is dropped
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
      if (error instanceof ChainError && NOT_TO_BE_HAD.has(error.code)) return NO_ENCODINGS
      throw error
    })
    for (const [hash, encoding] of encodings) known.set(hash, encoding)
  }
}

/** The block with what is known of its last transaction's encoding. */
export const withKnownEncoding = (block: RpcObject, known: Encodings): RpcObject => {
  const last = known.size === 0 ? undefined : lastTransaction(block)
  const encoding = last && known.get(readHash(last.hash, 'transaction hash'))
  if (encoding === undefined) return block
  const transactions = readArray(block.transactions, 'transactions')
  return { ...block, transactions: transactions.with(-1, withEncoding(last ?? {}, encoding)) }
}

/** The state-sync transactions of a node's block whose encoding has to be asked for. */
const lackingIn = (block: unknown): Hash[] => {
  const last = block === null ? undefined : lastTransaction(readObject(block, 'block'))
  if (!last || transactionType(last) !== POLYGON_STATE_SYNC || isEncodable(last)) return []
  return [readHash(last.hash, 'transaction hash')]
}

/** Undefined where there is none, or only its hash was given. */
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
            throw new ChainError('transactions_forged', `What was sent for ${hash} is not it.`)
          }
          // It is not state sync: the node that showed it as such lies, not this one.
          return bytes[0] === POLYGON_STATE_SYNC ? [[hash, toHex(bytes)]] : []
        }),
      ),
  )
