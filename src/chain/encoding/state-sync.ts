import { readData } from '../rpc/read.ts'
import type { Hash, Header } from '../types.ts'
import { type Keccak, toHex } from './keccak.ts'

const PREFIX = Buffer.from('matic-bor-receipt-')

/**
 * The hash of a block's state-sync transaction on Polygon before the Madhugiri fork: keccak of a
 * prefix, block number and block hash (bor, core/types/bor_receipt.go). Nodes list this transaction
 * last, with a receipt. No root proves this transaction and its receipt, so callers drop them.
 */
export const stateSyncHash = ({ number, hash }: Header, keccak: Keccak): Hash => {
  const key = Buffer.alloc(PREFIX.length + 8 + 32)
  PREFIX.copy(key)
  key.writeBigUInt64BE(BigInt(number), PREFIX.length)
  key.set(readData(hash, 'block hash'), PREFIX.length + 8)
  return toHex(keccak(key))
}
