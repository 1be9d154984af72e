import {
  JsonRpcApiProvider,
  type JsonRpcError,
  type JsonRpcPayload,
  type JsonRpcResult,
  Network,
} from 'ethers'
import type { RpcCall, RpcReply } from './json-rpc.ts'
import type { NodePool } from './pool.ts'

const BLOCK_HASH = /^0x[0-9a-fA-F]{64}$/
/** Questions to the state, whose last parameter names the block. */
const STATE_METHODS = new Set([
  'eth_call',
  'eth_getBalance',
  'eth_getCode',
  'eth_getStorageAt',
  'eth_getTransactionCount',
])

/**
 * A provider for ethers' `Contract` whose questions go through our pool. What is asked of the state
 * at a block hash must be answered alike by a quorum of the nodes; anything else is one node's word.
 * Its network is fixed, nothing is polled, cached or batched.
 */
export const createEthersProvider = (pool: NodePool, chainId: number): JsonRpcApiProvider =>
  new PooledProvider(pool, chainId)

class PooledProvider extends JsonRpcApiProvider {
  readonly #pool: NodePool

  constructor(pool: NodePool, chainId: number) {
    const staticNetwork = Network.from(chainId)
    super(staticNetwork, { staticNetwork, batchMaxCount: 1, cacheTimeout: -1 })
    this.#pool = pool
  }

  override async send(
    method: string,
    params: unknown[] | Record<string, unknown>,
  ): Promise<unknown> {
    this._start()
    return super.send(method, params)
  }

  override async _send(
    payload: JsonRpcPayload | JsonRpcPayload[],
  ): Promise<(JsonRpcResult | JsonRpcError)[]> {
    const asked = Array.isArray(payload) ? payload : [payload]
    const calls = asked.map(toCall)
    const read = (replies: readonly RpcReply[]) => replies
    const replies = calls.every(isPinned)
      ? await this.#pool.agree(calls, read, JSON.stringify)
      : await this.#pool.ask(calls, read)
    return asked.map(({ id }, index) => toAnswer(id, replies[index]))
  }
}

/** ethers gives a block's hash as a text where EIP-1898 wants an object. */
const toCall = ({ method, params }: JsonRpcPayload): RpcCall => {
  const list: readonly unknown[] = Array.isArray(params) ? params : [params]
  const last = list.at(-1)
  if (!STATE_METHODS.has(method) || typeof last !== 'string' || !BLOCK_HASH.test(last)) {
    return { method, params: list }
  }
  return { method, params: [...list.slice(0, -1), { blockHash: last.toLowerCase() }] }
}

const isPinned = ({ method, params }: RpcCall): boolean =>
  STATE_METHODS.has(method) && typeof params.at(-1) === 'object'

const toAnswer = (id: number, reply: RpcReply | undefined): JsonRpcResult | JsonRpcError => {
  if (reply?.ok) return { id, result: reply.result }
  const { code, message } = reply?.error ?? { code: -32603, message: 'no reply' }
  return { id, error: { code, message } }
}
