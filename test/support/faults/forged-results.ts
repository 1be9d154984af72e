import { RpcFault } from '../rpc-server.ts'
import { addBloom } from './encode.ts'
import { type Ask, asJson, asList, hex, type Json, type Layer } from './fault.ts'

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Layers that change single results. */
export const nullLayer =
  (methods: readonly string[], hash: string | undefined): Layer =>
  (method, params, ask) =>
    methods.includes(method) && (hash === undefined || params[0] === hash)
      ? Promise.resolve(null)
      : ask(method, params)

export const emptyLayer =
  (emptied: string): Layer =>
  async (method, params, ask) => {
    const result = await ask(method, params)
    return method === emptied && Array.isArray(result) ? [] : result
  }

export const chainIdLayer =
  (chainId: number): Layer =>
  async (method, params, ask) => {
    if (method === 'eth_chainId') return hex(chainId)
    return method === 'net_version' ? String(chainId) : ask(method, params)
  }

export const errorLayer =
  (methods: readonly string[], code: number, message?: string): Layer =>
  async (method, params, ask) => {
    if (!methods.includes(method)) return ask(method, params)
    throw new RpcFault(code, message ?? `the method ${method} does not exist/is not available`)
  }

export const rangeLayer =
  (blocks: number): Layer =>
  async (method, params, ask) => {
    const filter = asJson(params[0])
    if (method !== 'eth_getLogs' || !filter || filter.blockHash !== undefined) {
      return ask(method, params)
    }
    const number = async (block: unknown): Promise<number> =>
      typeof block === 'string' && block.startsWith('0x')
        ? Number(block)
        : Number(await ask('eth_blockNumber', []))
    const wide = (await number(filter.toBlock)) - (await number(filter.fromBlock)) + 1
    if (wide > blocks) {
      throw new RpcFault(-32602, `eth_getLogs is limited to a ${blocks} range, got ${wide}`)
    }
    return ask(method, params)
  }

export const finalityLayer =
  (at: number | 'latest' | 'null' | 'unknown'): Layer =>
  async (method, params, ask) => {
    const [tag] = params
    if (method !== 'eth_getBlockByNumber' || (tag !== 'finalized' && tag !== 'safe')) {
      return ask(method, params)
    }
    if (at === 'unknown') throw new RpcFault(-32602, `invalid argument 0: unknown block tag ${tag}`)
    if (at === 'null') return null
    return ask(method, params.with(0, at === 'latest' ? at : hex(at)))
  }

export const hashLayer =
  (from: number): Layer =>
  async (method, params, ask) => {
    const result = await ask(method, params)
    const block = asJson(result)
    if (!method.startsWith('eth_getBlockBy') || !block || Number(block.number) < from) return result
    const hash = String(block.hash)
    return { ...block, hash: hash.slice(0, -1) + (hash.endsWith('0') ? '1' : '0') }
  }

export const callLayer =
  (fault: { result: string; to?: string; selector?: string }): Layer =>
  async (method, params, ask) => {
    const call = asJson(params[0])
    const data = String(call?.data ?? call?.input ?? '')
    const aimed =
      method === 'eth_call' &&
      (fault.to === undefined || String(call?.to).toLowerCase() === fault.to.toLowerCase()) &&
      (fault.selector === undefined || data.startsWith(fault.selector))
    return aimed ? fault.result : ask(method, params)
  }

export const receiptLayer =
  (change: 'status' | 'amount', txHash: string | undefined): Layer =>
  (method, params, ask) =>
    alterReceipts(method, params, ask, (receipts) =>
      receipts.map((receipt) => {
        if (txHash !== undefined && receipt.transactionHash !== txHash) return receipt
        if (change === 'status') {
          return { ...receipt, status: receipt.status === '0x1' ? '0x0' : '0x1' }
        }
        const logs = asList(receipt.logs).map((log) =>
          asTopics(log)[0] === TRANSFER ? { ...log, data: doubled(String(log.data)) } : log,
        )
        return { ...receipt, logs }
      }),
    )

type AddedLog = { token: string; to: string; amount: bigint; from?: string; txHash?: string }

export const addedLogLayer =
  (fault: AddedLog): Layer =>
  (method, params, ask) =>
    alterReceipts(method, params, ask, (receipts) => {
      const aimed = fault.txHash ?? receipts.at(-1)?.transactionHash
      let added = 0
      return receipts.map((receipt) => {
        const logs = asList(receipt.logs).map((log) => shifted(log, added))
        if (receipt.transactionHash !== aimed) return { ...receipt, logs }
        const log = transferLog(fault, receipt, logs, receipts)
        added += 1
        const logsBloom = addBloom(String(receipt.logsBloom), [log.address, ...log.topics])
        return { ...receipt, logs: [...logs, log], logsBloom }
      })
    })

const alterReceipts = async (
  method: string,
  params: readonly unknown[],
  ask: Ask,
  alter: (receipts: Json[]) => Json[],
): Promise<unknown> => {
  const result = await ask(method, params)
  if (method === 'eth_getBlockReceipts' && Array.isArray(result)) return alter(asList(result))
  const receipt = asJson(result)
  return method === 'eth_getTransactionReceipt' && receipt ? alter([receipt])[0] : result
}

const transferLog = (fault: AddedLog, receipt: Json, logs: Json[], all: Json[]) => {
  const before = all.slice(0, all.indexOf(receipt)).flatMap((one) => asList(one.logs)).length
  const { blockHash, blockNumber, transactionHash, transactionIndex } = receipt
  return {
    address: fault.token,
    topics: [TRANSFER, wordOf(fault.from ?? `0x${'11'.repeat(20)}`), wordOf(fault.to)],
    data: `0x${fault.amount.toString(16).padStart(64, '0')}`,
    blockHash,
    blockNumber,
    transactionHash,
    transactionIndex,
    logIndex: hex(before + logs.length),
    removed: false,
  }
}

const shifted = (log: Json, by: number): Json =>
  by === 0 ? log : { ...log, logIndex: hex(Number(log.logIndex) + by) }

const asTopics = (log: Json): unknown[] => (Array.isArray(log.topics) ? log.topics : [])

const doubled = (word: string): string =>
  `0x${((2n * BigInt(word)) % 2n ** 256n).toString(16).padStart(64, '0')}`

const wordOf = (account: string): string => `0x${account.slice(2).toLowerCase().padStart(64, '0')}`
