import type { ChainClient } from '../client-interface.ts'
import { toHex } from '../encoding/keccak.ts'
import { recoverSender } from '../encoding/sender.ts'
import type { ProofTools } from '../encoding/tools.ts'
import { isEncodable, isHashed, nonceOf, writeTransaction } from '../encoding/transaction.ts'
import { ChainError } from '../errors.ts'
import type { Told } from '../rpc/ask-all.ts'
import { failureAsError, type RpcReply, resultOf } from '../rpc/json-rpc.ts'
import type { FaultTopic } from '../rpc/node-health.ts'
import type { NodePool } from '../rpc/pool.ts'
import { type RpcObject, readBigInt, readHash, readNumber, readObject } from '../rpc/read.ts'
import type { Hash, PooledTransaction, TransactionLocation } from '../types.ts'

export type TransactionLookup = Pick<ChainClient, 'findTransactions' | 'transactionsByHash'>

const LOOKUPS_PER_BATCH = 100

/** What one node says of one transaction; undefined: it refuses to look it up. */
type Said<T> = T | null | undefined

type Lookup<T> = {
  method: string
  /** Null: the node does not know it. */
  readOne(raw: unknown, hash: Hash): T | null
  /** Two nodes with the same key say the same. */
  keyOf(value: T): string
  /** How many nodes must say the same. */
  enough: number
}

/**
 * Transactions by their hash. A transaction that proves itself is accepted from any node. Its block,
 * and that it is unknown, need a quorum.
 */
export const createTransactionLookup = (
  pool: NodePool,
  proofTools: () => Promise<ProofTools>,
): TransactionLookup => {
  const lookUp = async <T>(
    hashes: readonly Hash[],
    { method, readOne, keyOf, enough }: Lookup<T>,
  ): Promise<Map<Hash, T | null>> => {
    const calls = hashes.map((hash) => ({ method, params: [hash] }))
    const read = (replies: readonly RpcReply[], node: string): Said<T>[] => {
      const said = replies.map((reply, index) => {
        if (!reply.ok && failureAsError(reply.error, node).code === 'rpc_error') return undefined
        return readOne(resultOf(reply, node), hashes[index] ?? '')
      })
      // Refused one and all: that is no answer.
      if (said.every((one) => one === undefined)) resultOf(replies[0], node)
      return said
    }
    const found = new Map<Hash, T | null>()
    const tally = (told: readonly Told<Said<T>[]>[], overdue: boolean): boolean => {
      hashes.forEach((hash, index) => {
        const said = told.map(({ value }) => value[index])
        const one = verdictOf(said, keyOf, { enough, quorum: pool.quorum, overdue })
        if (one !== undefined) found.set(hash, one)
      })
      return found.size === hashes.length
    }
    if (pool.quorum === 1) {
      tally([{ node: '', value: await pool.ask(calls, read) }], true)
      return found
    }
    const topic: FaultTopic = `agreement on ${method}`
    await pool.poll<Said<T>[], true>({
      calls,
      read,
      // What only some nodes refuse is left out, as long as anything is known of the others.
      decide: (told, overdue) =>
        tally(told, overdue) || (overdue && found.size > 0 && told.length >= 1) || undefined,
      judge: (_, { node, value }) => {
        const agreements = hashes.flatMap((hash, index) => {
          const [agreed, own] = [found.get(hash), value[index]]
          return agreed && own ? [keyOf(agreed) === keyOf(own)] : []
        })
        if (agreements.includes(false)) pool.blame(node, topic, 'outvoted')
        else if (agreements.length > 0) pool.forgive(node, topic)
      },
    })
    return found
  }

  const inBatches = async <T>(
    hashes: readonly Hash[],
    some: (batch: readonly Hash[]) => Promise<Map<Hash, T>>,
  ): Promise<Map<Hash, T>> => {
    const all = new Map<Hash, T>()
    for (let from = 0; from < hashes.length; from += LOOKUPS_PER_BATCH) {
      const batch = await some(hashes.slice(from, from + LOOKUPS_PER_BATCH))
      for (const [hash, value] of batch) all.set(hash, value)
    }
    return all
  }

  return {
    findTransactions: (hashes) =>
      inBatches(hashes, (batch) =>
        lookUp(batch, {
          method: 'eth_getTransactionReceipt',
          readOne: toPlace,
          keyOf: ({ blockNumber, blockHash }) => `${blockNumber} ${blockHash}`,
          enough: pool.quorum,
        }),
      ),
    async transactionsByHash(hashes) {
      const tools = await proofTools()
      const found = await inBatches(hashes, (batch) =>
        lookUp(batch, {
          method: 'eth_getTransactionByHash',
          readOne: (raw, hash) => toPooled(raw, hash, tools),
          keyOf: ({ hash }) => hash,
          enough: 1,
        }),
      )
      return hashes.map((hash) => {
        const one = found.get(hash)
        if (one !== undefined) return one
        throw new ChainError('no_agreement', `Too few nodes say whether they know ${hash}.`)
      })
    },
  }
}

/**
 * The value on which enough nodes agree, or null where a quorum does not know the transaction. When
 * `overdue`, also the value on which all nodes agree that know it. Undefined: none of these.
 */
const verdictOf = <T>(
  said: readonly Said<T>[],
  keyOf: (value: T) => string,
  { enough, quorum, overdue }: { enough: number; quorum: number; overdue: boolean },
): T | null | undefined => {
  const known = said.filter((one): one is T => one !== null && one !== undefined)
  const groups = [...Map.groupBy(known, keyOf).values()].sort((a, b) => b.length - a.length)
  const [largest = []] = groups
  if (largest.length > 0 && largest.length >= enough) return largest[0]
  if (said.filter((one) => one === null).length >= quorum) return null
  return overdue && groups.length === 1 ? largest[0] : undefined
}

const toPlace = (raw: unknown, hash: Hash): TransactionLocation | null => {
  if (raw === null) return null
  const receipt = readObject(raw, 'receipt')
  if (readHash(receipt.transactionHash, 'transaction hash') !== hash) {
    throw new ChainError('bad_response', 'The receipt of another transaction was sent.')
  }
  if (receipt.blockHash === null || receipt.blockHash === undefined) return null
  return {
    blockNumber: readNumber(receipt.blockNumber, 'block number'),
    blockHash: readHash(receipt.blockHash, 'block hash'),
  }
}

/** A transaction whose encoding hashes to its hash: nonce and signature are then its own. */
const toPooled = (raw: unknown, hash: Hash, tools: ProofTools): PooledTransaction | null => {
  if (raw === null) return null
  const transaction = readObject(raw, 'transaction')
  if (hashOf(transaction, tools) !== hash) {
    throw new ChainError('transactions_forged', `What was sent for ${hash} does not hash to it.`)
  }
  const nonce = Number(nonceOf(transaction) ?? Number.NaN)
  return {
    hash,
    from: recoverSender({
      hash,
      to: null,
      value: readBigInt(transaction.value, 'value'),
      raw: transaction,
    }),
    nonce: Number.isSafeInteger(nonce) ? nonce : null,
  }
}

const hashOf = (transaction: RpcObject, { writer, keccak }: ProofTools): Hash => {
  if (!isEncodable(transaction) || !isHashed(transaction)) {
    throw new ChainError(
      'transactions_unverified',
      'The hash of such a transaction proves nothing.',
    )
  }
  writer.rewind(0)
  writeTransaction(writer, transaction)
  return toHex(keccak(writer.view(0)))
}
