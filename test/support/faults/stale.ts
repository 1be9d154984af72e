import { RpcFault } from '../rpc-server.ts'
import { type Ask, asJson, hex, type Json, type Layer } from './fault.ts'

/** The newest and the final block that a stale node shows. */
type Ends = { latest: number; finalized: number | null }

/** The index of the block parameter of each method: a tag, a number, or an EIP-1898 object. */
const STATE_METHODS: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
  eth_getProof: 2,
}

/** Stops at a given block, or at the head of its first request. */
export const staleLayer = (fault: { at?: number; finalized?: number }): Layer => {
  let ends: Promise<Ends> | undefined
  return asOf((ask) => {
    ends ??= endsOf(ask).then((now) => {
      const latest = fault.at ?? now.latest
      const behind = now.finalized === null ? null : now.latest - now.finalized
      const finalized = behind === null ? null : Math.max(0, latest - behind)
      return { latest, finalized: fault.finalized ?? finalized }
    })
    return ends
  })
}

/** Stays this number of blocks behind. */
export const backwardsLayer = (blocks: number): Layer =>
  asOf(async (ask) => {
    const { latest, finalized } = await endsOf(ask)
    return {
      latest: Math.max(0, latest - blocks),
      finalized: finalized === null ? null : Math.max(0, finalized - blocks),
    }
  })

/** Shows the chain only up to `latest`. */
const asOf =
  (endsNow: (ask: Ask) => Promise<Ends>): Layer =>
  async (method, params, ask) => {
    const ends = await endsNow(ask)
    const at = (block: unknown): number | null => {
      if (block === 'finalized' || block === 'safe') return ends.finalized
      if (block === 'earliest') return 0
      return typeof block === 'string' && block.startsWith('0x') ? Number(block) : ends.latest
    }
    const known = (value: unknown): boolean => {
      const number = asJson(value)?.number ?? asJson(value)?.blockNumber
      return number === null || number === undefined || Number(number) <= ends.latest
    }
    const stateAt = STATE_METHODS[method]
    if (stateAt !== undefined) {
      const block = params[stateAt]
      const hash = asJson(block)?.blockHash
      if (hash !== undefined) {
        if (!known(await ask('eth_getBlockByHash', [hash, false]))) throw unknown()
        return ask(method, params)
      }
      const number = at(block)
      if (number === null || number > ends.latest) throw unknown()
      return ask(method, params.with(stateAt, hex(number)))
    }
    switch (method) {
      case 'eth_blockNumber':
        return hex(ends.latest)
      case 'eth_getBlockByNumber': {
        const number = at(params[0])
        return number === null || number > ends.latest
          ? null
          : ask(method, params.with(0, hex(number)))
      }
      case 'eth_getBlockReceipts': {
        if (isHash(params[0]) || asJson(params[0])) {
          const receipts = await ask(method, params)
          return Array.isArray(receipts) && !receipts.every(known) ? null : receipts
        }
        const number = at(params[0])
        return number === null || number > ends.latest ? null : ask(method, [hex(number)])
      }
      case 'eth_getLogs': {
        const filter = asJson(params[0]) ?? {}
        if (filter.blockHash !== undefined) {
          if (!known(await ask('eth_getBlockByHash', [filter.blockHash, false]))) throw unknown()
          return ask(method, params)
        }
        const from = at(filter.fromBlock) ?? 0
        if (from > ends.latest) return []
        const to = Math.min(at(filter.toBlock) ?? ends.latest, ends.latest)
        return ask(method, [{ ...filter, fromBlock: hex(from), toBlock: hex(to) }])
      }
      default: {
        const result = await ask(method, params)
        return known(result) ? result : null
      }
    }
  }

const endsOf = async (ask: Ask): Promise<Ends> => {
  const latest = asJson(await ask('eth_getBlockByNumber', ['latest', false]))
  const finalized = await ask('eth_getBlockByNumber', ['finalized', false]).then(asJson, () => null)
  return { latest: numberOf(latest) ?? 0, finalized: numberOf(finalized) }
}

const numberOf = (block: Json | null): number | null => (block ? Number(block.number) : null)

const isHash = (value: unknown): boolean => typeof value === 'string' && value.length === 66

const unknown = () => new RpcFault(-32000, 'header not found')
