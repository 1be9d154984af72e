import { demand, toHex } from './bytes.ts'
import { asBytes, asList, decodeRlpList, type Rlp } from './rlp.ts'

export type ProvenLog = { address: string; topics: string[]; data: Uint8Array }
export type ProvenReceipt = { succeeded: boolean; logs: ProvenLog[] }

/**
 * Reads a receipt, `rlp([status, cumulativeGasUsed, logsBloom, logs, …])`. A type byte precedes
 * the RLP unless the type is 0 (EIP-2718).
 *
 * @throws Refusal if the receipt is malformed, or has no status because it is older than EIP-658
 */
export const readReceipt = (bytes: Uint8Array): ProvenReceipt => {
  const typed = (bytes[0] ?? 0) < 0x80
  const fields = decodeRlpList(typed ? bytes.subarray(1) : bytes)
  const status = asBytes(fields[0])
  demand(
    status.length === 0 || (status.length === 1 && status[0] === 1),
    'The receipt has no status: receipts from before Byzantium are not supported.',
  )
  asBytes(fields[2], 256)
  return { succeeded: status.length === 1, logs: asList(fields[3]).map(readLog) }
}

const readLog = (item: Rlp): ProvenLog => {
  const [address, topics, data, ...rest] = asList(item)
  demand(rest.length === 0, 'A log has too many fields.')
  return {
    address: toHex(asBytes(address, 20)),
    topics: asList(topics).map((topic) => toHex(asBytes(topic, 32))),
    data: asBytes(data),
  }
}
