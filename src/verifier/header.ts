import { fromHex, keccakHex, toHex, toInteger } from './bytes.ts'
import { asBytes, decodeRlpList } from './rlp.ts'

/** The fields of a block header that a proof needs. `timestamp` is in seconds since 1970. */
export type ProvenHeader = {
  hash: string
  number: number
  parentHash: string
  timestamp: number
  stateRoot: string
  transactionsRoot: string
  receiptsRoot: string
}

/**
 * Reads a block header from its RLP and hashes all its fields, including fields that later forks
 * append. The Yellow Paper, section 4.4, defines the order of the fields.
 *
 * @throws Refusal if the header is malformed
 */
export const readHeader = (header: string): ProvenHeader => {
  const bytes = fromHex(header)
  const fields = decodeRlpList(bytes)
  const root = (index: number): string => toHex(asBytes(fields[index], 32))
  asBytes(fields[1], 32)
  asBytes(fields[2], 20)
  asBytes(fields[6], 256)
  asBytes(fields[14])
  return {
    hash: keccakHex(bytes),
    parentHash: root(0),
    stateRoot: root(3),
    transactionsRoot: root(4),
    receiptsRoot: root(5),
    number: Number(toInteger(asBytes(fields[8]), 6)),
    timestamp: Number(toInteger(asBytes(fields[11]), 6)),
  }
}
