import type { ChainConfig } from '../../config/config.ts'
import type { ChainClient } from '../client-interface.ts'
import { proveHeader } from '../encoding/header.ts'
import { proveReceipts } from '../encoding/receipts.ts'
import type { ProofTools } from '../encoding/tools.ts'
import { expectProof, proveTransactions } from '../encoding/transactions.ts'
import { ChainError } from '../errors.ts'
import { inBatches } from '../rpc/in-batches.ts'
import { type RpcCall, type RpcReply, resultOf } from '../rpc/json-rpc.ts'
import { agreementOn, proofOf } from '../rpc/node-health.ts'
import type { NodePool } from '../rpc/pool.ts'
import { agreedOf } from '../rpc/quorum.ts'
import { readArray, readObject } from '../rpc/read.ts'
import type { Block, Hash, Header } from '../types.ts'
import type { AgreedHashes } from './agreed-hashes.ts'
import { agreeOnHashes } from './agreed-lists.ts'
import { blockCall, expectNumber, missing, readHeader } from './read-header.ts'
import { type Encodings, readWithEncodings, withKnownEncoding } from './state-sync-encodings.ts'

type BlockReader = Pick<
  ChainClient,
  'blocks' | 'headers' | 'headerAt' | 'blockByHash' | 'blocksByHash' | 'receipts'
>

type BlockReaderOptions = {
  pool: NodePool
  chain: Pick<ChainConfig, 'proof'>
  proofTools(): Promise<ProofTools>
  /** A cache of block hashes on which a quorum agreed recently. */
  agreed: AgreedHashes
}

const MAX_BLOCKS = 1_000
/** A request asks for the last block of a batch and of later batches, at most this many blocks. */
const TOPS_AHEAD = 8

/**
 * Reads blocks and receipts. Proven data is accepted from any node. For a range of blocks, a quorum
 * agrees only on the last block, because all other blocks are ancestors of this block.
 */
export const createBlockReader = (options: BlockReaderOptions): BlockReader => {
  const { pool, proofTools, agreed } = options

  const toBlock = (result: unknown, tools: ProofTools, encodings: Encodings): Block => {
    const raw = withKnownEncoding(readObject(result, 'block'), encodings)
    const transactions = readArray(raw.transactions, 'transactions')
    const block = proveTransactions(proveHeader(raw, tools), transactions, tools)
    expectProof(block, options.chain.proof)
    return block
  }

  const headers: ChainClient['headers'] = (numbers) => inBatches(numbers, headersOf, MAX_BLOCKS)
  const headersOf = async (numbers: readonly number[]): Promise<(Header | null)[]> => {
    const tools = await proofTools()
    const read = (replies: readonly RpcReply[], node: string) =>
      replies.map((reply, index) => readHeader(reply, tools, node, numbers[index]))
    const calls = numbers.map((number) => blockCall(number))
    if (pool.quorum === 1) return pool.ask(calls, read)
    const found = await pool.poll<(Header | null)[], (Header | null)[]>({
      calls,
      read,
      decide(replies) {
        const decided = numbers.map((_, index) => {
          const own = replies.map(({ node, value }) => ({ node, value: value[index] ?? null }))
          return agreedOf(own, (header) => header?.hash ?? 'none', pool.quorum)?.[0]
        })
        return decided.every((header) => header !== undefined) ? decided : undefined
      },
      judge(decided, { node, value }) {
        const both = decided.flatMap((header, index) => {
          const own = value[index]
          return header && own ? [header.hash === own.hash] : []
        })
        if (both.includes(false)) pool.reportFault(node, agreementOn(calls), 'wrong_hash')
        else if (both.length > 0) pool.clearFault(node, agreementOn(calls))
      },
    })
    for (const header of found) if (header) agreed.remember(header)
    return found
  }

  /** The agreed hash of a batch's last block. Also caches this hash for later batches. */
  const agreedTop = async (from: number, to: number): Promise<Hash> => {
    const step = to - from + 1
    const tops = Array.from({ length: TOPS_AHEAD }, (_, index) => to + index * step)
    const numbers = tops.filter((number) => number === to || number <= agreed.highest())
    const [top] = await headers(numbers)
    if (!top) throw missing(`block ${to}`)
    return top.hash
  }

  /**
   * Reads a part of a range. The part needs an agreed hash too, because one node could show blocks
   * of a branch.
   */
  const readPart = async (numbers: readonly number[]): Promise<Block[]> => {
    const [from = 0, to = from] = [numbers[0], numbers.at(-1)]
    if (pool.quorum === 1) return readRange(numbers)
    const hash = agreed.at(to)
    if (hash !== undefined) {
      try {
        return await readRange(numbers, hash)
      } catch (error) {
        if (!(error instanceof ChainError) || error.code !== 'block_missing') throw error
        // A reorg may have replaced the remembered block, so its hash is read again below.
      }
    }
    return readRange(numbers, await agreedTop(from, to))
  }

  const readRange = async (numbers: readonly number[], expected?: Hash): Promise<Block[]> => {
    const calls = numbers.map((number) => blockCall(number, { full: true }))
    const others = new Set<string>()
    const found = await readWhole(calls, numbers, (blocks, node) => {
      others.add(node)
      for (const [index, block] of blocks.entries()) {
        const parent = blocks[index - 1]
        expectNumber(block, numbers[index])
        // The node switched to another branch of the chain during the batch, so a retry helps.
        if (parent && block.parentHash !== parent.hash) throw missing(`block ${block.number}`)
      }
      if (expected && blocks.at(-1)?.hash !== expected) throw missing("the quorum's block")
      others.delete(node)
    })
    // After a reorg, the other blocks of a node may be right, so the quorum is asked again.
    const [top] = others.size > 0 ? await headers(numbers.slice(-1)).catch(() => []) : []
    if (!top || top.hash !== expected) return found
    for (const node of others) pool.reportFault(node, proofOf(calls), 'wrong_hash')
    return found
  }

  /** Reads proven blocks from one node. `check` throws if they are not the wanted ones. */
  const readWhole = async (
    calls: readonly RpcCall[],
    names: readonly (number | Hash)[],
    check: (blocks: readonly Block[], node: string) => void,
  ): Promise<Block[]> => {
    const tools = await proofTools()
    const sent = await readWithEncodings(pool, tools, (encodings, lacks) =>
      pool.ask(calls, (replies, node) => {
        const raws = replies.map((reply, index) => {
          const raw = resultOf(reply, node)
          if (raw === null) throw missing(`block ${names[index]}`)
          return raw
        })
        if (lacks(raws, node)) return { node, blocks: [] }
        const blocks = raws.map((raw) => toBlock(raw, tools, encodings))
        check(blocks, node)
        return { node, blocks }
      }),
    )
    return agreeOnHashes(pool, tools, sent)
  }

  const blocksByHash: ChainClient['blocksByHash'] = async (hashes) => {
    checkCount(hashes.length)
    if (hashes.length === 0) return []
    const calls = hashes.map((hash) => ({ method: 'eth_getBlockByHash', params: [hash, true] }))
    return readWhole(calls, hashes, (blocks, node) => {
      if (blocks.every(({ hash }, index) => hash === hashes[index])) return
      throw new ChainError('header_forged', `${node} sent a block with another hash.`)
    })
  }

  return {
    headers,
    headerAt: async (number) => (await headers([number]))[0] ?? null,
    async blocks(from, to) {
      checkCount(to - from + 1)
      const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index)
      const blocks = await inBatches(numbers, readPart, MAX_BLOCKS)
      const torn = blocks.find(
        ({ parentHash }, at) => at > 0 && blocks[at - 1]?.hash !== parentHash,
      )
      if (torn) throw missing(`block ${torn.number}`)
      return blocks
    },
    blocksByHash,
    async blockByHash(hash) {
      try {
        return (await blocksByHash([hash]))[0] ?? null
      } catch (error) {
        if (error instanceof ChainError && error.code === 'block_missing') return null
        throw error
      }
    },
    async receipts(blocks) {
      checkCount(blocks.length)
      const filled = blocks.filter((block) => block.transactions.length > 0)
      const tools = await proofTools()
      const prove = (block: Block, raw: unknown) => {
        if (raw === null) throw missing(`the receipts of block ${block.number}`)
        return proveReceipts(block, readArray(raw, 'receipts'), tools)
      }
      const ask = (some: readonly Block[]) =>
        pool.ask(
          some.map(({ hash }) => ({ method: 'eth_getBlockReceipts', params: [hash] })),
          (replies, node) => some.map((block, at) => prove(block, resultOf(replies[at], node))),
        )
      const found = await inBatches(filled, ask, MAX_BLOCKS)
      const byHash = new Map(filled.map((block, index) => [block.hash, found[index]]))
      return new Map(
        blocks.map((block) => [block.hash, byHash.get(block.hash) ?? prove(block, [])]),
      )
    },
  }
}

const checkCount = (count: number) => {
  if (!Number.isSafeInteger(count) || count < 0 || count > MAX_BLOCKS) {
    throw new RangeError(`At most ${MAX_BLOCKS} blocks per request, not ${count}.`)
  }
}
