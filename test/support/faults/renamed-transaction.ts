import { asJson, asList, type Json, type Layer } from './fault.ts'

/**
 * Shows blocks as lists of hashes, and replaces a transaction's hash by an invented one there and
 * in its receipt. Roots and receipts stay valid, because no receipts root covers the hash.
 */
export const renamedTransactionLayer =
  (hash: string, invented: string): Layer =>
  async (method, params, ask) => {
    const asked = params.map((param) => (param === invented ? hash : param))
    const result: unknown = JSON.parse(
      JSON.stringify((await ask(method, asked)) ?? null).replaceAll(hash, invented),
    )
    const block = method.startsWith('eth_getBlockBy') ? asJson(result) : null
    if (!block) return result
    const transactions: (Json | unknown)[] = asList(block.transactions)
    return { ...block, transactions: transactions.map((one) => asJson(one)?.hash ?? one) }
  }
