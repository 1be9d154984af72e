import { encodeRlp, keccak256, toBeArray } from 'ethers'
import type { Json } from './fault.ts'

/** Encodings by ethers, because a forged block must not depend on the code that it tests. */

const FIELDS = [
  ['parentHash', 'data'],
  ['sha3Uncles', 'data'],
  ['miner', 'data'],
  ['stateRoot', 'data'],
  ['transactionsRoot', 'data'],
  ['receiptsRoot', 'data'],
  ['logsBloom', 'data'],
  ['difficulty', 'quantity'],
  ['number', 'quantity'],
  ['gasLimit', 'quantity'],
  ['gasUsed', 'quantity'],
  ['timestamp', 'quantity'],
  ['extraData', 'data'],
  ['mixHash', 'data'],
  ['nonce', 'data'],
  ['baseFeePerGas', 'quantity'],
  ['withdrawalsRoot', 'data'],
  ['blobGasUsed', 'quantity'],
  ['excessBlobGas', 'quantity'],
  ['parentBeaconBlockRoot', 'data'],
  ['requestsHash', 'data'],
  ['blockAccessListHash', 'data'],
  ['slotNumber', 'quantity'],
] as const

/** Computes the hash of a header from the fields of a JSON-RPC block. */
export const headerHash = (block: Json): string =>
  keccak256(
    encodeRlp(
      FIELDS.filter(([name]) => block[name] !== undefined && block[name] !== null).map(
        ([name, kind]) =>
          kind === 'data' ? String(block[name]) : toBeArray(BigInt(String(block[name]))),
      ),
    ),
  )

/** Adds items to the 2048-bit Bloom filter of a block (Ethereum Yellow Paper, section 4.3.1). */
export const addBloom = (bloom: string, items: readonly string[]): string => {
  let bits = BigInt(bloom)
  for (const item of items) {
    const hash = keccak256(item)
    for (const at of [2, 6, 10]) {
      bits |= 1n << BigInt(Number.parseInt(hash.slice(at, at + 4), 16) & 2047)
    }
  }
  return `0x${bits.toString(16).padStart(512, '0')}`
}
