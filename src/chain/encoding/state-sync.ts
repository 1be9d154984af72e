import { readData } from '../rpc/read.ts'
import type { Hash, Header } from '../types.ts'
import { type Keccak, toHex } from './keccak.ts'

const PREFIX = Buffer.from('matic-bor-receipt-')

/**
 * The name that Polygon before Madhugiri gave to what a block did with news of Ethereum: keccak of a
 * prefix, the block's number and its hash (bor, core/types/bor_receipt.go). Nodes list it as the
 * block's last transaction, with a receipt, but neither root covers it, so neither is believed.
 */
export const stateSyncHash = ({ number, hash }: Header, keccak: Keccak): Hash => {
  const key = Buffer.alloc(PREFIX.length + 8 + 32)
  PREFIX.copy(key)
  key.writeBigUInt64BE(BigInt(number), PREFIX.length)
  key.set(readData(hash, 'block hash'), PREFIX.length + 8)
  return toHex(keccak(key))
}
