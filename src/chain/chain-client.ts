import type { ChainConfig } from '../config.ts'
import type { Log } from '../kernel/log.ts'
import { ChainError } from './errors.ts'
import { proveHeader } from './proof/header.ts'
import { proveReceipts } from './proof/receipts.ts'
import { createProofTools, type ProofTools } from './proof/tools.ts'
import { proveTransactions } from './proof/transactions.ts'
import { failureAsError, type RpcCall, type RpcReply, resultOf } from './rpc/json-rpc.ts'
import { readArray, readHash, readNumber, readObject } from './rpc/read.ts'
import { createTransport, type RpcStats } from './rpc/transport.ts'
import type { Block, Hash, Header, Heads, Receipt, TransactionPlace } from './types.ts'

export type ChainClientOptions = {
  chain: ChainConfig
  log: Log
  /** For one HTTP exchange, body included. Default 10 000. */
  timeoutMs?: number
  /** Default 64 MiB. */
  maxResponseBytes?: number
  /** The first wait between two rounds of tries. Default 250. */
  backoffMs?: number
}

/**
 * A chain as its nodes tell it, believed only as far as it proves itself. All methods throw
 * ChainError; none keeps state between calls. Hashes and addresses are lower-case.
 */
export type ChainClient = {
  chainId: number
  /** Throws `wrong_chain` if a node serves another chain than the configured one. */
  assertChainId(): Promise<void>
  /** The head and what is final, in one batch. `finalizedNumber` is null while nothing is. */
  heads(): Promise<Heads>
  /** Blocks `from` to `to`, each the parent of the next, in one batch. `block_missing` if one is not there. */
  blocks(from: number, to: number): Promise<Block[]>
  /** Headers by number, in one batch; null for a block that the node does not have. */
  headers(numbers: readonly number[]): Promise<(Header | null)[]>
  headerAt(number: number): Promise<Header | null>
  blockByHash(hash: Hash): Promise<Block | null>
  /** Receipts by block hash, in one batch. `block_missing` if the node left the block's branch. */
  receipts(blocks: readonly Block[]): Promise<Map<Hash, Receipt[]>>
  /** Where transactions are, 100 in a batch; null for one that this node does not know (yet). */
  findTransactions(hashes: readonly Hash[]): Promise<Map<Hash, TransactionPlace | null>>
  stats(): RpcStats
  close(): Promise<void>
}

const MAX_BLOCKS = 1_000
const LOOKUPS_PER_BATCH = 100

export const createChainClient = (options: ChainClientOptions): ChainClient => {
  const { chain } = options
  const name = `Chain ${chain.id}`
  const transport = createTransport({
    urls: chain.rpc,
    chainId: chain.id,
    log: options.log,
    timeoutMs: options.timeoutMs ?? 10_000,
    maxResponseBytes: options.maxResponseBytes ?? 64 * 1024 * 1024,
    backoffMs: options.backoffMs ?? 250,
  })
  let loading: Promise<ProofTools> | undefined
  const proofTools = (): Promise<ProofTools> => {
    loading ??= createProofTools()
    return loading
  }
  const results = async (calls: readonly RpcCall[]): Promise<unknown[]> =>
    (await transport.batch(calls)).map((reply) => resultOf(reply, name))

  const toBlock = (result: unknown, tools: ProofTools): Block => {
    const raw = readObject(result, 'block')
    const transactions = readArray(raw.transactions, 'transactions')
    const block = proveTransactions(proveHeader(raw, tools), transactions, tools)
    if (chain.proof === 'transactions-root' && block.proof !== chain.proof) {
      throw new ChainError(
        'transactions_unverified',
        `The transactions of block ${block.number} cannot be proven: only hashes were given, a type ` +
          'is not known to this version, or one is unsigned, as impersonation makes them.',
      )
    }
    return block
  }

  const headers: ChainClient['headers'] = async (numbers) => {
    checkCount(numbers.length)
    const [tools, raws] = await Promise.all([
      proofTools(),
      results(numbers.map((number) => blockCall(number, false))),
    ])
    return raws.map((raw, index) => {
      if (raw === null) return null
      return expectNumber(proveHeader(readObject(raw, 'block'), tools), numbers[index])
    })
  }

  return {
    chainId: chain.id,
    assertChainId: () => transport.assertChainId(),
    async heads() {
      const byTag = 'tag' in chain.finality
      const calls = [blockCall('latest', false)]
      if (byTag) calls.push(blockCall('finalized', false))
      const [tools, [latestReply, finalReply]] = await Promise.all([
        proofTools(),
        transport.batch(calls),
      ])
      const raw = resultOf(latestReply, name)
      if (raw === null) throw missing('its latest block')
      const { number, hash, parentHash, timestamp } = proveHeader(readObject(raw, 'block'), tools)
      const latest = { number, hash, parentHash, timestamp }
      if ('depth' in chain.finality) {
        const final = number - chain.finality.depth
        return { latest, finalizedNumber: final < 0 ? null : final, finalizedHash: null }
      }
      const final = finalHeader(finalReply, tools, options.log, name)
      return {
        latest,
        finalizedNumber: final?.number ?? null,
        finalizedHash: final?.hash ?? null,
      }
    },
    async blocks(from, to) {
      checkCount(to - from + 1)
      const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index)
      const [tools, raws] = await Promise.all([
        proofTools(),
        results(numbers.map((number) => blockCall(number, true))),
      ])
      let parent: Block | undefined
      return raws.map((raw, index) => {
        if (raw === null) throw missing(`block ${numbers[index]}`)
        const block = expectNumber(toBlock(raw, tools), numbers[index])
        // The node changed its branch between two calls of one batch: asking again settles it.
        if (parent && block.parentHash !== parent.hash) throw missing(`block ${block.number}`)
        parent = block
        return block
      })
    },
    headers,
    headerAt: async (number) => (await headers([number]))[0] ?? null,
    async blockByHash(hash) {
      const calls = [{ method: 'eth_getBlockByHash', params: [hash, true] }]
      const [tools, [raw]] = await Promise.all([proofTools(), results(calls)])
      if (raw === null) return null
      const block = toBlock(raw, tools)
      if (block.hash !== hash) throw new ChainError('header_forged', 'Another block was sent.')
      return block
    },
    async receipts(blocks) {
      checkCount(blocks.length)
      const filled = blocks.filter((block) => block.transactions.length > 0)
      const calls = filled.map(({ hash }) => ({ method: 'eth_getBlockReceipts', params: [hash] }))
      const [tools, raws] = await Promise.all([proofTools(), results(calls)])
      const found = new Map(filled.map((block, index) => [block.hash, raws[index]]))
      return new Map(
        blocks.map((block) => {
          const raw = found.has(block.hash) ? found.get(block.hash) : []
          if (raw === null) throw missing(`the receipts of block ${block.number}`)
          return [block.hash, proveReceipts(block, readArray(raw, 'receipts'), tools)]
        }),
      )
    },
    async findTransactions(hashes) {
      const places = new Map<Hash, TransactionPlace | null>()
      for (let from = 0; from < hashes.length; from += LOOKUPS_PER_BATCH) {
        const some = hashes.slice(from, from + LOOKUPS_PER_BATCH)
        const raws = await results(
          some.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
        )
        some.forEach((hash, index) => {
          places.set(hash, toPlace(raws[index], hash))
        })
      }
      return places
    },
    stats: () => transport.stats(),
    close: () => transport.close(),
  }
}

const blockCall = (block: number | 'latest' | 'finalized', full: boolean): RpcCall => ({
  method: 'eth_getBlockByNumber',
  params: [typeof block === 'number' ? `0x${block.toString(16)}` : block, full],
})

/** A chain without the tag answers null or an error: nothing is final there, and that is said so. */
const finalHeader = (
  reply: RpcReply | undefined,
  tools: ProofTools,
  log: Log,
  name: string,
): Header | null => {
  if (reply?.ok === false) {
    log.debug({ code: reply.error.code }, failureAsError(reply.error, name).message)
    return null
  }
  const raw = resultOf(reply, name)
  return raw === null ? null : proveHeader(readObject(raw, 'block'), tools)
}

const expectNumber = <H extends Header>(header: H, expected: number | undefined): H => {
  if (header.number === expected) return header
  throw new ChainError('header_forged', `Block ${header.number} was sent for ${expected}.`)
}

const toPlace = (raw: unknown, hash: Hash): TransactionPlace | null => {
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

const missing = (what: string): ChainError =>
  new ChainError('block_missing', `The node does not have ${what}: it is behind, or reorganising.`)

const checkCount = (count: number) => {
  if (!Number.isSafeInteger(count) || count < 0 || count > MAX_BLOCKS) {
    throw new RangeError(`At most ${MAX_BLOCKS} blocks can be asked for at once, not ${count}.`)
  }
}
