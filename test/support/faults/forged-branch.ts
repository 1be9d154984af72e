import { RpcFault } from '../rpc-server.ts'
import { type Ask, asJson, asList, type ForgedBranch, hex, type Json, type Layer } from './fault.ts'
import { type ForgedBlock, forgeBlock } from './forged-block.ts'

/**
 * Shows another branch from a block on. Each honest block is forged once. Hashes of blocks are
 * translated in both directions, so the branch is consistent.
 */
export const forgedBranchLayer = (fault: ForgedBranch): Layer => {
  const byHonestHash = new Map<string, Promise<ForgedBlock>>()
  const byHash = new Map<string, ForgedBlock>()

  const forge = (honest: Json, ask: Ask): Promise<ForgedBlock> => {
    const known = byHonestHash.get(String(honest.hash))
    if (known) return known
    const forging = forgeOne(honest, ask)
    byHonestHash.set(String(honest.hash), forging)
    return forging
  }
  const forgeOne = async (honest: Json, ask: Ask): Promise<ForgedBlock> => {
    let parentHash = String(honest.parentHash)
    if (Number(honest.number) > fault.from) {
      const parent = asJson(await ask('eth_getBlockByHash', [parentHash, true]))
      if (!parent) throw new RpcFault(-32000, 'header not found')
      parentHash = String((await forge(parent, ask)).block.hash)
    }
    const receipts = asList(await ask('eth_getBlockReceipts', [honest.hash]))
    const chainId = Number(await ask('eth_chainId', []))
    const forged = await forgeBlock(honest, receipts, parentHash, fault, chainId)
    byHash.set(String(forged.block.hash), forged)
    return forged
  }
  /** The forged block in place of the honest block `block`, or null below the branch. */
  const at = async (block: unknown, ask: Ask): Promise<ForgedBlock | null> => {
    const honest = asJson(await ask('eth_getBlockByNumber', [block, true]))
    return honest && Number(honest.number) >= fault.from ? forge(honest, ask) : null
  }
  /**
   * Forges all blocks up to the head first, so that an invented transaction is found by its hash.
   */
  const receiptOf = async (hash: unknown, ask: Ask): Promise<[Json, Json] | null> => {
    await at('latest', ask)
    for (const { block, receipts } of byHash.values()) {
      const index = receipts.findIndex((receipt) => receipt.transactionHash === hash)
      const receipt = receipts[index]
      const transaction = asList(block.transactions)[index]
      if (receipt && transaction) return [transaction, receipt]
    }
    return null
  }
  const shown = ({ block }: ForgedBlock, full: unknown): Json =>
    full === true
      ? block
      : { ...block, transactions: asList(block.transactions).map((one) => one.hash) }

  /** Replaces a forged block hash in an EIP-1898 object by the honest hash, for the node below. */
  const honestly = (param: unknown): unknown => {
    const named = asJson(param)
    const forged = byHash.get(String(named?.blockHash))
    return named && forged ? { ...named, blockHash: forged.honestHash } : param
  }

  const logs = async (filter: Json, ask: Ask): Promise<unknown> => {
    const named = byHash.get(String(filter.blockHash))
    if (filter.blockHash !== undefined) {
      if (named) return named.receipts.flatMap(({ logs }) => asList(logs)).filter(fits(filter))
      const honest = asList(await ask('eth_getLogs', [filter]))
      return honest.filter((log) => Number(log.blockNumber) < fault.from)
    }
    const honest = asList(await ask('eth_getLogs', [filter]))
    const below = honest.filter((log) => Number(log.blockNumber) < fault.from)
    const head = Number(await ask('eth_blockNumber', []))
    const bound = (block: unknown): number => (isNumber(block) ? Number(block) : head)
    const found: Json[] = []
    const last = Math.min(bound(filter.toBlock), head)
    for (let n = Math.max(fault.from, bound(filter.fromBlock)); n <= last; n += 1) {
      const block = await at(hex(n), ask)
      found.push(...(block?.receipts ?? []).flatMap((receipt) => asList(receipt.logs)))
    }
    return [...below, ...found.filter(fits(filter))]
  }

  return async (method, params, ask) => {
    const [first, second] = params
    const forged = byHash.get(String(first))
    switch (method) {
      case 'eth_getBlockByNumber': {
        const found = await at(first, ask)
        return found ? shown(found, second) : ask(method, params)
      }
      case 'eth_getBlockByHash': {
        if (forged) return shown(forged, second)
        const honest = asJson(await ask(method, params))
        return honest && Number(honest.number) >= fault.from ? null : honest
      }
      case 'eth_getBlockReceipts': {
        const named = byHash.get(String(asJson(first)?.blockHash))
        const found = forged ?? named ?? (isTag(first) ? await at(first, ask) : null)
        if (found) return found.receipts
        const honest = await ask(method, params)
        const number = Number(asList(honest)[0]?.blockNumber ?? -1)
        return number >= fault.from ? null : honest
      }
      case 'eth_getTransactionReceipt':
      case 'eth_getTransactionByHash': {
        const found = await receiptOf(first, ask)
        if (found) return method === 'eth_getTransactionByHash' ? found[0] : found[1]
        const honest = asJson(await ask(method, params))
        const number = honest?.blockNumber
        return typeof number === 'string' && Number(number) >= fault.from ? null : honest
      }
      case 'eth_getLogs':
        return logs(asJson(first) ?? {}, ask)
      default:
        return ask(method, params.map(honestly))
    }
  }
}

const isNumber = (block: unknown): boolean => typeof block === 'string' && block.startsWith('0x')

const isTag = (block: unknown): boolean => typeof block === 'string' && block.length !== 66

/** Whether a log passes a filter of addresses and topics (JSON-RPC, eth_newFilter). */
const fits =
  ({ address, topics }: Json) =>
  (log: Json): boolean => {
    const has = (allowed: unknown, value: unknown): boolean =>
      allowed === null ||
      allowed === undefined ||
      (Array.isArray(allowed) ? allowed : [allowed]).some(
        (one) => String(one).toLowerCase() === String(value).toLowerCase(),
      )
    const asked = Array.isArray(topics) ? topics : []
    const present = Array.isArray(log.topics) ? log.topics : []
    return has(address, log.address) && asked.every((one, index) => has(one, present[index]))
  }
