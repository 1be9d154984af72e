import type { Fault, Layer } from './fault.ts'
import { forgedBranchLayer } from './forged-branch.ts'
import {
  addedLogLayer,
  callLayer,
  chainIdLayer,
  emptyLayer,
  errorLayer,
  finalityLayer,
  hashLayer,
  nullLayer,
  rangeLayer,
  receiptLayer,
} from './forged-results.ts'
import { backwardsLayer, staleLayer } from './stale.ts'

const TRANSACTION_METHODS = ['eth_getTransactionReceipt', 'eth_getTransactionByHash']

/**
 * The layer that changes single results for a fault, or undefined for exchange and batch faults.
 */
export const layerOf = (fault: Fault): Layer | undefined => {
  switch (fault.kind) {
    case 'stale':
      return staleLayer(fault)
    case 'backwards':
      return backwardsLayer(fault.blocks)
    case 'finality':
      return finalityLayer(fault.at)
    case 'wrong-chain':
      return chainIdLayer(fault.chainId)
    case 'no-logs':
      return emptyLayer('eth_getLogs')
    case 'no-receipts':
      return emptyLayer('eth_getBlockReceipts')
    case 'lying-null':
      return nullLayer(fault.methods ?? TRANSACTION_METHODS, fault.hash)
    case 'rpc-error':
      return errorLayer(fault.methods, fault.code ?? -32601, fault.message)
    case 'range-limit':
      return rangeLayer(fault.blocks)
    case 'forged-receipt':
      return receiptLayer(fault.change, fault.txHash)
    case 'forged-log':
      return addedLogLayer(fault)
    case 'forged-hash':
      return hashLayer(fault.from ?? 0)
    case 'forged-call':
      return callLayer(fault)
    case 'forged-branch':
      return forgedBranchLayer(fault)
    case 'custom':
      return fault.layer
    default:
      return undefined
  }
}
