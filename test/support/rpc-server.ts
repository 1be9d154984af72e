import { existsSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { listen } from './listen.ts'

/** Answers the calls of a JSON-RPC node in tests. */
export type RpcHandler = (method: string, params: readonly unknown[]) => unknown

/** A JSON-RPC error, thrown by a handler or `alter`, which becomes the answer of the call. */
export class RpcFault extends Error {
  override readonly name = 'RpcFault'
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export type RpcServer = {
  url: string
  /** All received calls, in order. */
  calls: { method: string; params: readonly unknown[] }[]
  /** The number of received HTTP requests. */
  requests: number
  handler: RpcHandler
  /** Changes a result before it is sent. May throw RpcFault. The result is a deep copy. */
  alter: ((method: string, params: readonly unknown[], result: unknown) => unknown) | undefined
  /**
   * Changes the replies of a batch before they are sent: for example their order, ids or number.
   */
  alterBatch: ((replies: Record<string, unknown>[]) => unknown) | undefined
  /** Sends the HTTP answer itself if it returns true. `request` counts from 1. */
  intercept: ((request: number, response: ServerResponse, body: string) => boolean) | undefined
  close(): Promise<void>
}

type Call = { id: unknown; method: string; params?: unknown[] }

/** Starts a node on a free port of loopback. */
export const serveRpc = async (handler: RpcHandler): Promise<RpcServer> => {
  const http = createServer((request, response) => {
    void listener(request, response)
  })
  const server: RpcServer = {
    ...(await listen(http)),
    calls: [],
    requests: 0,
    handler,
    alter: undefined,
    alterBatch: undefined,
    intercept: undefined,
  }
  const answer = async ({ id, method, params = [] }: Call): Promise<Record<string, unknown>> => {
    server.calls.push({ method, params })
    try {
      const result = structuredClone((await server.handler(method, params)) ?? null)
      const sent = server.alter ? await server.alter(method, params, result) : result
      return { jsonrpc: '2.0', id, result: sent ?? null }
    } catch (error) {
      const fault = error instanceof RpcFault ? error : new RpcFault(-32603, String(error))
      return { jsonrpc: '2.0', id, error: { code: fault.code, message: fault.message } }
    }
  }
  const listener = async (...[request, response]: Parameters<RequestListener>) => {
    const body = await text(request)
    server.requests += 1
    if (server.intercept?.(server.requests, response, body)) return
    const parsed = JSON.parse(body) as Call | Call[]
    const replies = await Promise.all((Array.isArray(parsed) ? parsed : [parsed]).map(answer))
    const sent = Array.isArray(parsed) ? (server.alterBatch?.(replies) ?? replies) : replies[0]
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(sent))
  }
  return server
}

/**
 * Recorded mainnet answers, which are stored outside of the repository (see {@link hasFixtures}).
 */
const fixtures = new URL('../../../shared/fixtures/mainnet/', import.meta.url)

/** Whether the recorded mainnet data exist. Tests that need the data are skipped without them. */
export const hasFixtures = existsSync(fileURLToPath(fixtures))

export type RecordedObject = Record<string, unknown> & { hash: string; number: string }
type RecordedReceipt = Record<string, unknown> & { transactionHash: string }

/** Reads a recorded answer, with or without its JSON-RPC envelope. */
const readFixture = <T>(name: string): T => {
  const parsed = JSON.parse(readFileSync(new URL(`${name}.json`, fixtures), 'utf8')) as
    | T
    | { result: T }
  return typeof parsed === 'object' && parsed !== null && 'result' in parsed
    ? parsed.result
    : parsed
}

export const fixtureBlock = (number: number): RecordedObject => readFixture(`block-${number}`)
export const fixtureReceipts = (number: number): RecordedReceipt[] =>
  readFixture(`receipts-${number}`)
/** Recorded answers of other chains and of the next fork (see {@link hasOtherFixtures}). */
const others = new URL('../../../shared/fixtures/other/', import.meta.url)
export const hasOtherFixtures = existsSync(fileURLToPath(others))
export const otherFixture = (name: string): RecordedObject =>
  JSON.parse(readFileSync(new URL(`${name}.json`, others), 'utf8')) as RecordedObject

/**
 * A block with full transactions from the first days of the fork. Its receipts were not recorded.
 */
export const fixtureForkBlock = (fork: 'berlin' | 'prague'): RecordedObject =>
  readFixture(`header-${fork}`)

/**
 * A node with these recorded mainnet blocks and their receipts. The blocks have only transaction
 * hashes, so a client needs `proof: 'receipts-root'`. The highest block is both latest and final.
 */
export const fixtureChain = (numbers: readonly number[]): RpcHandler => {
  const blocks = numbers.map(fixtureBlock)
  const receipts = new Map(
    numbers.map((number, index) => [blocks[index]?.hash, fixtureReceipts(number)]),
  )
  const highest = Math.max(...numbers)
  const byNumber = (tag: unknown) => {
    const number = tag === 'latest' || tag === 'finalized' || tag === 'safe' ? highest : Number(tag)
    return blocks.find((block) => Number(block.number) === number)
  }
  return (method, [first]) => {
    switch (method) {
      case 'eth_chainId':
        return '0x1'
      case 'eth_blockNumber':
        return `0x${highest.toString(16)}`
      case 'eth_getBlockByNumber':
        return byNumber(first)
      case 'eth_getBlockByHash':
        return blocks.find((block) => block.hash === first)
      case 'eth_getBlockReceipts':
        return receipts.get(String(first))
      case 'eth_getTransactionReceipt':
        return [...receipts.values()].flat().find((one) => one.transactionHash === first)
      default:
        throw new RpcFault(-32601, `The method ${method} does not exist.`)
    }
  }
}
