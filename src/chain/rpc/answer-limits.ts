import { ChainError } from '../errors.ts'
import type { RpcCall } from './json-rpc.ts'

const KIB = 1024
/** The most bytes of all answers to the calls of one `send`, and of one block or trace. */
export const MAX_SEND_BYTES = 32 * KIB * KIB

/** The most bytes of an answer, for methods whose real answers have a bound. */
const MOST_BYTES: Readonly<Record<string, number>> = {
  eth_chainId: 4 * KIB,
  eth_getTransactionCount: 4 * KIB,
  // 65 nodes of a trie, with at most 532 bytes each, take 70 kB as hex digits.
  eth_getProof: 256 * KIB,
  // A contract may return or revert with as much data as its gas pays for.
  eth_call: 2 * KIB * KIB,
  eth_estimateGas: 2 * KIB * KIB,
  eth_simulateV1: 2 * KIB * KIB,
  eth_getCode: 2 * KIB * KIB,
}

/** The most bytes of the answer to these calls. 60,000 hashes of a block's transactions fit. */
export const answerBytes = (calls: readonly RpcCall[]): number =>
  calls.reduce((sum, { method, params }) => {
    const ofBlock = params[1] === false ? 4 * KIB * KIB : MAX_SEND_BYTES
    return sum + (MOST_BYTES[method] ?? ofBlock)
  }, 0)

/**
 * The fewest bytes for each value. Mainnet's blocks and receipts have 53 to 61 bytes for each
 * value, an empty log has 28. JSON.parse takes up to 104 bytes of memory for a value (measured).
 */
const BYTES_PER_VALUE = 32
/** A trace of 1,024 nested calls (Yellow Paper, 9.4) has two levels for each call. */
const MAX_DEPTH = 2_200
const [QUOTE, COMMA, BACKSLASH, LIST, LIST_END, OBJECT, OBJECT_END] = [34, 44, 92, 91, 93, 123, 125]

/**
 * Counts the values of a JSON text and their depth, before JSON.parse makes objects of them.
 * Returns the bytes that real answers with so many values have at least.
 *
 * @throws ChainError `too_large` if `maxBytes` of real answers have fewer values, `bad_response` if
 *   lists or objects are nested too deeply
 */
export const checkValues = (text: string, maxBytes: number, node: string): number => {
  let room = maxBytes / BYTES_PER_VALUE
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = text.indexOf('"', at + 1)
      // An escaped quote counts as a value, because real data has none.
      for (; isEscaped(text, at) && room >= 0; room -= 1) at = text.indexOf('"', at + 1)
      if (at < 0) break
    } else if (code === COMMA) {
      room -= 1
    } else if (code === LIST || code === OBJECT) {
      room -= 1
      depth += 1
    } else if (code === LIST_END || code === OBJECT_END) {
      depth -= 1
    }
    if (depth > MAX_DEPTH) throw new ChainError('bad_response', `${node} nests too deeply.`)
    if (room < 0) throw new ChainError('too_large', `${node} sent too many values.`)
  }
  return maxBytes - room * BYTES_PER_VALUE
}

/** Whether an odd number of backslashes precedes the character. */
const isEscaped = (text: string, at: number): boolean => {
  let before = at - 1
  while (text.charCodeAt(before) === BACKSLASH) before -= 1
  return (at - before) % 2 === 0
}
