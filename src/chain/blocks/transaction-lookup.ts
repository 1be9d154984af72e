import type { ChainClient } from '../client-interface.ts'
import { toHex } from '../encoding/keccak.ts'
import { recoverSender } from '../encoding/sender.ts'
import type { ProofTools } from '../encoding/tools.ts'
import { isEncodable, isHashed, nonceOf, writeTransaction } from '../encoding/transaction.ts'
import { ChainError } from '../errors.ts'
import { LATE_MS, type NodeReply } from '../rpc/ask-all.ts'
import { inBatches } from '../rpc/in-batches.ts'
import { failureAsError, type RpcReply, resultOf } from '../rpc/json-rpc.ts'
import { agreementOn } from '../rpc/node-health.ts'
import type { NodePool } from '../rpc/pool.ts'
import { isAbsence } from '../rpc/quorum.ts'
import { type RpcObject, readBigInt, readHash, readNumber, readObject } from '../rpc/read.ts'
import type { Hash, PooledTransaction, TransactionLocation } from '../types.ts'

/** A node's answer: null for an unknown transaction, undefined if the node refused the call. */
type LookupAnswer<T> = T | null | undefined

type Lookup<T> = {
  method: string
  /** Returns null if the node does not know the transaction. */
  readOne(raw: unknown, hash: Hash): T | null
  /** Two values are equal if their keys are equal. */
  keyOf(value: T): string
  /** The number of equal answers that are needed to accept a value. */
  enough: number
}

/**
 * Looks up transactions by hash. A transaction is accepted from any node, because its hash proves
 * its content. The block of a transaction, and the fact that no node knows it, need a quorum.
 */
export const createTransactionLookup = (
  pool: NodePool,
  proofTools: () => Promise<ProofTools>,
): Pick<ChainClient, 'findTransactions' | 'transactionsByHash'> => {
  const lookUp = async <T>(
    hashes: readonly Hash[],
    { method, readOne, keyOf, enough }: Lookup<T>,
  ): Promise<Map<Hash, T | null>> => {
    const calls = hashes.map((hash) => ({ method, params: [hash] }))
    const read = (replies: readonly RpcReply[], node: string): LookupAnswer<T>[] => {
      const answers = replies.map((reply, index) => {
        if (!reply.ok && failureAsError(reply.error, node).code === 'rpc_error') return undefined
        return readOne(resultOf(reply, node), hashes[index] ?? '')
      })
      // If the node refused all hashes, this throws the node's error.
      if (answers.every((answer) => answer === undefined)) resultOf(replies[0], node)
      return answers
    }
    const found = new Map<Hash, T | null>()
    const tally = (replies: readonly NodeReply<LookupAnswer<T>[]>[], overdue: boolean): boolean => {
      hashes.forEach((hash, index) => {
        const answers = replies.map(({ value }) => value[index])
        const agreed = agreedAnswer(answers, keyOf, { enough, quorum: pool.quorum, overdue })
        if (agreed !== undefined) found.set(hash, agreed)
      })
      return found.size === hashes.length
    }
    if (pool.quorum === 1) {
      tally([{ node: '', value: await pool.ask(calls, read) }], true)
      return found
    }
    const topic = agreementOn(calls)
    await pool.poll<LookupAnswer<T>[], true>({
      calls,
      read,
      lateMs: LATE_MS,
      // If nodes are late, leaves out the hashes on which the other nodes do not agree.
      decide: (replies, overdue) =>
        tally(replies, overdue) || (overdue && found.size > 0 && replies.length >= 1) || undefined,
      judge: (_, { node, value }) => {
        const agreements = hashes.flatMap((hash, index) => {
          const [agreed, own] = [found.get(hash), value[index]]
          return agreed && own ? [keyOf(agreed) === keyOf(own)] : []
        })
        if (agreements.includes(false)) pool.reportFault(node, topic, 'outvoted')
        else if (agreements.length > 0) pool.clearFault(node, topic)
      },
    })
    return found
  }

  const lookUpAll = async <T>(
    hashes: readonly Hash[],
    lookup: Lookup<T>,
  ): Promise<Map<Hash, T | null>> =>
    new Map(await inBatches(hashes, async (batch) => [...(await lookUp(batch, lookup))]))

  return {
    findTransactions: (hashes) =>
      lookUpAll(hashes, {
        method: 'eth_getTransactionReceipt',
        readOne: toLocation,
        keyOf: ({ blockNumber, blockHash }) => `${blockNumber} ${blockHash}`,
        enough: pool.quorum,
      }),
    async transactionsByHash(hashes) {
      const tools = await proofTools()
      const found = await lookUpAll(hashes, {
        method: 'eth_getTransactionByHash',
        readOne: (raw, hash) => toPooled(raw, hash, tools),
        keyOf: ({ hash }) => hash,
        enough: 1,
      })
      return hashes.map((hash) => {
        const transaction = found.get(hash)
        if (transaction !== undefined) return transaction
        throw new ChainError('no_agreement', `No quorum on whether transaction ${hash} exists.`)
      })
    },
  }
}

/**
 * The value that `enough` nodes gave, or null if a quorum does not know the transaction. If nodes
 * are late (`overdue`), fewer nodes are enough if all their values are equal. Otherwise undefined.
 */
const agreedAnswer = <T>(
  answers: readonly LookupAnswer<T>[],
  keyOf: (value: T) => string,
  { enough, quorum, overdue }: { enough: number; quorum: number; overdue: boolean },
): T | null | undefined => {
  const known = answers.filter((answer): answer is T => answer !== null && answer !== undefined)
  const groups = [...Map.groupBy(known, keyOf).values()].sort((a, b) => b.length - a.length)
  const [largest = []] = groups
  if (largest.length > 0 && largest.length >= enough) return largest[0]
  if (answers.filter((answer) => answer === null).length >= quorum) return null
  return overdue && groups.length === 1 ? largest[0] : undefined
}

const toLocation = (raw: unknown, hash: Hash): TransactionLocation | null => {
  if (raw === null) return null
  const receipt = readObject(raw, 'receipt')
  if (readHash(receipt.transactionHash, 'transaction hash') !== hash) {
    throw new ChainError('bad_response', 'The node sent the receipt of another transaction.')
  }
  if (receipt.blockHash === null || receipt.blockHash === undefined) return null
  return {
    blockNumber: readNumber(receipt.blockNumber, 'block number'),
    blockHash: readHash(receipt.blockHash, 'block hash'),
  }
}

/** Reads a transaction. Its encoding must hash to `hash`, so nonce and signature are proven. */
const toPooled = (raw: unknown, hash: Hash, tools: ProofTools): PooledTransaction | null => {
  if (raw === null) return null
  const transaction = readObject(raw, 'transaction')
  if (hashOf(transaction, tools) !== hash) {
    throw new ChainError('transactions_forged', `The node's encoding of ${hash} has another hash.`)
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
      'The hash of this type of transaction proves nothing.',
    )
  }
  writer.rewind(0)
  writeTransaction(writer, transaction)
  return toHex(keccak(writer.view(0)))
}

/**
 * Finds the block of each transaction; null for an unknown transaction. If nodes refuse a batch,
 * asks for each half of the batch. Leaves out a hash that nodes refuse even alone. So `n` hashes
 * cost at most `2n` batches. Throws ChainError for any error other than a refusal.
 */
export const locateTransactions = async (
  client: Pick<ChainClient, 'findTransactions'>,
  hashes: readonly string[],
): Promise<Map<string, TransactionLocation | null>> => {
  try {
    return await client.findTransactions(hashes)
  } catch (error) {
    // A refused batch may hold only some transactions that the nodes lack, for example old ones.
    if (!(error instanceof ChainError)) throw error
    if (!isAbsence(error) && error.code !== 'too_large') throw error
    if (hashes.length <= 1) return new Map()
    const middle = hashes.length >> 1
    const first = await locateTransactions(client, hashes.slice(0, middle))
    const second = await locateTransactions(client, hashes.slice(middle))
    return new Map([...first, ...second])
  }
}
